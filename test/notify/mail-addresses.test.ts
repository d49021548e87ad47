import { ListSubscriptionsByTopicCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../lambdas/channels/channel-settings.ts';
import { goneMailAddresses, mailAddressState, publishToTopics } from '../../lambdas/notify/mail-addresses.ts';
import { jsonLog, silentLog } from '../../lambdas/run/log.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { planOf, subscriptionOf } from './notify-harness.ts';

const arn = 'arn:aws:sns:eu-west-2:123456789012:panels-mail-greens:1';
const mail = (Endpoint: string, SubscriptionArn = arn) => ({ Protocol: 'email', Endpoint, SubscriptionArn });

/** SNS that lists these subscriptions, one on each page. */
function start(...subscriptions: readonly ReturnType<typeof mail>[]) {
  const client = new SNSClient({ region: 'eu-west-2' });
  const sns = mockClient(client);
  sns.on(ListSubscriptionsByTopicCommand).callsFake(({ NextToken = '0' }) => {
    const place = Number(NextToken);
    return {
      Subscriptions: subscriptions.slice(place, place + 1),
      ...(place + 1 < subscriptions.length && { NextToken: String(place + 1) }),
    };
  });
  sns.on(PublishCommand).resolves({});
  const published = () => sns.commandCalls(PublishCommand).length;
  return { sns: client, published };
}

describe('an address of a topic', () => {
  test.each([
    ['confirmed', 'confirmed', [mail('b@example.org'), mail('A@Example.org')]],
    ['not confirmed yet', 'unconfirmed', [mail('a@example.org', 'PendingConfirmation')]],
    ['ended by a link', 'missing', [mail('a@example.org', 'Deleted'), mail('b@example.org')]],
    ['of another kind', 'missing', [{ ...mail('a@example.org'), Protocol: 'email-json' }]],
    ['of a topic without subscriptions', 'missing', []],
  ] as const)('that is %s is found so', async (_what, expected, subscriptions) => {
    const { sns } = start(...subscriptions);
    expect(await mailAddressState('a@example.org', { sns, topicArn: 'arn:' })).toBe(expected);
  });
});

describe('a mail to an address', () => {
  const send = (sns: SNSClient): Promise<string> =>
    publishToTopics({ sns, prefix: 'arn:aws:sns:eu-west-2:123456789012:panels-' })(
      { topic: 'mail', subscription: 'greens', text: 'BRCA1', subject: 'BRCA1', address: 'a@example.org' },
      { signal: new AbortController().signal },
    );

  test('that is subscribed is published', async () => {
    const { sns, published } = start(mail('a@example.org'));
    await send(sns);
    expect(published()).toBe(1);
  });

  test.each([
    ['whose subscription vanished', [], /not subscribed to its topic any more.*"mail-addresses-gone"/],
    ['that never confirmed', [mail('a@example.org', 'PendingConfirmation')], /has not confirmed the mail/],
  ])('%s is not sent, so that it is kept and sent later', async (_what, subscriptions, expected) => {
    const { sns, published } = start(...subscriptions);
    await expect(send(sns)).rejects.toThrow(expected);
    expect(published()).toBe(0);
  });
});

describe('the addresses that get nothing', () => {
  const channels: readonly Channel[] = ['a@example.org', 'b@example.org'].map((to) => ({
    kind: 'email',
    to,
    privacy: everythingKept,
  }));
  const plan = planOf(subscriptionOf({ channels }));
  const prefix = 'arn:aws:sns:eu-west-2:123456789012:panels-';

  test('are counted, that of alarms too, and named in the log by subscription alone', async () => {
    const { sns } = start(mail('b@example.org'));
    const lines: string[] = [];
    const log = jsonLog(
      (line) => void lines.push(line),
      () => 0,
    );
    const options = { sns, prefix, alarmEmail: 'it@example.org', log };
    expect(await goneMailAddresses(plan, options)).toBe(2);
    expect(lines.map((line) => JSON.parse(line).of)).toEqual(['green-genes', 'alarms']);
    expect(lines.join()).not.toContain('@');
  });

  test('are none where all are subscribed', async () => {
    const { sns } = start(mail('a@example.org'), mail('b@example.org'));
    const options = { sns, prefix, alarmEmail: undefined, log: silentLog };
    expect(await goneMailAddresses(plan, options)).toBe(0);
  });
});
