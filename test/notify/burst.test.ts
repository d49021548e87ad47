import { expect, test } from 'vitest';
import { mailSubject, mailText } from '../../lambdas/messages/mail-text.ts';
import { everythingKept as privacy } from '../../lambdas/messages/privacy.ts';
import { breast, turnedGreen } from '../messages/events.ts';
import { createDeliveryHarness, type DeliveryHarness, over } from './delivery-harness.ts';

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
  await clock.drive(clock.sleep(3_600_000));
}

test('changes of far more panels than ever before are one message, which says so', async () => {
  const harness = createDeliveryHarness(over('lab'));
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
  const harness = createDeliveryHarness(over('lab'));
  await changed(harness, 20);
  await changed(harness, 40);
  expect(harness.arrived.splice(0)).toHaveLength(60);
  const own = harness.notifier({ subscriptions: [{ ...over('new'), name: 'new-genes' }] });
  await changed({ ...harness, notifier: () => own }, 40);
  expect(harness.arrived.filter(({ channel }) => channel === 'slack:new')).toHaveLength(40);
});

test('what is usual in one catalogue is a burst in another', async () => {
  const harness = createDeliveryHarness(over('lab'));
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
