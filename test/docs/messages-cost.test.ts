import { expect, test } from 'vitest';
import { createNotifyHarness, planOf, subscriptionOf } from '../notify/notify-harness.ts';
import { turnedGreen } from '../words/events.ts';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/guides/costs.md');

/** The reads and writes of a store, as DynamoDB counts them: each call is one request. */
function counting(channels: number) {
  const subscriptions = Array.from({ length: channels }, (_, at) =>
    subscriptionOf({ name: `lab-${at}`, when: { kind: 'at-once', settleMinutes: 0 } }),
  );
  const harness = createNotifyHarness({
    ...planOf(...subscriptions),
    operations: { zone: 'UTC', channels: [] },
  });
  const requests = { reads: 0, writes: 0 };
  const { get, list, create, replace, put, remove } = harness.store;
  const counted =
    <Given extends readonly unknown[], Value>(
      kind: keyof typeof requests,
      call: (...given: Given) => Value,
    ) =>
    (...given: Given): Value => {
      requests[kind] += 1;
      return call(...given);
    };
  Object.assign(harness.store, {
    get: counted('reads', get),
    list: counted('reads', list),
    create: counted('writes', create),
    replace: counted('writes', replace),
    put: counted('writes', put),
    remove: counted('writes', remove),
  });
  const notifier = harness.notifier();
  return {
    /** What a run that is started each minute asks of the store, and the measure after it. */
    async run(): Promise<typeof requests> {
      Object.assign(requests, { reads: 0, writes: 0 });
      await notifier.run();
      await notifier.oldestUnsentSeconds();
      return { ...requests };
    },
    /** The requests from an event's arrival until its message is sent. */
    async send(): Promise<typeof requests> {
      Object.assign(requests, { reads: 0, writes: 0 });
      await notifier.receive(turnedGreen({ time: new Date(harness.clock.now()).toISOString() }));
      await notifier.run();
      expect(harness.sent).toHaveLength(channels);
      return { ...requests };
    },
  };
}

test('the costs count what an idle run of messages reads, and that it writes nothing', async () => {
  const idle = async (channels: number) => {
    const counted = counting(channels);
    await counted.run();
    return counted.run();
  };
  const [one, two] = [await idle(1), await idle(2)];
  expect([one.writes, two.writes]).toEqual([0, 0]);
  expect(prose).toContain(`${two.reads - one.reads} a minute for each channel`);
});

test('the costs count what a message writes', async () => {
  const counted = counting(1);
  await counted.run();
  const { writes } = await counted.send();
  expect(prose).toContain(`${writes} a message`);
});
