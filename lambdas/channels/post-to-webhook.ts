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
