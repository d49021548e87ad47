import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { Recipient } from './send-lists.ts';

/** Sends the list to a topic, such as one that mails it. */
export const topicRecipient = (client: SNSClient, topicArn: string): Recipient => ({
  name: 'topic',
  send: async ({ subject, text }) => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: text }));
  },
});

/**
 * Posts `{"id", "subject", "text"}`. Incoming webhooks of Slack show `text`.
 *
 * @throws {Error} when the webhook does not answer with a status of success
 */
export const webhookRecipient = (address: string): Recipient => ({
  name: 'webhook',
  send: async ({ subject, text }, id) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, subject, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok)
      throw new Error(`The webhook answered ${response.status}; expected 200. Check its address.`);
  },
});
