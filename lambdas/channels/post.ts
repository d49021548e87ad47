import { postJson, WebhookError } from '../catalogue/http/post-json.ts';
import type { Notice } from '../words/notice.ts';
import { type ChannelType, jsonFile, type Sending } from './channel.ts';
import type { WebhookSecret } from './channel-secrets.ts';
import type { KindWith } from './channel-settings.ts';

interface Body {
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Of both ways to post: once, for the outbox repeats, which knows what was sent. */
const once = { limits: { retries: 0 } } as const;

/**
 * Posts one message to the webhook that a channel names; returns what it answered.
 * @throws {ChannelSecretError} when the address is missing or cannot be used
 * @throws {WebhookError} when the receiver did not take the message
 */
export async function postToWebhook<Kind extends KindWith<'webhook'>>(
  { channel, context: { secrets, clock, log }, signal }: Sending<Kind>,
  { service, body }: { readonly service: string; readonly body: (secret: WebhookSecret) => Body },
): Promise<string> {
  const name = channel.webhook;
  const secret = await secrets.webhook(name);
  const { query = {}, ...rest } = body(secret);
  try {
    const { status } = await postJson({
      receiver: `the ${service} "${name}"`,
      address: withQuery(secret.url, query),
      secrets: secret.key === undefined ? [] : [secret.key],
      ...{ ...rest, ...once, clock, log, signal },
    });
    return `HTTP ${status}`;
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

interface ChatByWebhook<Kind extends KindWith<'webhook'>>
  extends Pick<ChannelType<Kind>, 'kind' | 'title' | 'setUp' | 'pauseMs'> {
  /** As errors name it, before "webhook"; the title where absent. */
  readonly service?: string;
  /** The message as the chat takes it, as JSON. */
  readonly render: (notice: Notice) => object;
  /** What the address gets beside, by the id of the message. */
  readonly query?: (id: string) => Readonly<Record<string, string>>;
}

/** A chat that takes messages at the secret address of an incoming webhook, and does not notice one that comes twice. */
export const chatByWebhook = <Kind extends KindWith<'webhook'>>({
  service,
  render,
  query = () => ({}),
  ...about
}: ChatByWebhook<Kind>): ChannelType<Kind> => ({
  ...about,
  dropsRepeats: false,
  afterTrial: '',
  preview: ({ notice }) => [jsonFile(render(notice))],
  send: ({ notice, id }, sending) =>
    postToWebhook(sending, {
      service: `${service ?? about.title} webhook`,
      body: () => ({ json: JSON.stringify(render(notice)), query: query(id) }),
    }),
});

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
 * Posts one message with the token of the bot that a channel names.
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
      ...{ ...once, clock, log, signal },
    });
    return { status: posted.status, answer: jsonIn(posted.body) };
  } catch (error) {
    if (error instanceof WebhookError && error.status === 401) secrets.forget();
    throw error;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
