import { hash } from 'node:crypto';
import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import { dynamodbCall, type Item, number, queryItems, text } from './dynamodb-call.ts';
import { inParts, PART_BYTES } from './item-parts.ts';
import type { ItemRange, ItemStore, KeptItem, NewItem } from './items.ts';
import { packBody, unpackBody } from './items.ts';
import { processInBatches } from './process-in-batches.ts';
import { damagedState, StateError } from './state-error.ts';

interface DynamoItemsOptions {
  readonly dynamodb: DynamoDBClient;
  /** A table with the keys `pk` and `sk`, and `expires` as its time to live. */
  readonly table: string;
  /** What is kept, as errors name it: `the messages`. */
  readonly what: string;
  readonly clock: Clock;
}

/** The greatest number of items that DynamoDB takes in one batch, and of large ones: a request has at most 16 MB. */
const WRITE_ITEMS = 25;
const WRITE_LARGE_ITEMS = 5;
const LARGE_BYTES = 100_000;

/** The parts of a large value lie in a partition of its item's own, each under the writer's mark and its number. */
const partsOf = (partition: string, id: string): string => `${partition}#parts#${id}`;
const partKey = (writer: string, part: number): string => `${writer}#${part}`;

/**
 * Items in a table of DynamoDB. Every read is strongly consistent. The parts of a large value are written before the item that
 * names them: a reader never sees half a value, nor parts of two. Parts that a killed run leaves behind are never read.
 */
