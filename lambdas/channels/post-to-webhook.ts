import { postJson, WebhookError } from '../catalogue/http/post-json.ts';
import type { Sending } from './channel.ts';
import type { WebhookSecret } from './channel-secrets.ts';
import type { KindWith } from './channel-settings.ts';

interface Body {
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the query of the address. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Posts one message to the webhook that a channel names. It is tried once: the outbox repeats, for it knows what was
 * sent.
 * @throws {ChannelSecretError} when the address is missing or cannot be used
 * @throws {WebhookError} when the receiver did not take the message
 */
export async function postToWebhook<Kind extends KindWith<'webhook'>>(
  { channel, context: { secrets, clock, log }, signal }: Sending<Kind>,
  { service, body }: { readonly service: string; readonly body: (secret: WebhookSecret) => Body },
): Promise<void> {
  const name = channel.webhook;
  const secret = await secrets.webhook(name);
  const receiver = `the ${service} "${name}"`;
  const { query = {}, ...rest } = body(secret);
  try {
    await postJson({
      receiver,
      address: withQuery(secret.url, query),
      secrets: secret.key === undefined ? [] : [secret.key],
      ...rest,
      clock,
      log,
      signal,
      limits: { retries: 0 },
    });
  } catch (error) {
    if (error instanceof WebhookError && error.status !== null && error.status < 500) secrets.forget();
    throw error;
  }
}

/** An address that cannot be read stays as it is: the post says what is wrong with it. */
function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

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

/** The value of a JSON text; undefined where the text is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
