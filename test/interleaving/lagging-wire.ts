import type { DynamoDbWire } from './dynamodb-in-process.ts';
import type { FaultCounts } from './faulty-dynamodb.ts';

interface Change {
  readonly table: string;
  readonly key: object;
}

interface Operation {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Item?: Keys;
  readonly Key?: Keys;
  readonly RequestItems?: Record<string, readonly Batched[]>;
}

interface Keys {
  readonly pk: unknown;
  readonly sk: unknown;
}

interface Batched {
  readonly PutRequest?: { readonly Item: Keys };
  readonly DeleteRequest?: { readonly Key: Keys };
}

/** Tables with a replica that answers every weak read, and shows a change only some time after it was made. */
interface LaggingWire {
  readonly wire: DynamoDbWire;
  /** Shows the oldest changes in the replica; all where `count` is absent. */
  catchUp(count?: number): Promise<void>;
}

const replicaOf = (table: string): string => `${table}-replica`;
const keysOf = ({ pk, sk }: Keys) => ({ pk, sk });

/** Makes the weak reads of DynamoDB's protocol lag. Tables have to be created through it. */
export function laggingWire(inner: DynamoDbWire, counts: FaultCounts): LaggingWire {
  const behind: Change[] = [];

  const changesOf = ({ TableName: table = '', Item, Key, RequestItems }: Operation): readonly Change[] => {
    if (RequestItems) {
      return Object.entries(RequestItems).flatMap(([name, requests]) =>
        requests.flatMap(({ PutRequest, DeleteRequest }) => {
          const keys = PutRequest?.Item ?? DeleteRequest?.Key;
          return keys ? [{ table: name, key: keysOf(keys) }] : [];
        }),
      );
    }
    const keys = Item ?? Key;
    return keys ? [{ table, key: keysOf(keys) }] : [];
  };

  const show = async ({ table, key }: Change): Promise<void> => {
    const found = await inner(
      'GetItem',
      JSON.stringify({ TableName: table, Key: key, ConsistentRead: true }),
    );
    const { Item } = JSON.parse(found.body) as { readonly Item?: object };
    const TableName = replicaOf(table);
    if (Item) await inner('PutItem', JSON.stringify({ TableName, Item }));
    else await inner('DeleteItem', JSON.stringify({ TableName, Key: key }));
  };

  return {
    async wire(operation, body) {
      if (operation === 'BatchGetItem' || operation === 'DescribeTable') return inner(operation, body);
      const given = JSON.parse(body) as Operation;
      if (operation === 'CreateTable') {
        await inner(operation, JSON.stringify({ ...given, TableName: replicaOf(given.TableName ?? '') }));
      }
      if (operation === 'GetItem' || operation === 'Query') {
        if (given.ConsistentRead && given.IndexName === undefined) return inner(operation, body);
        counts['replica read'] += 1;
        return inner(operation, JSON.stringify({ ...given, TableName: replicaOf(given.TableName ?? '') }));
      }
      const reply = await inner(operation, body);
      if (reply.status === 200 && /^(PutItem|UpdateItem|DeleteItem|BatchWriteItem)$/.test(operation)) {
        behind.push(...changesOf(given));
      }
      return reply;
    },
    async catchUp(count = behind.length) {
      const shown = behind.splice(0, count);
      for (const change of shown) await show(change);
    },
  };
}
