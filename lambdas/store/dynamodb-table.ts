import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  paginateQuery,
  type QueryCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import { firstLine, withFirstLine } from '../run/log.ts';
import { orDamaged, StateError } from './state-error.ts';

interface StateCall {
  /** What is being done, as a gerund: "Reading the position of …". */
  readonly action: string;
  /** What a failure leaves as it was: "The mark is unchanged". */
  readonly unchanged: string;
  readonly place?: 'table' | 'bucket';
}

/** The message and the options of the error for a call that failed with `cause`. */
export function unavailable(
  cause: unknown,
  { action, unchanged, place = 'table' }: StateCall,
): readonly [message: string, options: ErrorOptions] {
  const seen = cause instanceof Error ? `${cause.name}: ${firstLine(cause.message)}` : String(cause);
  return [
    `${action}: ${seen}. ${unchanged}; the next run tries again. Check that the ${place} exists and that this role may use it.`,
    { cause: withFirstLine(cause) },
  ];
}

/** An item of a table. */
export type Item = Record<string, AttributeValue>;

/** A text as DynamoDB stores it. */
export const text = (value: string): AttributeValue => ({ S: value });

/** A number as DynamoDB stores it, with all its digits. */
export const number = (value: number | bigint): AttributeValue => ({ N: String(value) });

const REMEDY =
  'Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.';

/** @throws {StateError} `STATE_CORRUPT` when `read` throws */
export const orCorrupt = <Value>(where: string, read: () => Value): Value => orDamaged(where, REMEDY, read);

/** An item may have 400 kB, its keys and other attributes included. */
export const PART_BYTES = 380_000;

/** A value in parts that each fit into an item of DynamoDB. */
export const inParts = (packed: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(packed.length / PART_BYTES) }, (_, part) =>
    packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  );

export interface TableOptions {
  readonly dynamodb: DynamoDBClient;
  /** A table with the keys `pk` and `sk`. */
  readonly table: string;
  readonly clock: Clock;
}

/** How the state of one catalogue is kept in a table. */
export interface StateTableOptions extends TableOptions {
  readonly catalogue: string;
  /** Distinguishes this run's writes from another's, where a reply was lost. */
  readonly runId: string;
}

/** The table as the state of one catalogue uses it. */
export const createStateTable = (options: Omit<StateTableOptions, 'runId'>): DynamoTable =>
  createTable(options, {
    where: `the position of catalogue "${options.catalogue}" in table "${options.table}"`,
    unchanged: 'The mark is unchanged',
  });

interface Naming {
  /** What is kept there, as errors name it: `the position of catalogue "uk" in table "notifier"`. */
  readonly where: string;
  /** What a failure leaves as it was: "The mark is unchanged". */
  readonly unchanged: string;
  /** The error of a table that does not answer; a `StateError` with `STATE_UNAVAILABLE` where absent. */
  readonly failed?: (message: string, options?: ErrorOptions) => Error;
}

/** The keys of an item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** Items of a partition by their sort keys: those that begin with a text, or between two, both included; all where none is given. */
export interface ItemQuery {
  readonly pk: string;
  readonly prefix?: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly newestFirst?: boolean;
  readonly limit?: number;
  /** The index whose partition it is, and the name of the index's key. */
  readonly index?: { readonly name?: string | undefined; readonly key: string };
  /** Whether it shows every write before it, which costs twice as much; it does where absent. No index can. */
  readonly consistent?: boolean;
  readonly also?: Partial<QueryCommandInput>;
}

type Conditions<Input> = Partial<Omit<Input, 'TableName' | 'Item' | 'Key'>>;

/** The condition that there is no item with these keys. */
export const ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The condition that the item still has the version with which it was read. */
export const asRead = (version: AttributeValue) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** The attributes of keys. */
export const keyItem = ({ pk, sk }: ItemKey) => ({ pk: text(pk), sk: text(sk) });

/** The greatest number of items that DynamoDB takes in one batch, and of large ones: a request has at most 16 MB. */
const GET_KEYS = 100;
const WRITE_ITEMS = 25;
const WRITE_LARGE_ITEMS = 5;
const LARGE_BYTES = 100_000;

