import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Once } from './handlers.ts';

/** A `DynamoDBClient`. Its own type would make every program that is compiled with this one need Node's types. */
interface DynamoClient {
  send(command: never): Promise<unknown>;
}

/** The table in which `onceInTable` keeps one item for each event. */
export interface OnceTable {
  /** A table with the string partition key `id`, and time to live on `expires`. */
  readonly tableName: string;
  /** One of your own, or undefined for one with the defaults of Lambda. */
  readonly client?: DynamoClient;
  /** Days for which a done event is remembered. */
  readonly keepDays?: number;
  /** Seconds after which an unfinished run counts as dead, so that another may begin: the function's timeout. */
  readonly runSeconds?: number;
  /** The time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Another run has begun the work for this event, and may still finish it. */
class EventInProgressError extends Error {
  override readonly name = 'EventInProgressError';
  readonly code = 'EVENT_IN_PROGRESS';
}

/**
 * Handles each event once, and keeps that in a small table of your own. Work that failed is forgotten, and so is done
 * again. Work of a run that died is done again after `runSeconds`.
 *
 * @throws {EventInProgressError} when another run has begun the same event: the record is delivered again later
 */
export function onceInTable(table: OnceTable): Once {
  const { tableName, keepDays = 30, runSeconds = 900, now } = table;
  let loading: Promise<{ readonly client: DynamoDBClient; readonly sdk: Sdk }> | undefined;
  const load = async () => {
    const sdk = await import('@aws-sdk/client-dynamodb');
    return { sdk, client: (table.client as DynamoDBClient | undefined) ?? new sdk.DynamoDBClient({}) };
  };
  return async (eventId, work) => {
    loading ??= load();
    const { client, sdk } = await loading;
    const at = Math.floor(now() / 1000);
    const id = { S: eventId };
    try {
      await client.send(
        new sdk.PutItemCommand({
          TableName: tableName,
          Item: {
            id,
            done: { BOOL: false },
            until: number(at + runSeconds),
            expires: number(at + keepDays * DAY),
          },
          ConditionExpression: 'attribute_not_exists(id) OR (done = :no AND #until < :now) OR expires < :now',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: { ':no': { BOOL: false }, ':now': number(at) },
        }),
      );
    } catch (error) {
      if (!(error instanceof sdk.ConditionalCheckFailedException)) throw error;
      const key = { TableName: tableName, Key: { id }, ConsistentRead: true };
      const { Item: item } = await client.send(new sdk.GetItemCommand(key));
      if (item?.done?.BOOL === true) return;
      throw new EventInProgressError(
        `Another run has begun event ${eventId}. It is delivered again; if that run died, it is taken over after ${runSeconds} s.`,
        { cause: error },
      );
    }
    try {
      await work();
    } catch (error) {
      await client.send(new sdk.DeleteItemCommand({ TableName: tableName, Key: { id } }));
      throw error;
    }
    await client.send(
      new sdk.UpdateItemCommand({
        TableName: tableName,
        Key: { id },
        UpdateExpression: 'SET done = :yes',
        ExpressionAttributeValues: { ':yes': { BOOL: true } },
      }),
    );
  };
}

type Sdk = typeof import('@aws-sdk/client-dynamodb');

const DAY = 86_400;

const number = (value: number): { readonly N: string } => ({ N: String(value) });
