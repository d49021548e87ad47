import { describe, expect, test } from 'vitest';
import { turnedGreen } from '../words/events.ts';
import { createDeliveryHarness, type DeliveryHarness, over, refuses } from './delivery-harness.ts';

const HOUR = 3_600_000;

/** Runs every hour for some hours. */
async function hours({ clock, notifier }: DeliveryHarness, count: number): Promise<void> {
  const own = notifier();
  await clock.drive(
    (async () => {
      for (let hour = 0; hour < count; hour += 1) {
        await own.run();
        await clock.sleep(HOUR);
      }
    })(),
  );
}

/** A message that was set aside after a day of attempts. */
async function setAside(): Promise<DeliveryHarness> {
  const harness = createDeliveryHarness(over('lab'));
  harness.receivers.set('slack:lab', refuses);
  await harness.notifier().receive(turnedGreen({ id: 'event-1' }));
  await hours(harness, 26);
  expect(await harness.notifier().backlog()).toMatchObject({ setAside: 1, failing: 0 });
  return harness;
}

describe('a message that is set aside', () => {
  test('is tried again twice a day, by one attempt, and is kept for months', async () => {
    const harness = await setAside();
    const before = harness.attempts.get('slack:lab') ?? 0;
    await hours(harness, 60 * 24);
    const own = (harness.attempts.get('slack:lab') ?? 0) - before;
    expect(own).toBeGreaterThan(90);
    expect(own).toBeLessThanOrEqual(121);
    expect(harness.letters).toHaveLength(1);
    harness.receivers.clear();
    await hours(harness, 14);
    expect(harness.arrived.map(({ message }) => message.event?.id)).toStrictEqual(['event-1']);
    expect(await harness.notifier().backlog()).toStrictEqual({
      setAside: 0,
      failing: 0,
      begun: 0,
      orphaned: [],
    });
  });

  test('is sent as soon as its channel takes another message', async () => {
    const harness = await setAside();
    harness.receivers.clear();
    await harness.notifier().receive(turnedGreen({ gene: 'PALB2', id: 'event-2' }));
    await harness.clock.drive(harness.notifier().run());
    await harness.clock.drive(harness.notifier().run());
    expect(harness.arrived.map(({ message }) => message.event?.id)).toStrictEqual(['event-2', 'event-1']);
  });

  test('is listed with its events and the reason, and sent when a person says so', async () => {
    const harness = await setAside();
    const { kept } = harness.notifier();
    const [only] = await kept.list();
    expect(only).toMatchObject({
      subscription: 'green-genes',
      channel: 'slack:lab',
      state: 'set-aside',
      content: { kind: 'events', events: ['event-1'] },
      reason: 'The webhook answered 410',
      orphaned: false,
    });
    harness.receivers.clear();
    expect(await kept.send(only?.id ?? '')).toBe(true);
    await harness.clock.drive(harness.notifier().run());
    expect(harness.arrived).toHaveLength(1);
    expect(await kept.send(only?.id ?? '')).toBe(false);
  });

  test('is gone for good when a person drops it, also where the queue delivers its event again', async () => {
    const harness = await setAside();
    const { kept } = harness.notifier();
    const [only] = await kept.list();
    expect(await kept.drop(only?.id ?? '')).toBe(true);
    harness.receivers.clear();
    await harness.notifier().receive(turnedGreen({ id: 'event-1' }));
    await hours(harness, 48);
    expect(harness.arrived).toStrictEqual([]);
    expect(await kept.list()).toStrictEqual([]);
  });

  test('adds nothing to the partition that each run lists', async () => {
    const harness = await setAside();
    expect(await harness.store.list('notify#green-genes#slack:lab', 'event#')).toStrictEqual([]);
    expect(await harness.store.list('notify#green-genes#slack:lab', 'failed#')).toStrictEqual([]);
  });
});

describe('a message that was sent', () => {
  test('is listed for 30 days with the answer, and sent again when a person asks for it', async () => {
    const harness = createDeliveryHarness(over('lab'));
    await harness.notifier().receive(turnedGreen({ id: 'event-1' }));
    await hours(harness, 1);
    const { kept } = harness.notifier();
    const [only] = await kept.sent();
    expect(only).toMatchObject({
      ...{ subscription: 'green-genes', channel: 'slack:lab', answer: 'HTTP 200' },
      headline: expect.stringContaining('BRCA1 is now green on'),
    });
    expect(await kept.list()).toStrictEqual([]);
    await hours(harness, 48);
    expect(await kept.send(only?.id ?? '')).toBe(false);
    expect(await kept.repeat(only?.id ?? '')).toBe(true);
    expect(await kept.sent()).toStrictEqual([]);
    await hours(harness, 1);
    const [first, again] = harness.arrived.map(({ message }) => message);
    expect(harness.arrived).toHaveLength(2);
    expect(again?.notice.headline).toStrictEqual(first?.notice.headline);
    expect(again?.notice.footer).toContain('Sent again because somebody asked for it.');
    expect(JSON.stringify(again?.notice.blocks)).toMatch(/As known on .*this message was sent then already/);
    // A mail program would hide a mail that it has under the same id.
    expect(again?.id).not.toBe(first?.id);
    expect(await kept.sent()).toHaveLength(1);
    await hours(harness, 31 * 24);
    expect(await kept.sent()).toStrictEqual([]);
    expect(await kept.repeat(only?.id ?? '')).toBe(false);
  });

  test('is tried for a day when it is asked for again, and then set aside', async () => {
    const harness = createDeliveryHarness(over('lab'));
    await harness.notifier().receive(turnedGreen({ id: 'event-1' }));
    await hours(harness, 49);
    const { kept } = harness.notifier();
    const [only] = await kept.sent();
    harness.receivers.set('slack:lab', refuses);
    await kept.repeat(only?.id ?? '');
    await hours(harness, 20);
    expect(await kept.list()).toMatchObject([{ id: only?.id, state: 'failing' }]);
    await hours(harness, 10);
    expect(await kept.list()).toMatchObject([{ id: only?.id, state: 'set-aside' }]);
    harness.receivers.clear();
    await hours(harness, 14);
    expect(harness.arrived).toHaveLength(2);
  });
});

