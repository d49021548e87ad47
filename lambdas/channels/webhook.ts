import { createHmac } from 'node:crypto';
import type { PanelEvent } from '../events/schemas.ts';
import { type ChannelType, jsonFile } from './channel.ts';
import { postToWebhook } from './post.ts';

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