const stateFailed = (message: string, options?: ErrorOptions): StateError =>
  new StateError('STATE_UNAVAILABLE', message, options);

/**
 * The calls to one table of DynamoDB, with errors that say what is kept there.
 * @throws the error of a table that does not answer, from every method
 */
export function createTable(
  { dynamodb, table: TableName, clock }: TableOptions,
  { where, unchanged, failed = stateFailed }: Naming,
) {
  const error = (action: string, cause: unknown): Error =>
    failed(...unavailable(cause, { action: `${action} ${where}`, unchanged }));
  const attempt = async <Reply>(
    action: 'Reading' | 'Writing',
    send: () => Promise<Reply>,
  ): Promise<Reply> => {
    try {
      return await send();
    } catch (cause) {
      if (cause instanceof ConditionalCheckFailedException) throw cause;
      throw error(action, cause);
    }
  };
  const incomplete = (action: string) => (calls: number) =>
    failed(
      `${action} ${where}: the table left part of the request undone ${calls} times. ${unchanged}; the next run tries again.`,
    );

  const writeAll = (entries: readonly WriteRequest[]): Promise<void> =>
    processInBatches({
      entries,
      clock,
      incomplete: incomplete('Writing'),
      size: entries.some(isLarge) ? WRITE_LARGE_ITEMS : WRITE_ITEMS,
      send: async (batch) => {
        const command = new BatchWriteItemCommand({ RequestItems: { [TableName]: [...batch] } });
        const reply = await attempt('Writing', () => dynamodb.send(command));
        return reply.UnprocessedItems?.[TableName] ?? [];
      },
    });

  async function put(
    item: Item,
    conditions: Conditions<PutItemCommandInput> = {},
  ): Promise<Item | undefined> {
    const command = new PutItemCommand({ TableName, Item: item, ...conditions });
    return (await attempt('Writing', () => dynamodb.send(command))).Attributes;
  }

  async function* query(asked: ItemQuery): AsyncGenerator<Item> {
    let left = asked.limit ?? Number.POSITIVE_INFINITY;
    const pages = paginateQuery({ client: dynamodb }, { TableName, ...queryInput(asked) });
    try {
      for await (const { Items: items = [] } of pages) {
        for (const item of items) {
          yield item;
          left -= 1;
          if (left === 0) return;
        }
      }
    } catch (cause) {
      throw error('Reading', cause);
    }
  }

  return {
    where,
    unreadable: (cause: unknown): Error => error('Reading', cause),
    /** Each page is requested when its first item is needed. */
    query,
    /** What a query finds, read to its end. */
    async list(asked: ItemQuery): Promise<readonly Item[]> {
      const items: Item[] = [];
      for await (const item of query(asked)) items.push(item);
      return items;
    },
    /** The item with these keys; undefined where there is none. A read that is not consistent costs half as much. */
    async get(key: ItemKey, ConsistentRead = true): Promise<Item | undefined> {
      const command = new GetItemCommand({ TableName, Key: keyItem(key), ConsistentRead });
      return (await attempt('Reading', () => dynamodb.send(command))).Item;
    },
    /** By their sort keys. */
    async getAll(keys: readonly ItemKey[]): Promise<ReadonlyMap<string, Item>> {
      const items = new Map<string, Item>();
      await processInBatches({
        entries: keys.map((key): Item => keyItem(key)),
        clock,
        incomplete: incomplete('Reading'),
        size: GET_KEYS,
        send: async (Keys) => {
          const RequestItems = { [TableName]: { Keys: [...Keys], ConsistentRead: true } };
          const reply = await attempt('Reading', () =>
            dynamodb.send(new BatchGetItemCommand({ RequestItems })),
          );
          for (const item of reply.Responses?.[TableName] ?? []) items.set(item.sk?.S ?? '', item);
          return reply.UnprocessedKeys?.[TableName]?.Keys ?? [];
        },
      });
      return items;
    },
    /**
     * Returns what the item replaces, where the conditions ask for it.
     * @throws {ConditionalCheckFailedException} when the condition is false
     */
    put,
    /** Writes an item if the condition is true; returns whether it was. */
    putIf: (item: Item, conditions: Conditions<PutItemCommandInput>) => isDone(() => put(item, conditions)),
    async update(key: ItemKey, update: Conditions<UpdateItemCommandInput>): Promise<void> {
      const command = new UpdateItemCommand({ TableName, Key: keyItem(key), ...update });
      await isDone(() => attempt('Writing', () => dynamodb.send(command)));
    },
    /** Deletes an item if the condition is true; returns what it was, where the conditions ask for it. */
    async remove(key: ItemKey, conditions?: Conditions<DeleteItemCommandInput>): Promise<Item | undefined> {
      const command = new DeleteItemCommand({ TableName, Key: keyItem(key), ...conditions });
      let before: Item | undefined;
      await isDone(async () => {
        before = (await attempt('Writing', () => dynamodb.send(command))).Attributes;
      });
      return before;
    },
    putAll: (items: readonly Item[]) => writeAll(items.map((Item) => ({ PutRequest: { Item } }))),
    removeAll: (keys: readonly ItemKey[]) =>
      writeAll(keys.map((key) => ({ DeleteRequest: { Key: keyItem(key) } }))),
  };
}

