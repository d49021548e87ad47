import { Webhook } from 'standardwebhooks';
import type { PanelEvent } from '../events/schemas.ts';

/** What a webhook is sent: the CloudEvent, signed as https://www.standardwebhooks.com says. */
interface WebhookMessage {
  readonly json: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Signing {
  /** `whsec_` and the key in base64. */
  readonly key: string;
  /** Stays the same when the message is sent again, so that the receiver can drop a repeat. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The CloudEvent for a webhook, in structured mode; signed where there is a key. */
export function webhookMessage(
  event: PanelEvent,
  { key, id, now }: Omit<Signing, 'key'> & { readonly key?: string | undefined },
): WebhookMessage {
  const json = JSON.stringify(event);
  const at = new Date(now);
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
  };
  if (key === undefined) return { json, headers };
  return { json, headers: { ...headers, 'webhook-signature': new Webhook(key).sign(id, at, json) } };
}
