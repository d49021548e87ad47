import * as z from 'zod';
import { WebhookError } from '../catalogue/http/post-json.ts';
import { type ChannelType, jsonFile, type Sending } from './channel.ts';
import { inThread } from './in-thread.ts';
import { postAsBot } from './post-as-bot.ts';
import { slackMessage } from './slack-message.ts';

const API = 'https://slack.com/api/';

/** What `chat.postMessage` answers: https://docs.slack.dev/reference/methods/chat.postMessage */
const answerSchema = z.lazy(() =>
  z.object({ ok: z.boolean(), ts: z.string().optional(), error: z.string().optional() }),
);

/** Errors of Slack after which a person must do something about the token; the secret is read again. */
const tokenErrors: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
]);

/**
 * Slack by a bot, with one thread for each panel. Replies are shown in the channel too, so that readers of the channel see them.
 * Slack takes one message a second in a channel: https://docs.slack.dev/apis/web-api/rate-limits
 */
export const slackBot: ChannelType<'slack-bot'> = {
  kind: 'slack-bot',
  title: 'Slack by a bot',
  setUp:
    'Create a Slack app with the scope `chat:write`, install it, invite it to the channel, and put its token into the secret: `"lab-bot": {"token": "xoxb-…"}`. Threads by panel.',
  pauseMs: 1_100,
  dropsRepeats: false,
  afterTrial: '',
  preview: ({ notice }) => [jsonFile(slackMessage(notice))],
  send: ({ notice }, sending) =>
    inThread(notice, sending, (first) =>
      postMessage(sending, {
        channel: sending.channel.channel,
        ...slackMessage(notice),
        ...(first !== null && { thread_ts: first, reply_broadcast: true }),
        unfurl_links: false,
      }),
    ),
};

/** Posts a message; returns its timestamp, which is its id. Slack refuses by an answer with the status 200. */
async function postMessage(sending: Sending<'slack-bot'>, body: object): Promise<string | null> {
  const { channel, context } = sending;
  const receiver = `the Slack bot "${channel.bot}" in the channel ${channel.channel}`;
  const { status, answer } = await postAsBot(sending, { receiver, api: API, path: 'chat.postMessage', body });
  const seen = answerSchema.safeParse(answer).data;
  // An answer that cannot be read came with a status that says that Slack has the message.
  if (!seen) return null;
  if (seen.ok) return seen.ts ?? null;
  if (tokenErrors.has(seen.error ?? '')) context.secrets.forget();
  throw new WebhookError({
    condition: 'REQUEST_REFUSED',
    action: `Sending a message through ${receiver}`,
    seen: `Slack answered ${JSON.stringify(seen.error ?? 'no reason')}; look it up under "Errors" at https://docs.slack.dev/reference/methods/chat.postMessage`,
    status: tokenErrors.has(seen.error ?? '') ? 401 : status,
  });
}
