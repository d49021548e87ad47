import { expect, test } from 'vitest';
import { takeBatch } from '../../lambdas/notify/notifier.ts';
import { jsonLog, silentLog } from '../../lambdas/run/log.ts';
import { turnedGreen } from '../words/events.ts';
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
    AlarmName: 'panels-test-uk-no-successful-poll',
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
  expect(harness.headlines().toSorted()).toStrictEqual([
    'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    'No changes from catalogue uk since 11:55: the notifier cannot read it',
  ]);
});

test.each([
  ['has no data of its type', { ...turnedGreen(), data: { catalogue: 'uk', change: {} } }],
  [
    'has a change of another type',
    { ...turnedGreen(), data: { ...turnedGreen().data, change: { kind: 'promoted', to: 'green' } } },
  ],
  ['has a time that is none', { ...turnedGreen(), time: 'yesterday' }],
])(
  'a record that %s stays in the queue alone, and holds up no other of its panel',
  async (_title, poison) => {
    const harness = createNotifyHarness(plan);
    const notifier = harness.notifier();
    const Records = [record('poison', poison), record('event', turnedGreen({ gene: 'PALB2' }))];
    expect(await takeBatch({ Records }, { notifier, plan, log: silentLog })).toStrictEqual({
      batchItemFailures: [{ itemIdentifier: 'poison' }],
    });
    harness.clock.pass(3_600_000);
    await notifier.run();
    expect(harness.headlines()).toStrictEqual([expect.stringContaining('PALB2 is now green')]);
  },
);

test('a letter of a subscription that is gone is named in the log', async () => {
  const harness = createNotifyHarness(plan);
  const lines: string[] = [];
  const deadLetter = { delivery: 'd1', subscription: 'renamed', channel: 'slack:lab', reason: 'gone' };
  const log = jsonLog((line) => void lines.push(line), harness.clock.now);
  await takeBatch(
    { Records: [record('letter', { deadLetter })] },
    { notifier: harness.notifier(), plan, log },
  );
  expect(lines.join()).toMatch(/not kept here.*renamed/);
});

test('a letter that comes back is sent again', async () => {
  const harness = createNotifyHarness(plan);
  await harness.notifier().receive(turnedGreen());
  harness.onSend = () => {
    throw new Error('gone');
  };
  await harness.notifier().run();
  await harness.runAfter(25 * 3_600_000);
  harness.onSend = () => {};
  const Records = [record('letter', harness.letters[0])];
  expect(await takeBatch({ Records }, { notifier: harness.notifier(), plan, log: silentLog })).toStrictEqual({
    batchItemFailures: [],
  });
  await harness.notifier().run();
  expect(harness.sent).toHaveLength(1);
});
