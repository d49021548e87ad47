import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Item, number, text } from '../dynamodb/attribute-values.ts';
import { queryItems } from '../dynamodb/query-items.ts';
import { wasWritten } from '../dynamodb/was-written.ts';
import type { OutboxItem, OutboxStore } from './outbox-store.ts';

interface DynamodbOutboxOptions {
  readonly dynamodb: DynamoDBClient;
  /** A table with the keys `pk` and `sk`, and `expires` as its time to live. */
  readonly table: string;
  /** Milliseconds since the epoch: an expired item stays readable for days. */
  readonly now: () => number;
}

/** The outbox in the state's table; its partitions begin with `notify#`. */
export function dynamodbOutbox({ dynamodb, table: TableName, now }: DynamodbOutboxOptions): OutboxStore {
  const keyOf = (partition: string, id: string) => ({ pk: text(partition), sk: text(id) });
  const put = async (
    item: Omit<OutboxItem, 'version'>,
    version: number,
    condition: object,
  ): Promise<boolean> => {
    const Item = {
      ...keyOf(item.partition, item.id),
      version: number(version),
      value: text(JSON.stringify(item.value ?? null)),
      ...(item.expires !== undefined && { expires: number(item.expires) }),
    };
    return wasWritten(() => dynamodb.send(new PutItemCommand({ TableName, Item, ...condition })));
  };
  const read = (item: Item | undefined): OutboxItem | null => {
    if (!item?.pk?.S || !item.sk?.S) return null;
    const expires = item.expires?.N === undefined ? undefined : Number(item.expires.N);
    if (expires !== undefined && expires * 1000 <= now()) return null;
    const value: unknown = JSON.parse(item.value?.S ?? 'null');
    const version = Number(item.version?.N ?? 0);
    return { partition: item.pk.S, id: item.sk.S, version, value, ...(expires !== undefined && { expires }) };
  };
  return {
    async get(partition, id) {
      const { Item } = await dynamodb.send(
        new GetItemCommand({ TableName, Key: keyOf(partition, id), ConsistentRead: true }),
      );
      return read(Item);
    },
    async list(partition, prefix) {
      const items = queryItems(dynamodb, {
        TableName,
        KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: {
          ':pk': text(partition),
          ...(prefix !== '' && { ':prefix': text(prefix) }),
        },
        ConsistentRead: true,
      });
      const found: OutboxItem[] = [];
      for await (const item of items) {
        const kept = read(item);
        if (kept) found.push(kept);
      }
      return found;
    },
    create: (item) =>
      put(item, 1, {
        ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
        ExpressionAttributeValues: { ':now': number(Math.floor(now() / 1000)) },
      }),
    replace: (item) =>
      put(item, item.version + 1, {
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': number(item.version) },
      }),
    async remove(partition, id) {
      await dynamodb.send(new DeleteItemCommand({ TableName, Key: keyOf(partition, id) }));
    },
  };
}
