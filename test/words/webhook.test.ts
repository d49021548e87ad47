import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { webhookMessage } from '../../lambdas/channels/post.ts';
import { turnedGreen } from './events.ts';

const key = `whsec_${Buffer.from('a key of the tests, of 32 bytes.').toString('base64')}`;

test('a receiver can verify the signature, and sees the same id when the event is sent again', () => {
  const event = turnedGreen();
  const now = Date.now;
  const { json, headers } = webhookMessage(event, { key, id: 'one', now: now() });
  expect(new Webhook(key).verify(json, { ...headers })).toStrictEqual(event);
  expect(headers).toMatchObject({
    'webhook-id': 'one',
    'content-type': expect.stringContaining('cloudevents+json'),
  });
  expect(() => new Webhook(key).verify(json.replace('BRCA1', 'BRCA2'), { ...headers })).toThrow();
});

test('without a key there is no signature', () => {
  const { headers } = webhookMessage(turnedGreen(), { id: 'one', now: 0 });
  expect(headers).not.toHaveProperty('webhook-signature');
});
