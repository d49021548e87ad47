import { PublishBatchCommand } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { createPublisher, createSnsClient } from '../../lambdas/publishing/publisher.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createTestClock } from '../run/test-clock.ts';

/** Failures of the SDK itself, which no endpoint can cause. */

const topicArns = Object.fromEntries(
  topics.map((topic) => [topic, `arn:aws:sns:eu-west-2:000000000000:${topic}`]),
) as Record<(typeof topics)[number], string>;

const message = (body: string): Message => ({ id: body, topic: 'tags', body, attributes: {} });

function start() {
  const client = createSnsClient({ region: 'eu-west-2' });
  const sns = mockClient(client);
  const clock = createTestClock({ random: () => 0.5 });
  const { publish } = createPublisher({ sns: client, topicArns, clock, log: silentLog });
  const entriesSent = () =>
    sns
      .commandCalls(PublishBatchCommand)
      .map(({ args: [{ input }] }) =>
        input.PublishBatchRequestEntries?.map(({ Id, Message }) => `${Id}${Message}`),
      );
  return { sns, publish, waits: clock.sleeps, entriesSent };
}

const named = (name: string, text = 'failed'): Error => Object.assign(new Error(text), { name });

describe('publishing', () => {
  test.each([
    ['no credentials on this machine', named('CredentialsProviderError'), 'denied'],
    ['an expired session', named('ExpiredTokenException'), 'denied'],
    ['something that is not an error', 'odd', 'refused'],
  ])('stops at once for %s', async (_what, failure, code) => {
    const { sns, publish, waits } = start();
    sns.on(PublishBatchCommand).callsFake(() => Promise.reject(failure));
    await expect(publish([message('a')])).rejects.toMatchObject({ code, topic: 'tags' });
    expect(waits).toEqual([]);
  });

  test('sends again after an error without a status or a known name', async () => {
    const { sns, publish, waits } = start();
    sns
      .on(PublishBatchCommand)
      .rejectsOnce(named('TypeError', 'terminated'))
      .resolves({ Successful: [{ Id: '0', MessageId: 'm' }] });
    expect(await publish([message('a')])).toEqual([]);
    expect(waits).toEqual([100]);
  });

  test('sends again every message that a response without lists, or with foreign ids, does not mention', async () => {
    const { sns, publish, entriesSent } = start();
    sns
      .on(PublishBatchCommand)
      .resolvesOnce({})
      .resolvesOnce({ Successful: [{ Id: '7', MessageId: 'm' }, { MessageId: 'm' }] })
      .resolvesOnce({ Successful: [{ Id: '1', MessageId: 'm' }] })
      .resolves({ Successful: [{ Id: '0', MessageId: 'm' }] });
    expect(await publish([message('a'), message('b')])).toEqual([]);
    expect(entriesSent()).toEqual([['0a', '1b'], ['0a', '1b'], ['0a', '1b'], ['0a']]);
  });

  test('takes a message that a response lists as accepted and as failed for accepted', async () => {
    const { sns, publish, entriesSent } = start();
    sns.on(PublishBatchCommand).resolves({
      Successful: [{ Id: '0', MessageId: 'm' }],
      Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }],
    });
    expect(await publish([message('a')])).toEqual([]);
    expect(entriesSent()).toHaveLength(1);
  });
});
