import { expect, test } from 'vitest';
import { WebhookError } from '../../lambdas/catalogue/http/post-json.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { createDeliveryHarness, hangs, over, refuses } from './delivery-harness.ts';

const MINUTE = 60_000;
const DAYS = Number(process.env.SOAK_DAYS ?? 2);

/** A failure of an exchange, as `postJson` reports it. */
const failure = (
  condition: 'TIMED_OUT' | 'CONNECTION_LOST' | 'NOT_BEFORE',
  notBefore?: number,
): WebhookError =>
  new WebhookError({
    ...{ condition, action: 'Sending POST to the webhook', seen: 'a test' },
    ...(notBefore !== undefined && { notBefore }),
  });

test(`days with every bad receiver at once: good channels get all in time, what others lack is listed`, async () => {
  const bad = ['hangs', 'refuses', 'asks-to-wait', 'slow-then-lost', 'broken', 'stops-at-the-limit'] as const;
  const good = ['good-1', 'good-2', 'slow'] as const;
  const harness = createDeliveryHarness(over(...bad, ...good));
  const { clock, receivers } = harness;
  const set = (name: string, receiver: typeof hangs) => receivers.set(`slack:${name}`, receiver);
  set('hangs', hangs);
  set('refuses', refuses);
  set('asks-to-wait', async () => {
    throw failure('NOT_BEFORE', clock.now() + 30 * MINUTE);
  });
  set('slow-then-lost', async (_message, { signal }) => {
    await clock.sleep(15_000, signal);
    throw failure('CONNECTION_LOST');
  });
  set('broken', () => {
    throw new TypeError('The sender itself is broken');
  });
  set('stops-at-the-limit', (_message, { signal }) => clock.sleep(60_000, signal));
  set('slow', (_message, { signal }) => clock.sleep(12_000, signal));

  const made = new Map<string, number>();
  const life = async (): Promise<void> => {
    for (let minute = 0; minute < DAYS * 24 * 60; minute += 1) {
      const begun = clock.now();
      const notifier = harness.notifier({ runId: `run-${minute}` });
      if (minute % 90 === 0) {
        const id = `event-${minute}`;
        const panel = { ...breast, id: 1 + (minute % 7) };
        made.set(id, begun);
        await notifier.receive(turnedGreen({ id, panel, time: new Date(begun).toISOString() }));
      }
      await notifier.run({ deadline: begun + 2 * MINUTE });
      await clock.sleep(Math.max(1, MINUTE - (clock.now() - begun)));
    }
  };
  await clock.drive(life());

  for (const name of good) {
    const own = harness.arrived.filter(({ channel }) => channel === `slack:${name}`);
    expect(own.map(({ message }) => message.event?.id)).toStrictEqual([...made.keys()]);
    const delays = own.map(({ message, at }) => at - (made.get(message.event?.id ?? '') ?? 0));
    expect(Math.max(...delays)).toBeLessThanOrEqual(MINUTE);
  }
  const listed = await harness.notifier().kept.list();
  for (const name of bad) {
    const own = listed.filter(({ channel }) => channel === `slack:${name}`);
    expect(own).toHaveLength(made.size);
    expect(own.filter(({ state }) => state === 'set-aside').length).toBeGreaterThan(made.size / 4);
    expect(own.every(({ reason }) => reason !== null)).toBe(true);
  }

  // All receivers work again: everything arrives, and nothing is left.
  receivers.clear();
  const before = harness.arrived.length;
  const recovery = async (): Promise<void> => {
    for (let hour = 0; hour < 16; hour += 1) {
      await harness.notifier({ runId: `recovery-${hour}` }).run();
      await clock.sleep(60 * MINUTE);
    }
  };
  await clock.drive(recovery());
  expect(harness.arrived.length - before).toBe(bad.length * made.size);
  expect(await harness.notifier().kept.list()).toStrictEqual([]);
}, 300_000);