export function createDynamoItems({
  dynamodb,
  table: TableName,
  what,
  clock,
}: DynamoItemsOptions): ItemStore {
  const place = {
    name: `${what} in table "${TableName}"`,
    repair: 'Restore the table to an earlier time (point-in-time recovery).',
  };
  const unchanged = 'What was kept before is unchanged';
  const attempt = <Reply>(action: 'Reading' | 'Writing', send: () => Promise<Reply>): Promise<Reply> =>
    dynamodbCall(send, { action: `${action} ${place.name}`, unchanged });
  const keyOf = (partition: string, id: string) => ({ pk: text(partition), sk: text(id) });
  const damaged = (id: string, cause: unknown): StateError =>
    damagedState(`"${id}" of ${place.name}`, cause, place.repair);

  const getItem = async (partition: string, id: string): Promise<Item | undefined> => {
    const command = new GetItemCommand({ TableName, Key: keyOf(partition, id), ConsistentRead: true });
    return (await attempt('Reading', () => dynamodb.send(command))).Item;
  };

  async function get(partition: string, id: string): Promise<KeptItem | null> {
    const item = await getItem(partition, id);
    return item ? read(item) : null;
  }

  async function read(item: Item): Promise<KeptItem | null> {
    const [partition, id] = [item.pk?.S ?? '', item.sk?.S ?? ''];
    const expires = item.expires?.N === undefined ? undefined : Number(item.expires.N);
    // DynamoDB deletes what has expired within days.
    if (expires !== undefined && expires * 1000 <= clock.now()) return null;
    const body = item.body?.S ?? item.body?.B ?? (await joined(item, { partition, id }));
    if (body === null) return get(partition, id);
    try {
      const version = Number(item.version?.N ?? 0);
      return { partition, id, version, ...(expires !== undefined && { expires }), value: unpackBody(body) };
    } catch (cause) {
      throw damaged(id, cause);
    }
  }

  /** The parts of a large value; null where the item was replaced since it was read. */
  async function joined(
    { parts, writer }: Item,
    { partition, id }: Pick<KeptItem, 'partition' | 'id'>,
  ): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    for (let part = 0; part < Number(parts?.N ?? 0); part += 1) {
      const piece = (await getItem(partsOf(partition, id), partKey(writer?.S ?? '', part)))?.body?.B;
      if (piece) pieces.push(piece);
      else if ((await getItem(partition, id))?.writer?.S !== writer?.S) return null;
      else throw damaged(id, new Error(`part ${part + 1} of ${parts?.N} is missing`));
    }
    return Buffer.concat(pieces);
  }

  /** The attributes of an item; the parts of a large value are written. */
  async function prepared(item: NewItem, version: number): Promise<Item> {
    const { partition, id, expires, value } = item;
    const body = packBody(value);
    const common = {
      ...keyOf(partition, id),
      version: number(version),
      ...(expires !== undefined && { expires: number(expires) }),
    };
    if (typeof body === 'string') return { ...common, body: text(body) };
    if (body.length <= PART_BYTES) return { ...common, body: { B: body } };
    const writer = hash('sha256', `${clock.random()} ${version} ${hash('sha256', body)}`).slice(0, 32);
    const pieces = inParts(body);
    for (const [part, piece] of pieces.entries()) {
      const Item = {
        ...keyOf(partsOf(partition, id), partKey(writer, part)),
        body: { B: piece },
        ...(expires !== undefined && { expires: number(expires) }),
      };
      await attempt('Writing', () => dynamodb.send(new PutItemCommand({ TableName, Item })));
    }
    return { ...common, parts: number(pieces.length), writer: text(writer) };
  }

  /** Removes the parts of a value that no item names any longer. */
  async function removeParts({ pk, sk, parts, writer }: Item): Promise<void> {
    const partition = partsOf(pk?.S ?? '', sk?.S ?? '');
    for (let part = 0; part < Number(parts?.N ?? 0); part += 1) {
      const Key = keyOf(partition, partKey(writer?.S ?? '', part));
      await attempt('Writing', () => dynamodb.send(new DeleteItemCommand({ TableName, Key })));
    }
  }

  /** Writes an item; false where the condition does not hold. */
  async function write(
    item: NewItem,
    version: number,
    condition: Pick<PutItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'> = {},
  ): Promise<boolean> {
    const Item = await prepared(item, version);
    const command = new PutItemCommand({ TableName, Item, ReturnValues: 'ALL_OLD', ...condition });
    try {
      const { Attributes: before } = await attempt('Writing', () => dynamodb.send(command));
      if (before && before.writer?.S !== Item.writer?.S) await removeParts(before);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (!Item.writer) return false;
      // The reply to an earlier attempt may have been lost: then this is what was written.
      const kept = await getItem(item.partition, item.id);
      if (kept?.writer?.S === Item.writer.S) return true;
      await removeParts(Item);
      return false;
    }
  }

  async function removeItem(partition: string, id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName, Key: keyOf(partition, id), ReturnValues: 'ALL_OLD' });
    const { Attributes: before } = await attempt('Writing', () => dynamodb.send(command));
    if (before) await removeParts(before);
  }

  const writeAll = (requests: readonly WriteRequest[]): Promise<void> =>
    processInBatches({
      entries: requests,
      size: requests.some(isLarge) ? WRITE_LARGE_ITEMS : WRITE_ITEMS,
      send: async (batch) => {
        const command = new BatchWriteItemCommand({ RequestItems: { [TableName]: [...batch] } });
        const reply = await attempt('Writing', () => dynamodb.send(command));
        return reply.UnprocessedItems?.[TableName] ?? [];
      },
      clock,
      incomplete: (calls) =>
        new StateError(
          'STATE_UNAVAILABLE',
          `Writing ${place.name}: the table left part of the request undone ${calls} times. Nothing is lost; the next run tries again.`,
        ),
    });

  return {
    place,
    get,
    async list(partition, range = '') {
      const items = await attempt('Reading', async () => {
        const found: Item[] = [];
        for await (const item of queryItems(dynamodb, { TableName, ...queryOf(partition, range) })) {
          found.push(item);
          if (typeof range !== 'string' && found.length === range.last) return found.reverse();
        }
        return typeof range === 'string' ? found : found.reverse();
      });
      const kept: KeptItem[] = [];
      for (const item of items) kept.push(...[(await read(item)) ?? []].flat());
      return kept;
    },
    create: (item) =>
      write(item, 1, {
        ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
        ExpressionAttributeValues: { ':now': number(Math.floor(clock.now() / 1000)) },
      }),
    replace: (item) =>
      write(item, item.version + 1, {
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': number(item.version) },
      }),
    async put(...items) {
      const [only, ...others] = items;
      if (only && others.length === 0) {
        await write(only, 1);
        return;
      }
      const requests: WriteRequest[] = [];
      for (const item of items) requests.push({ PutRequest: { Item: await prepared(item, 1) } });
      await writeAll(requests);
    },
    async remove(partition, ...ids) {
      for (let at = 0; at < ids.length; at += WRITE_ITEMS)
        await Promise.all(ids.slice(at, at + WRITE_ITEMS).map((id) => removeItem(partition, id)));
    },
  };
}

const isLarge = ({ PutRequest }: WriteRequest): boolean =>
  (PutRequest?.Item?.body?.B?.length ?? 0) > LARGE_BYTES;

const queryOf = (partition: string, range: ItemRange) => {
  const [condition, values] =
    typeof range === 'string'
      ? range === ''
        ? ['', {}]
        : [' AND begins_with(sk, :prefix)', { ':prefix': text(range) }]
      : range.upTo === undefined
        ? ['', {}]
        : [' AND sk <= :upTo', { ':upTo': text(range.upTo) }];
  return {
    ConsistentRead: true,
    KeyConditionExpression: `pk = :pk${condition}`,
    ExpressionAttributeValues: { ':pk': text(partition), ...values },
    ...(typeof range !== 'string' && { ScanIndexForward: false, Limit: range.last }),
  };
};
