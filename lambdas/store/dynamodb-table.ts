import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type QueryCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import {
  dynamodbCall,
  type Item,
  number,
  queryItems,
  stateUnavailable,
  text,
  wasWritten,
} from './dynamodb-call.ts';
import { processInBatches } from './process-in-batches.ts';
import { StateError } from './state-error.ts';

export interface StateTableOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly catalogue: string;
  /** Distinguishes this run's writes from another's, where a reply was lost. */
  readonly runId: string;
  readonly clock: Clock;
}

/**
 * The calls to the notifier's table that the state of one catalogue needs.
 * @throws {StateError} `STATE_UNAVAILABLE` from every method, when the table does not answer
 */
export interface StateTable {
  /** Names the state in messages: `the position of catalogue "uk" in table "notifier"`. */
  readonly where: string;
  /** The items of a query, read page by page as they are needed. */
  query(query: Omit<QueryCommandInput, 'TableName'>): AsyncIterable<Item>;
  /** The item with these keys; undefined where there is none. A `consistent` read costs twice as much. */
  get(pk: string, sk: string, reading: { readonly consistent: boolean }): Promise<Item | undefined>;
  /** The items of one partition that have these sort keys, by sort key. */
  getAll(pk: string, sks: readonly string[]): Promise<ReadonlyMap<string, Item>>;
  /** @throws {ConditionalCheckFailedException} when the condition is false */
  put(item: Item, condition?: Omit<PutItemCommandInput, 'TableName' | 'Item'>): Promise<void>;
  update(update: Omit<UpdateItemCommandInput, 'TableName'>): Promise<void>;
  putAll(items: readonly Item[]): Promise<void>;
  /** Deletes an item as it was read: one that was written since stays. */
  deleteAsRead(item: Item): Promise<void>;
  /** Deletes the items of one partition that have these sort keys. */
  deleteAll(pk: string, sks: readonly string[]): Promise<void>;
}

/** Limits of DynamoDB for one batch. */
const GET_KEYS = 100;
const WRITE_ITEMS = 25;

/** The table as the state of one catalogue uses it. */
export function createStateTable({ dynamodb, table, catalogue, clock }: StateTableOptions): StateTable {
  const where = `the position of catalogue "${catalogue}" in table "${table}"`;
  const unchanged = 'The mark is unchanged';
  const reading = { action: `Reading ${where}`, unchanged };
  const writing = { action: `Writing ${where}`, unchanged };
  const incomplete =
    ({ action }: typeof reading) =>
    (calls: number): StateError =>
      new StateError(
        'STATE_UNAVAILABLE',
        `${action}: the table left part of the request undone ${calls} times. ${unchanged}; the next run tries again.`,
      );

  const writeAll = (requests: readonly WriteRequest[]): Promise<void> =>
    processInBatches({
      entries: requests,
      size: WRITE_ITEMS,
      send: async (batch) => {
        const command = new BatchWriteItemCommand({ RequestItems: { [table]: [...batch] } });
        const reply = await dynamodbCall(() => dynamodb.send(command), writing);
        return reply.UnprocessedItems?.[table] ?? [];
      },
      clock,
      incomplete: incomplete(writing),
    });

  return {
    where,
    async *query(query) {
      try {
        yield* queryItems(dynamodb, { TableName: table, ...query });
      } catch (cause) {
        throw stateUnavailable(cause, reading);
      }
    },
    async get(pk, sk, { consistent }) {
      const command = new GetItemCommand({ TableName: table, Key: key(pk, sk), ConsistentRead: consistent });
      const { Item: item } = await dynamodbCall(() => dynamodb.send(command), reading);
      return item;
    },
    async getAll(pk, sks) {
      const items = new Map<string, Item>();
      await processInBatches({
        entries: sks.map((sk): Item => key(pk, sk)),
        size: GET_KEYS,
        send: async (keys) => {
          const command = new BatchGetItemCommand({
            RequestItems: { [table]: { Keys: [...keys], ConsistentRead: true } },
          });
          const reply = await dynamodbCall(() => dynamodb.send(command), reading);
          for (const item of reply.Responses?.[table] ?? []) items.set(item.sk?.S ?? '', item);
          return reply.UnprocessedKeys?.[table]?.Keys ?? [];
        },
        clock,
        incomplete: incomplete(reading),
      });
      return items;
    },
    async put(item, condition) {
      const command = new PutItemCommand({ TableName: table, Item: item, ...condition });
      await dynamodbCall(() => dynamodb.send(command), writing);
    },
    async update(update) {
      const command = new UpdateItemCommand({ TableName: table, ...update });
      await dynamodbCall(() => dynamodb.send(command), writing);
    },
    async deleteAsRead({ pk, sk, version = number(0) }) {
      const command = new DeleteItemCommand({
        TableName: table,
        Key: key(pk?.S ?? '', sk?.S ?? ''),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': version },
      });
      await wasWritten(() => dynamodbCall(() => dynamodb.send(command), writing));
    },
    putAll: (items) => writeAll(items.map((Item) => ({ PutRequest: { Item } }))),
    deleteAll: (pk, sks) => writeAll(sks.map((sk) => ({ DeleteRequest: { Key: key(pk, sk) } }))),
  };
}

const key = (pk: string, sk: string) => ({ pk: text(pk), sk: text(sk) });
