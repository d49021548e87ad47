import type { OutboxItem, OutboxStore } from './outbox-store.ts';

/** Changes the value of an item, again where another run changed it meanwhile; nothing happens where there is none. */
export async function replaceItem(
  store: OutboxStore,
  { partition, id }: Pick<OutboxItem, 'partition' | 'id'>,
  change: (item: OutboxItem) => unknown,
): Promise<void> {
  for (let item = await store.get(partition, id); item; item = await store.get(partition, id)) {
    if (await store.replace({ ...item, value: change(item) })) return;
  }
}
