import { expect, test } from 'vitest';
import { silentLog } from '../../lambdas/log/log.ts';
import { takeBatch } from '../../lambdas/notify/take-batch.ts';
import { turnedGreen } from '../messages/events.ts';
import { createNotifyHarness, planOf, subscriptionOf, webhook } from './notify-harness.ts';

const plan = planOf(subscriptionOf({ channels: [webhook] }));
const record = (messageId: string, body: unknown) => ({
  messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('a message that is unknown or damaged stays in the queue, and the others do not come again', async () => {
  const harness = createNotifyHarness(plan);
  const notifier = harness.notifier();
  const alarm = {
    AlarmName: 'panels-test-uk-runs-failing',
    NewStateValue: 'ALARM',
    StateChangeTime: '2026-11-20T11:55:00.000+0000',
  };
  const Records = [
    record('event', turnedGreen()),
    record('damaged', '{"specversion":'),
    record('unknown', { hello: 1 }),
    record('other type', { ...turnedGreen(), type: 'gene-panel.other.v9' }),
    record('alarm', alarm),
    record('alarm of another deployment', { ...alarm, AlarmName: 'other' }),
  ];
  expect(await takeBatch({ Records }, { notifier, plan, log: silentLog })).toStrictEqual({
    batchItemFailures: ['damaged', 'unknown', 'other type'].map((itemIdentifier) => ({ itemIdentifier })),
  });
  await notifier.run();
  expect(harness.headlines()).toStrictEqual([
    'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    'No changes from catalogue uk since 11:55: the notifier cannot read it',
  ]);
});

test('a letter that comes back is sent again', async () => {
  const harness = createNotifyHarness(plan);
  await harness.notifier().receive(turnedGreen());
  harness.onSend = () => {
    throw new Error('gone');
  };
  await harness.notifier().run();
  harness.clock.pass(25 * 3_600_000);
  await harness.notifier().run();
  harness.onSend = () => {};
  const Records = [record('letter', harness.letters[0])];
  expect(await takeBatch({ Records }, { notifier: harness.notifier(), plan, log: silentLog })).toStrictEqual({
    batchItemFailures: [],
  });
  await harness.notifier().run();
  expect(harness.sent).toHaveLength(1);
});
