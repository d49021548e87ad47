import * as z from 'zod';
import { type ItemStore, type KeptItem, readValue, replaceItem } from './items.ts';
import { instantSchema } from './json-schemas.ts';
import type { StateStore } from './store.ts';
import { partitionOf } from './table-keys.ts';

const schema = z.lazy(() => z.object({ count: z.number(), lastAt: instantSchema }));

/** The unknown wordings of one catalogue, counted: items by their shape. */
export function createShapes(
  items: ItemStore,
  catalogue: string,
): Pick<StateStore, 'countShapes' | 'shapes'> {
  const partition = `${partitionOf(catalogue)}#shapes`;
  const countIn = (item: KeptItem) => readValue(item, { schema, place: items.place });
  return {
    async countShapes(shapes, lastAt) {
      for (const [shape, count] of shapes) {
        const key = { partition, id: shape || ' ' };
        const value = { count, lastAt: String(lastAt) };
        if (await items.create({ ...key, value })) continue;
        await replaceItem(items, key, (item) => ({ ...value, count: count + countIn(item).count }));
      }
    },
    shapes: async () => (await items.list(partition)).map((item) => ({ shape: item.id, ...countIn(item) })),
  };
}
