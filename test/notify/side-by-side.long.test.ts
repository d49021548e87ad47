import { describe, expect, test } from 'vitest';
import { channelId } from '../../lambdas/channels/channel-settings.ts';
import { turnedGreen } from '../words/events.ts';
import { createDeliveryHarness, hangs, over, refuses } from './delivery-harness.ts';
import { everyChannel, subscriptionOf } from './notify-harness.ts';

const MINUTE = 60_000;
const bad = (count: number): readonly string[] => Array.from({ length: count }, (_, place) => `bad-${place}`);

describe('channels side by side', () => {
  test.each([1, 3, 20])('%d channels that hang delay no message to the others', async (count) => {
    const webhooks = bad(count);
    const harness = createDeliveryHarness(over(...webhooks, 'good'));
    for (const each of webhooks) harness.receivers.set(`slack:${each}`, hangs);
    const notifier = harness.notifier();
    const { clock } = harness;
    const delays: number[] = [];
    const runs = async (): Promise<void> => {
      for (let minute = 0; minute < 120; minute += 1) {
        const taken = clock.now();
        if (minute % 5 === 0) {
          await notifier.receive(turnedGreen({ gene: `GENE${minute}`, id: `event-${minute}` }));
        }
        const before = harness.arrived.length;
        await notifier.run({ deadline: clock.now() + 2 * MINUTE });
        delays.push(...harness.arrived.slice(before).map(({ at }) => at - taken));
        await clock.sleep(Math.max(0, MINUTE - (clock.now() - taken)));
      }
    };
    await clock.drive(runs());
    expect(harness.arrived.map(({ channel }) => channel)).toStrictEqual(Array(24).fill('slack:good'));
    expect(Math.max(...delays)).toBeLessThan(1_000);
    // Each bad channel gets its attempts too: one a run at most, and none of them starves.
    for (const each of webhooks) {
      expect(harness.attempts.get(`slack:${each}`)).toBeGreaterThan(20);
      expect(harness.attempts.get(`slack:${each}`)).toBeLessThanOrEqual(120);
    }
  });

  test('a webhook gets every event at its own pace, while each other channel is slow', async () => {
    const subscription = subscriptionOf({
      channels: everyChannel,
      when: { kind: 'at-once', settleMinutes: 0 },
    });
    const harness = createDeliveryHarness(subscription);
    const { clock } = harness;
    for (const channel of everyChannel)
      if (channel.kind !== 'webhook') harness.receivers.set(channelId(channel), () => clock.sleep(5_000));
    const notifier = harness.notifier();
    for (let panel = 1; panel <= 40; panel += 1) {
      const event = turnedGreen({ id: `event-${panel}` });
      const own = { ...event.data.panel, id: panel };
      await notifier.receive({ ...event, data: { ...event.data, panel: own } as never });
    }
    const begun = clock.now();
    await clock.drive(notifier.run({ deadline: begun + 2 * MINUTE }));
    const delays = harness.arrived
      .filter(({ channel }) => channel.startsWith('webhook:'))
      .map(({ at }) => at - begun);
    expect(delays).toHaveLength(40);
    expect(delays[0]).toBe(0);
    // A tenth of a second between two of them.
    expect(Math.max(...delays)).toBe(3_900);
  });

  test('a channel that took too long rests for the run, though it has more messages', async () => {
    const harness = createDeliveryHarness(over('bad'));
    harness.receivers.set('slack:bad', hangs);
    const notifier = harness.notifier();
    for (const panel of [1, 2, 3]) {
      const event = turnedGreen({ id: `event-${panel}` });
      await notifier.receive({
        ...event,
        data: { ...event.data, panel: { ...event.data.panel, id: panel } as never },
      });
    }
    const begun = harness.clock.now();
    await harness.clock.drive(notifier.run());
    expect(harness.attempts.get('slack:bad')).toBe(1);
    expect(harness.clock.now() - begun).toBe(20_000);
  });

  test('a run states how many messages are unsent, and how old the oldest is', async () => {
    const harness = createDeliveryHarness(over('bad', 'good'));
    harness.receivers.set('slack:bad', refuses);
    const notifier = harness.notifier();
    await notifier.receive(turnedGreen());
    await harness.clock.drive(notifier.run());
    await harness.clock.drive(harness.clock.sleep(30_000));
    expect(await harness.clock.drive(notifier.run())).toMatchObject({ unsent: 1 });
    expect(await notifier.oldestUnsentSeconds()).toBe(30);
    harness.receivers.clear();
    await harness.clock.drive(harness.clock.sleep(MINUTE));
    expect(await harness.clock.drive(notifier.run())).toMatchObject({
      sent: 1,
      unsent: 0,
    });
    expect(await notifier.oldestUnsentSeconds()).toBe(0);
  });
});

describe('a stop', () => {
  test('ends a run at once where a receiver hangs, and keeps the message as one that may have arrived', async () => {
    const harness = createDeliveryHarness(over('bad'));
    const stop = new AbortController();
    harness.receivers.set('slack:bad', () => {
      stop.abort(new Error('stopped'));
      return new Promise(() => {});
    });
    const notifier = harness.notifier();
    await notifier.receive(turnedGreen());
    const begun = harness.clock.now();
    const report = await harness.clock.drive(notifier.run({ signal: stop.signal }));
    expect(report).toMatchObject({ sent: 0, failed: 0, setAside: 0 });
    expect(harness.clock.now()).toBe(begun);
    expect(await notifier.backlog()).toMatchObject({ begun: 1, failing: 0 });
    harness.receivers.clear();
    await harness.clock.drive(harness.notifier().run());
    expect(harness.arrived[0]?.message.notice.footer.at(-1)).toContain('Sent again');
  });
});