/** The calls to one table. */
export type DynamoTable = ReturnType<typeof createTable>;

const isLarge = ({ PutRequest }: WriteRequest): boolean =>
  (PutRequest?.Item?.body?.B?.length ?? 0) > LARGE_BYTES;

/** Whether a conditional write was done; false where its condition did not hold. */
async function isDone(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

function queryInput({
  pk,
  prefix = '',
  from = '',
  to = '',
  newestFirst = false,
  limit,
  index: { name, key } = { key: 'pk' },
  consistent = name === undefined,
  also: { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...others } = {},
}: ItemQuery): Omit<QueryCommandInput, 'TableName'> {
  const bySortKey = prefix
    ? ' AND begins_with(sk, :prefix)'
    : from && to
      ? ' AND sk BETWEEN :from AND :to'
      : from
        ? ' AND sk >= :from'
        : to && ' AND sk <= :to';
  const bounds = Object.entries({ prefix, from, to }).filter(([, bound]) => bound !== '');
  return {
    ...(name !== undefined && { IndexName: name }),
    ConsistentRead: consistent,
    KeyConditionExpression: `#key = :key${bySortKey}`,
    ExpressionAttributeNames: { '#key': key, ...names },
    ExpressionAttributeValues: {
      ':key': text(pk),
      ...Object.fromEntries(bounds.map(([bound, value]) => [`:${bound}`, text(value)])),
      ...values,
    },
    ScanIndexForward: !newestFirst,
    ...(limit !== undefined && { Limit: limit }),
    ...others,
  };
}

interface Batches<Entry> {
  readonly entries: readonly Entry[];
  readonly size: number;
  /** Sends one call; returns the entries that the table left unprocessed. */
  readonly send: (entries: readonly Entry[]) => Promise<readonly Entry[]>;
  readonly clock: Clock;
  readonly incomplete: (calls: number) => Error;
}

/** A call is sent at most this often for the entries of one batch. */
const MOST_CALLS = 6;

/** The wait before a call is repeated is drawn from 0 to this many milliseconds; the limit doubles each time. */
const FIRST_WAIT = 200;

/**
 * Sends entries in batches, one after the other. What a table leaves unprocessed (`UnprocessedItems`,
 * `UnprocessedKeys`) is sent again, after a longer wait each time.
 * @throws the error of `send`, or of `incomplete` after six calls for one batch
 */
export async function processInBatches<Entry>(batches: Batches<Entry>): Promise<void> {
  const { entries, size, send, clock, incomplete } = batches;
  for (let start = 0; start < entries.length; start += size) {
    let left = await send(entries.slice(start, start + size));
    for (let calls = 1; left.length > 0; calls += 1) {
      if (calls === MOST_CALLS) throw incomplete(calls);
      await clock.sleep(clock.random() * FIRST_WAIT * 2 ** (calls - 1));
      left = await send(left);
    }
  }
}
