import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { everythingKept as privacy } from '../../lambdas/words/privacy.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { createDeliveryHarness, type DeliveryHarness, over } from './delivery-harness.ts';

/** A subscription whose messages have a time to settle. */
const settling = (webhook: string): Subscription => ({
  ...over(webhook),
  when: { kind: 'at-once', settleMinutes: 5 },
});

/** A gene that turns green on each of so many panels. */
async function changed({ notifier, clock }: DeliveryHarness, panels: number, source?: string): Promise<void> {
  const own = notifier();
  for (let id = 1; id <= panels; id += 1) {
    const panel = { ...breast, id, name: `Panel ${id}` };
    const time = new Date(clock.now()).toISOString();
    const event = turnedGreen({ panel, time, id: `${clock.now()}-${id}` });
    await own.receive({ ...event, ...(source !== undefined && { source }) });
  }
  await clock.drive(own.run());
  await clock.drive(clock.sleep(300_000));
  await clock.drive(own.run());
  await clock.drive(clock.sleep(3_600_000));
}

test('changes of far more panels than ever before are one message, which says so', async () => {
  const harness = createDeliveryHarness(settling('lab'));
  await changed(harness, 20);
  expect(harness.arrived.splice(0)).toHaveLength(20);
  await changed(harness, 300);
  const [only, ...others] = harness.arrived.splice(0);
  expect(others).toStrictEqual([]);
  if (!only) throw new Error('No message arrived');
  expect(mailSubject(only.message.notice)).toMatch(/^Unusually many changes: /);
  expect(mailText(only.message.notice)).toContain('This message replaces 300 single ones.');
  expect(mailText(only.message.notice)).toContain('Panel 300');
  await changed(harness, 3);
  expect(harness.arrived.splice(0)).toHaveLength(3);
});

test('what was seen is seen in the catalogue: a new subscription gets as many single messages as the others', async () => {
  const harness = createDeliveryHarness(settling('lab'));
  await changed(harness, 20);
  await changed(harness, 40);
  expect(harness.arrived.splice(0)).toHaveLength(60);
  const own = harness.notifier({ subscriptions: [{ ...settling('new'), name: 'new-genes' }] });
  await changed({ ...harness, notifier: () => own }, 40);
  expect(harness.arrived.filter(({ channel }) => channel === 'slack:new')).toHaveLength(40);
});

test('what is usual in one catalogue is a burst in another', async () => {
  const harness = createDeliveryHarness(settling('lab'));
  await changed(harness, 20);
  await changed(harness, 40);
  harness.arrived.length = 0;
  await changed(harness, 40, 'https://other.example.org/api/v1');
  expect(harness.arrived).toHaveLength(1);
});

test('a program gets every event of a burst', async () => {
  const channels = [{ kind: 'webhook', webhook: 'pipeline', privacy } as const];
  const harness = createDeliveryHarness({ ...over(), channels });
  await changed(harness, 300);
  expect(harness.arrived).toHaveLength(300);
});

describe('without a time to settle', () => {
  test('a few messages a minute go out at once, and the changes of a bulk upload share one', async () => {
    const harness = createDeliveryHarness(over('lab'));
    const own = harness.notifier();
    const upload = async (first: number, last: number): Promise<void> => {
      for (let id = first; id <= last; id += 1) {
        const panel = { ...breast, id, name: `Panel ${id}` };
        await own.receive(turnedGreen({ panel, id: `upload-${id}` }));
      }
      await harness.clock.drive(own.run());
    };
    await upload(1, 3);
    expect(harness.arrived.splice(0)).toHaveLength(3);
    await upload(4, 12);
    await harness.clock.drive(harness.clock.sleep(60_000));
    await upload(13, 20);
    expect(harness.arrived).toHaveLength(0);
    await harness.clock.drive(harness.clock.sleep(241_000));
    await harness.clock.drive(own.run());
    const [only, ...others] = harness.arrived.splice(0);
    expect(others).toStrictEqual([]);
    const text = mailText(only?.message.notice as Notice);
    expect(text).toMatch(/^Changes of 17 panels within a few minutes share this message\./);
    for (let id = 4; id <= 20; id += 1) expect(text).toContain(`Panel ${id} `);
    await harness.clock.drive(harness.clock.sleep(600_000));
    await upload(21, 22);
    expect(harness.arrived).toHaveLength(2);
  });

  test('many changes of one panel, one after the other, are a few messages and then one', async () => {
    const harness = createDeliveryHarness(over('lab'));
    const own = harness.notifier();
    for (let place = 1; place <= 24; place += 1) {
      await own.receive(turnedGreen({ gene: `GENE${place}`, id: `one-panel-${place}` }));
      await harness.clock.drive(own.run());
      await harness.clock.drive(harness.clock.sleep(2_000));
    }
    await harness.clock.drive(harness.clock.sleep(301_000));
    await harness.clock.drive(own.run());
    expect(harness.arrived.length).toBeLessThanOrEqual(10);
    const texts = harness.arrived.map(({ message }) => mailText(message.notice)).join('\n');
    for (let place = 1; place <= 24; place += 1) expect(texts).toMatch(new RegExp(`GENE${place}\\b`));
  });
});
