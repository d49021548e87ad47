import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../clock/clock.ts';
import type { Item } from '../dynamodb/attribute-values.ts';
import { processInBatches } from '../dynamodb/process-in-batches.ts';
import { queryItems } from '../dynamodb/query-items.ts';
import { firstLine, withFirstLine } from '../text/first-line.ts';
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
  put(item: Item): Promise<void>;
  putAll(items: readonly Item[]): Promise<void>;
}

/** The greatest number of items that DynamoDB takes in one batch. */
const WRITE_ITEMS = 25;

/** The table as the history uses it. */
export function createHistoryTable({ dynamodb, table, clock }: HistoryTableOptions): HistoryTable {
  const writing = async <Reply>(send: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await send();
    } catch (cause) {
      throw historyUnavailable(cause, { action: 'Writing', table });
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
    async put(item) {
      await writing(() => dynamodb.send(new PutItemCommand({ TableName: table, Item: item })));
    },
    putAll: (items) =>
      processInBatches({
        entries: items.map((Item) => ({ PutRequest: { Item } })),
        size: WRITE_ITEMS,
        send: async (batch) => {
          const command = new BatchWriteItemCommand({ RequestItems: { [table]: [...batch] } });
          const reply = await writing(() => dynamodb.send(command));
          return (reply.UnprocessedItems?.[table] ?? []) as typeof batch;
        },
        clock,
        incomplete: (calls) =>
          new HistoryError(
            `Writing the history in table "${table}": the table left part of the request undone ${calls} times. Nothing is lost; the next run tries again.`,
          ),
      }),
  };
}

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
