import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import type { Instant } from '../run/instant.ts';
import { dynamodbCall, type Item, queryItems, text } from '../store/dynamodb-call.ts';
import { timeKey } from '../store/history/dynamodb-items.ts';
import { processInBatches } from '../store/process-in-batches.ts';
import { StateError } from '../store/state-error.ts';

interface TableOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
}

/** Which items of a partition to read; all of them, oldest first, where nothing is given. */
interface Range {
  /** Sort keys that begin with this text. */
  readonly prefix?: string;
  /** Sort keys between these two, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly newestFirst?: boolean;
  readonly limit?: number;
}

/**
 * The calls for panel states. Every read is strongly consistent: decisions are taken from it.
 * @throws {StateError} from every method, when the table does not answer
 */
interface PanelStateTable {
  query(partition: string, range?: Range): Promise<Item[]>;
  put(item: Item): Promise<void>;
  putAll(items: readonly Item[]): Promise<void>;
  /** @param keys items with `pk` and `sk` alone */
  removeAll(keys: readonly Item[]): Promise<void>;
}

/** The greatest number of items that DynamoDB takes in one batch, and about how many bytes. */
const WRITE_ITEMS = 25;
const LARGE_BYTES = 100_000;

/** The table as panel states use it. */
export function createPanelStateTable({ dynamodb, table, clock }: TableOptions): PanelStateTable {
  const attempt = <Reply>(action: 'Reading' | 'Writing', send: () => Promise<Reply>): Promise<Reply> =>
    dynamodbCall(send, {
      action: `${action} panel states in table "${table}"`,
      unchanged: 'Nothing was published from them',
    });

  const write = (requests: readonly WriteRequest[]): Promise<void> =>
    processInBatches({
      entries: requests,
      // A request to DynamoDB has at most 16 MB.
      size: requests.some(isLarge) ? 5 : WRITE_ITEMS,
      send: async (batch) => {
        const command = new BatchWriteItemCommand({ RequestItems: { [table]: [...batch] } });
        const reply = await attempt('Writing', () => dynamodb.send(command));
        return reply.UnprocessedItems?.[table] ?? [];
      },
      clock,
      incomplete: (calls) =>
        new StateError(
          'STATE_UNAVAILABLE',
          `Writing panel states in table "${table}": the table left part of the request undone ${calls} times. Nothing is lost; the next run tries again.`,
        ),
    });

  return {
    query: (partition, range = {}) =>
      attempt('Reading', async () => {
        const items: Item[] = [];
        for await (const item of queryItems(dynamodb, queryOf(table, partition, range))) {
          items.push(item);
          if (items.length === range.limit) break;
        }
        return items;
      }),
    put: async (item) => {
      await attempt('Writing', () => dynamodb.send(new PutItemCommand({ TableName: table, Item: item })));
    },
    putAll: (items) => write(items.map((Item) => ({ PutRequest: { Item } }))),
    removeAll: (keys) => write(keys.map((Key) => ({ DeleteRequest: { Key } }))),
  };
}

const isLarge = ({ PutRequest }: WriteRequest): boolean =>
  (PutRequest?.Item?.body?.B?.length ?? 0) > LARGE_BYTES;

function queryOf(
  table: string,
  partition: string,
  { prefix, from, to, newestFirst, limit }: Range,
): QueryCommandInput {
  const condition =
    prefix !== undefined
      ? { sql: ' AND begins_with(sk, :prefix)', values: { ':prefix': text(prefix) } }
      : from !== undefined && to !== undefined
        ? { sql: ' AND sk BETWEEN :from AND :to', values: { ':from': text(from), ':to': text(to) } }
        : { sql: '', values: {} };
  return {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: `pk = :pk${condition.sql}`,
    ExpressionAttributeValues: { ':pk': text(partition), ...condition.values },
    ScanIndexForward: newestFirst !== true,
    ...(limit !== undefined && { Limit: limit }),
  };
}

/** Versions in the order in which they began. */
export const stateKey = ({
  version,
  validFrom,
}: {
  readonly version: string;
  readonly validFrom: Instant;
}): string => `${timeKey(validFrom)}#${version}`;
