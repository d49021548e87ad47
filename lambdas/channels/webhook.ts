import { type ChannelType, jsonFile } from './channel.ts';
import { postToWebhook } from './post-to-webhook.ts';
import { webhookMessage } from './webhook-message.ts';

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
    await postToWebhook(sending, {
      service: 'webhook',
      body: ({ key }) => webhookMessage(event, { key, id, now }),
    });
  },
};
