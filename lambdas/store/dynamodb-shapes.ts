import { number, text } from './attribute-values.ts';
import type { StateTable } from './dynamodb-table.ts';
import type { ShapeCount, StateStore } from './store.ts';

/** How often each wording without a template was seen, an item a wording in a partition of its own. */
export function createDynamoShapes(
  table: StateTable,
  catalogue: string,
): Pick<StateStore, 'countShapes' | 'shapes'> {
  const pk = `${catalogue}#shapes`;
  return {
    async countShapes(shapes, at) {
      for (const [shape, count] of shapes) {
        await table.update({
          Key: { pk: text(pk), sk: text(shape || ' ') },
          UpdateExpression: 'ADD seen :count SET lastAt = :at',
          ExpressionAttributeValues: { ':count': number(count), ':at': number(at) },
        });
      }
    },

    async shapes() {
      const items = table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': text(pk) },
        ConsistentRead: true,
      });
      const shapes: ShapeCount[] = [];
      for await (const { sk, seen, lastAt } of items) {
        shapes.push({ shape: sk?.S ?? '', count: Number(seen?.N), lastAt: BigInt(lastAt?.N ?? 0) });
      }
      return shapes;
    },
  };
}
