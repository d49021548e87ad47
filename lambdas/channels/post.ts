import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { postJson, WebhookError } from '../catalogue/http/post-json.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Notice } from '../words/notice.ts';
import { type ChannelType, jsonFile, type Sending } from './channel.ts';
import type { WebhookSecret } from './channel-secrets.ts';
import type { ChannelKind, KindWith } from './channel-settings.ts';

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
async function postToWebhook<Kind extends KindWith<'webhook'>>(
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

/** Days for which the first message of a thread is remembered after its newest. */
const REMEMBERED_DAYS = 400;

const firstSchema = z.string().min(1);

/** What a service says of a new message: its id, null where it is unknown, and the answer as it is kept. */
export interface Posted {
  readonly id: string | null;
  readonly answer: string;
}

/**
 * Posts a message into the thread of those about the same panel; the first message of a thread begins it. Where the
 * receiver refuses the reply, because somebody deleted the first message, the message begins a new thread.
 * @param post posts, as a reply where a first message is given
 * @returns what the receiver answered
 */
export async function inThread<Kind extends ChannelKind>(
  { thread: { id: thread } }: Notice,
  { memory, context: { log } }: Pick<Sending<Kind>, 'memory' | 'context'>,
  post: (first: string | null) => Promise<Posted>,
): Promise<string> {
  const key = `thread#${thread}`;
  const first = firstSchema.safeParse(await memory.get(key)).data ?? null;
  const remember = async (id: string): Promise<void> => {
    try {
      await memory.set(key, id, { days: REMEMBERED_DAYS });
    } catch (error) {
      // The message was sent. Without its thread, the next one begins a new thread.
      log.warn('The thread of a message could not be remembered', { thread, error });
    }
  };
  try {
    const { id, answer } = await post(first);
    const kept = first ?? id;
    if (kept !== null) await remember(kept);
    return answer;
  } catch (error) {
    if (first === null || !isRefusal(error)) throw error;
    log.warn('A reply was refused; the message begins a new thread', { thread, error });
    const { id, answer } = await post(null);
    if (id !== null) await remember(id);
    return answer;
  }
}

/** Whether the receiver answered that it does not take this request: a reply to a message that is gone. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WebhookError &&
  error.condition === 'REQUEST_REFUSED' &&
  error.status !== null &&
  error.status !== 401 &&
  error.status !== 403 &&
  error.status < 500;

interface Signing {
  /** `whsec_` and the key in base64. */
  readonly key?: string | undefined;
  /** Stays the same when the message is sent again, so that the receiver can drop a repeat. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The CloudEvent for a webhook, in structured mode; signed where there is a key, as https://www.standardwebhooks.com says. */
export function webhookMessage(event: PanelEvent, { key, id, now }: Signing) {
  const json = JSON.stringify(event);
  const seconds = String(Math.floor(now / 1000));
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': seconds,
  };
  if (key === undefined) return { json, headers };
  const secret = Buffer.from(key.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${json}`).digest('base64');
  return { json, headers: { ...headers, 'webhook-signature': `v1,${signature}` } };
}

/** A program that takes each CloudEvent, signed, in a request of its own. */
export const webhook: ChannelType<'webhook'> = {
  kind: 'webhook',
  title: 'A program',
  setUp:
    'In the secret: `"pipeline": {"url": "https://…", "key": "whsec_…"}`. It gets each CloudEvent in a request of its own, at once (a sign-off once its versions are read, after six hours at the latest), signed as in [Standard Webhooks](https://www.standardwebhooks.com).',
  pauseMs: 100,
  // By the header webhook-id.
  dropsRepeats: true,
  afterTrial: '',
  preview: ({ event }) => (event ? [jsonFile(event)] : []),
  async send({ event, id }, sending) {
    if (!event) throw new Error('A webhook takes events, and this message is not about one');
    const now = sending.context.clock.now();
    return postToWebhook(sending, {
      service: 'webhook',
      body: ({ key }) => webhookMessage(event, { key, id, now }),
    });
  },
};
