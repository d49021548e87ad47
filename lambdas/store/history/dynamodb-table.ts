import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../run/clock.ts';
import type { Instant } from '../../run/instant.ts';
import { firstLine, withFirstLine } from '../../run/log.ts';
import { type Item, queryItems, text, wasWritten } from '../dynamodb-call.ts';
import { processInBatches } from '../process-in-batches.ts';
import { HistoryError } from './history.ts';

interface HistoryTableOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
}

/**
 * The calls to the history's table.
 * @throws {HistoryError} from every method, when the table does not answer
 */
export interface HistoryTable {
  /** The items of a query, read page by page as they are needed. */
  query(query: Omit<QueryCommandInput, 'TableName'>): AsyncIterable<Item>;
  /** The item with these keys as it was written last; undefined where there is none. */
  get(pk: string, sk: string): Promise<Item | undefined>;
  /** The items with these keys as they were written last, in no order. */
  getAll(keys: readonly ItemKey[]): Promise<readonly Item[]>;
  /** Writes an item if the condition is true; gives whether it was. */
  putIf(item: Item, condition: Condition): Promise<boolean>;
}

/** The keys of an item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

type Condition = Pick<PutItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;

/** The condition that there is no item with these keys. */
export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Whether an item was recorded by an instant; every one was by now, where that is absent. */
export const wasRecorded = ({ recorded }: Item, asOf: Instant | undefined): boolean =>
  asOf === undefined || Number(recorded?.N ?? Number.POSITIVE_INFINITY) <= Number(asOf);

/** The greatest number of keys that DynamoDB takes in one batch. */
const GET_KEYS = 100;

/** The table as the history uses it. */
export function createHistoryTable({ dynamodb, table, clock }: HistoryTableOptions): HistoryTable {
  const attempt = async <Reply>(action: Action, send: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await send();
    } catch (cause) {
      if (cause instanceof ConditionalCheckFailedException) throw cause;
      throw historyUnavailable(cause, { action, table });
    }
  };

  return {
    async *query(query) {
      try {
        yield* queryItems(dynamodb, { TableName: table, ...query });
      } catch (cause) {
        throw historyUnavailable(cause, { action: 'Reading', table });
      }
    },
    async get(pk, sk) {
      const Key = { pk: text(pk), sk: text(sk) };
      const command = new GetItemCommand({ TableName: table, Key, ConsistentRead: true });
      return (await attempt('Reading', () => dynamodb.send(command))).Item;
    },
    async getAll(keys) {
      const items: Item[] = [];
      await processInBatches({
        entries: keys.map(({ pk, sk }): Item => ({ pk: text(pk), sk: text(sk) })),
        size: GET_KEYS,
        send: async (batch) => {
          const command = new BatchGetItemCommand({
            RequestItems: { [table]: { Keys: [...batch], ConsistentRead: true } },
          });
          const reply = await attempt('Reading', () => dynamodb.send(command));
          items.push(...(reply.Responses?.[table] ?? []));
          return reply.UnprocessedKeys?.[table]?.Keys ?? [];
        },
        clock,
        incomplete: (calls) =>
          new HistoryError(
            `Reading the history in table "${table}": the table left part of the request undone ${calls} times. Nothing is lost; the next run tries again.`,
          ),
      });
      return items;
    },
    putIf(item, condition) {
      const command = new PutItemCommand({ TableName: table, Item: item, ...condition });
      return wasWritten(() => attempt('Writing', () => dynamodb.send(command)));
    },
  };
}

type Action = 'Reading' | 'Writing';

interface TableAction {
  readonly action: 'Reading' | 'Writing';
  readonly table: string;
}

/** The error for an action on the history's table that failed with `cause`. */
export function historyUnavailable(cause: unknown, { action, table }: TableAction): HistoryError {
  const seen = cause instanceof Error ? `${cause.name}: ${firstLine(cause.message)}` : String(cause);
  return new HistoryError(
    `${action} the history in table "${table}": ${seen}. Nothing is lost; the next run tries again. Check that the table exists and that this role may use it.`,
    { cause: withFirstLine(cause) },
  );
}
