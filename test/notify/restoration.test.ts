import { describe, expect, test } from 'vitest';
import { createRestoration } from '../../lambdas/notify/deliver.ts';
import { turnedGreen } from '../words/events.ts';
import { createDeliveryHarness, type DeliveryHarness, over } from './delivery-harness.ts';

const footers = ({ arrived }: DeliveryHarness): readonly boolean[] =>
  arrived.map(({ message }) => JSON.stringify(message.notice.footer).includes('restored from a backup'));

const timeAfter = ({ clock }: DeliveryHarness, minutes: number): string =>
  new Date(clock.now() + minutes * 60_000).toISOString();

describe('a message that goes out after its outbox was restored', () => {
  async function send(harness: DeliveryHarness, place: string, id: string, minutes: number): Promise<void> {
    const notifier = harness.notifier({ place });
    await notifier.receive(turnedGreen({ id, gene: id, time: timeAfter(harness, minutes) }));
    await harness.clock.drive(notifier.run());
    await harness.clock.drive(notifier.run());
  }

  test('from another table says that it may come again, where it is about the time before', async () => {
    const harness = createDeliveryHarness(over('lab'));
    await send(harness, 'notifier', 'BRCA1', -10);
    await send(harness, 'notifier-restored', 'PALB2', -5);
    await send(harness, 'notifier-restored', 'ATM', 5);
    expect(footers(harness)).toStrictEqual([false, true, false]);
  });

  test('from a copy of the file says so too', async () => {
    const harness = createDeliveryHarness(over('lab'));
    const { store, clock } = harness;
    await createRestoration(store, { place: null, now: clock.now }).note();
    await harness.notifier().receive(turnedGreen({ id: 'event-1', time: timeAfter(harness, -5) }));
    await clock.drive(harness.notifier().run());
    expect(footers(harness)).toStrictEqual([true]);
  });
});
