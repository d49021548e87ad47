import type { Clock } from '../../clock/clock.ts';
import { postJson, WebhookError } from '../../http/post-json.ts';
import type { Log } from '../../log/log.ts';
import type { Notice } from '../../messages/notice.ts';
import { slackMessage } from '../../messages/slack.ts';
import { teamsMessage } from '../../messages/teams.ts';
import { webhookMessage } from '../../messages/webhook.ts';
import type { Outgoing, Sender } from '../sender.ts';
import type { Channel } from '../subscription.ts';
import type { ChannelSecrets, WebhookSecret } from './channel-secrets.ts';

interface HttpSenderOptions {
  readonly secrets: ChannelSecrets;
  readonly clock: Clock;
  readonly log: Log;
}

/** Slack takes one message a second: https://docs.slack.dev/apis/web-api/rate-limits */
export const slackSender = (options: HttpSenderOptions): Sender =>
  httpSender('Slack', { ...options, pauseMs: 1_100, body: ({ notice }) => jsonOf(slackMessage, notice) });

/** Teams takes four requests a second: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit */
export const teamsSender = (options: HttpSenderOptions): Sender =>
  httpSender('Teams', { ...options, pauseMs: 1_000, body: ({ notice }) => jsonOf(teamsMessage, notice) });

/** The CloudEvent, signed. Only a message about one event has one. */
export const webhookSender = (options: HttpSenderOptions): Sender =>
  httpSender('webhook', {
    ...options,
    pauseMs: 100,
    body: ({ event, id }, { key }) => {
      if (!event) throw new Error('A webhook takes events, and this message is not about one');
      return webhookMessage(event, { key, id, now: options.clock.now() });
    },
  });

interface Body {
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const jsonOf = (render: (notice: Notice) => object, notice: Notice): Body => ({
  json: JSON.stringify(render(notice)),
});

interface HttpSenderParts extends HttpSenderOptions {
  readonly pauseMs: number;
  readonly body: (message: Outgoing, secret: WebhookSecret) => Body;
}

function httpSender(service: string, { secrets, clock, log, pauseMs, body }: HttpSenderParts): Sender {
  return {
    pauseMs,
    async send(message, channel) {
      const name = webhookOf(channel);
      const secret = await secrets.webhook(name);
      const receiver = `the ${service} ${service === 'webhook' ? '' : 'webhook '}"${name}"`;
      try {
        // The outbox repeats: it knows what was sent, and says so where a message may come twice.
        await postJson({
          receiver,
          address: secret.url,
          ...body(message, secret),
          clock,
          log,
          limits: { retries: 0 },
        });
      } catch (error) {
        if (error instanceof WebhookError && error.status !== null && error.status < 500) secrets.forget();
        throw error;
      }
    },
  };
}

function webhookOf(channel: Channel): string {
  if (channel.kind === 'slack' || channel.kind === 'teams' || channel.kind === 'webhook')
    return channel.webhook;
  throw new TypeError(`A channel of the kind ${channel.kind} has no webhook`);
}
