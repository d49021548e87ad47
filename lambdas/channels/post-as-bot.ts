import { postJson, WebhookError } from '../catalogue/http/post-json.ts';
import type { Sending } from './channel.ts';
import type { KindWith } from './channel-settings.ts';
import { jsonIn } from './json-in.ts';

interface BotMessage {
  /** Who gets it, for errors: `the Webex bot "lab"`. */
  readonly receiver: string;
  /** The service's API, where the secret names no other. */
  readonly api: string;
  /** Below the API. */
  readonly path: string;
  readonly body: object;
}

interface Answer {
  readonly status: number;
  /** The value of the JSON; undefined where the answer is none. */
  readonly answer: unknown;
}

/**
 * Posts one message with the token of the bot that a channel names, once: the outbox repeats, for it knows what was sent.
 * @throws {ChannelSecretError} when the token is missing or cannot be used
 * @throws {WebhookError} when the service did not take the message
 */
export async function postAsBot<Kind extends KindWith<'bot'>>(
  { channel, context: { secrets, clock, log }, signal }: Sending<Kind>,
  { receiver, api, path, body }: BotMessage,
): Promise<Answer> {
  const { token, url = api } = await secrets.token(channel.bot);
  try {
    const posted = await postJson({
      receiver,
      address: new URL(path, url).href,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      json: JSON.stringify(body),
      secrets: [token],
      clock,
      log,
      signal,
      limits: { retries: 0 },
    });
    return { status: posted.status, answer: jsonIn(posted.body) };
  } catch (error) {
    if (error instanceof WebhookError && error.status === 401) secrets.forget();
    throw error;
  }
}
