import { expect, test } from 'vitest';
import { createOutbox } from '../../lambdas/notify/outbox.ts';
import { type ItemStore, memoryItems } from '../../lambdas/store/items.ts';
import { turnedGreen } from '../words/events.ts';

const place = { subscription: 'lab', channel: 'slack:lab' };

test('an event that is taken in a second time, more slowly than it is sent, is not sent in another message', async () => {
  let now = Date.UTC(2026, 10, 28);
  const store = memoryItems(() => now);
  const outbox = createOutbox(store, { ...place, now: () => now });
  const [sent, later] = [turnedGreen({ id: 'a1' }), turnedGreen({ id: 'b2' })];
  const sendAll = async (): Promise<readonly (readonly string[])[]> => {
    const events = (await outbox.waiting()).map(({ event }) => event.id);
    if (events.length > 0) await outbox.begin({ kind: 'events', events }, now);
    const messages: (readonly string[])[] = [];
    for (const delivery of await outbox.deliveries()) {
      messages.push((await outbox.events(delivery)).map(({ id }) => id));
      await outbox.finish(delivery, { headline: 'One change', answer: 'ok' });
    }
    return messages;
  };
  // Another run has found no mark of the event, and goes on only once the event was sent.
  const slow: ItemStore = {
    ...store,
    create: async (item) => {
      if (item.id === `event#${sent.id}` && !item.partition.endsWith('#marks')) {
        await outbox.add(sent, now);
        expect(await sendAll()).toEqual([['a1']]);
        now += 60_000;
        await outbox.add(later, now);
      }
      return store.create(item);
    },
  };
  await createOutbox(slow, { ...place, now: () => now }).add(sent, now);
  expect(await sendAll()).toEqual([['b2']]);
  expect(await outbox.waiting()).toEqual([]);
});
