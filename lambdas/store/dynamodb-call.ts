import {
  type AttributeValue,
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { firstLine, withFirstLine } from '../run/log.ts';
import { damagedState } from './state-error.ts';

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

/**
 * The items of a query. Each page is requested when its first item is needed.
 * @throws the error of the SDK, after the client's own retries
 */
export async function* queryItems(client: DynamoDBClient, query: QueryCommandInput): AsyncGenerator<Item> {
  for await (const { Items: items = [] } of paginateQuery({ client }, query)) yield* items;
}

const REMEDY =
  'Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.';

/** @throws {StateError} `STATE_CORRUPT` when `read` throws */
export function orCorrupt<Value>(where: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw damagedState(where, cause, REMEDY);
  }
}