describe('messages of a channel that the settings no longer have', () => {
  async function orphaned(): Promise<DeliveryHarness> {
    const harness = createDeliveryHarness(over('old'));
    harness.receivers.set('slack:old', refuses);
    await hours(harness, 1);
    await harness.notifier().receive(turnedGreen({ id: 'event-1' }));
    await hours(harness, 1);
    await harness.notifier().receive(turnedGreen({ gene: 'PALB2', id: 'event-2' }));
    return harness;
  }

  test('are named in the log and in the list, with what to do', async () => {
    const harness = await orphaned();
    const notifier = harness.notifier({ subscriptions: [over('new')] });
    await harness.clock.drive(notifier.run());
    expect(harness.logged.join('\n')).toMatch(/the settings no longer have.*messages move.*slack:old/s);
    expect(await notifier.kept.list()).toMatchObject([
      { channel: 'slack:old', orphaned: true },
      { channel: 'slack:old', orphaned: true },
    ]);
  });

  test('are found where no run had sent anything before the channel was replaced', async () => {
    const harness = createDeliveryHarness(over('old'));
    await harness.notifier().receive(turnedGreen({ id: 'event-1' }));
    const { kept } = harness.notifier({ subscriptions: [over('new')] });
    expect(await kept.list()).toMatchObject([{ channel: 'slack:old', orphaned: true }]);
  });

  test('count as unsent for the alarms, which name the channel', async () => {
    const harness = await orphaned();
    const notifier = harness.notifier({ subscriptions: [over('new')] });
    expect(await notifier.backlog()).toMatchObject({ orphaned: ['green-genes/slack:old'] });
    await harness.clock.drive(harness.clock.sleep(3 * HOUR));
    expect(await notifier.oldestUnsentSeconds()).toBeGreaterThanOrEqual(3 * 3600);
  });

  test('are sent by the channel that a person hands them to', async () => {
    const harness = await orphaned();
    const notifier = harness.notifier({ subscriptions: [over('new')] });
    const from = { subscription: 'green-genes', channel: 'slack:old' };
    const to = { subscription: 'green-genes', channel: 'slack:new' };
    expect(await notifier.kept.move(from, { ...to, channel: 'slack:other' })).toBeNull();
    expect(await notifier.kept.move(from, to)).toBe(2);
    await harness.clock.drive(notifier.run());
    await harness.clock.drive(notifier.run());
    const shown = harness.arrived.map(({ message }) => JSON.stringify(message.notice)).join();
    expect(shown).toContain('BRCA1');
    expect(shown).toContain('PALB2');
    expect(await notifier.kept.list()).toStrictEqual([]);
  });
});

test('an event that was sent is not sent again where its run ended before it was marked', async () => {
  const harness = createDeliveryHarness(over('lab'));
  const event = turnedGreen({ id: 'event-1' });
  const { create } = harness.store;
  // The run ends between storing the event and marking it as taken in.
  harness.store.create = async (item) => {
    if (item.partition.endsWith('#marks')) throw new Error('The run ended');
    return create(item);
  };
  await expect(harness.notifier().receive(event)).rejects.toThrow('The run ended');
  harness.store.create = create;
  await harness.clock.drive(harness.notifier().run());
  await harness.notifier().receive(event);
  await harness.clock.drive(harness.notifier().run());
  expect(harness.arrived).toHaveLength(1);
});

test('a run that was killed keeps its channel for no longer than a run lasts', async () => {
  const harness = createDeliveryHarness(over('lab'));
  await harness.notifier().receive(turnedGreen());
  harness.receivers.set('slack:lab', () => new Promise(() => {}));
  const { clock } = harness;
  const release = harness.store.remove;
  harness.store.remove = async (partition, id) => {
    if (id !== 'lease') await release(partition, id);
  };
  await clock.drive(harness.notifier({ runId: 'killed' }).run({ deadline: clock.now() + 60_000 }));
  harness.store.remove = release;
  harness.receivers.clear();
  await clock.drive(clock.sleep(66_000));
  await clock.drive(harness.notifier({ runId: 'next' }).run());
  expect(harness.arrived).toHaveLength(1);
});

test('a run that finds nothing to do writes nothing, also while a message is set aside', async () => {
  const harness = await setAside();
  const own = harness.notifier();
  await harness.clock.drive(own.run());
  const written: string[] = [];
  const { create, replace, remove } = harness.store;
  const noted =
    <Given extends readonly unknown[], Value>(name: string, write: (...given: Given) => Value) =>
    (...given: Given): Value => {
      written.push(name);
      return write(...given);
    };
  Object.assign(harness.store, {
    create: noted('create', create),
    replace: noted('replace', replace),
    remove: noted('remove', remove),
  });
  for (let run = 0; run < 20; run += 1) {
    expect(await harness.clock.drive(own.run())).toMatchObject({ sent: 0, unsent: 1 });
    await harness.clock.drive(harness.clock.sleep(5_000));
  }
  expect(written).toStrictEqual([]);
});
