import { expect, test } from 'vitest';
import { silentLog } from '../../lambdas/log/log.ts';
import { takeBatch } from '../../lambdas/notify/take-batch.ts';
import { turnedGreen } from '../messages/events.ts';
import { planOf, stageOf, subscriptionOf, webhook } from './stage.ts';

const plan = planOf(subscriptionOf({ channels: [webhook] }));
const record = (messageId: string, body: unknown) => ({
  messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('a message that is unknown or damaged stays in the queue, and the others do not come again', async () => {
  const stage = stageOf(plan);
  const notifier = stage.notifier();
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
  expect(stage.headlines()).toStrictEqual([
    'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    'No changes from catalogue uk since 11:55: the notifier cannot read it',
  ]);
});

test('a letter that comes back is sent again', async () => {
  const stage = stageOf(plan);
  await stage.notifier().receive(turnedGreen());
  stage.onSend = () => {
    throw new Error('gone');
  };
  await stage.notifier().run();
  stage.clock.pass(25 * 3_600_000);
  await stage.notifier().run();
  stage.onSend = () => {};
  const Records = [record('letter', stage.letters[0])];
  expect(await takeBatch({ Records }, { notifier: stage.notifier(), plan, log: silentLog })).toStrictEqual({
    batchItemFailures: [],
  });
  await stage.notifier().run();
  expect(stage.sent).toHaveLength(1);
});
