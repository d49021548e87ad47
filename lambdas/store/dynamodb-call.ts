import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { firstLine, withFirstLine } from '../run/log.ts';
import { StateError } from './state-error.ts';

interface StateCall {
  /** What is being done, as a gerund: "Reading the position of …". */
  readonly action: string;
  /** What a failure leaves as it was: "The mark is unchanged". */
  readonly unchanged: string;
  readonly place?: 'table' | 'bucket';
}

/**
 * The response of DynamoDB to a call about the state.
 * @throws {ConditionalCheckFailedException} when the call's condition is false: the caller knows what that means
 * @throws {StateError} `STATE_UNAVAILABLE` for any other failure
 */
export async function dynamodbCall<Reply>(send: () => Promise<Reply>, call: StateCall): Promise<Reply> {
  try {
    return await send();
  } catch (cause) {
    if (cause instanceof ConditionalCheckFailedException) throw cause;
    throw stateUnavailable(cause, call);
  }
}

/** The error for a call about the state that failed with `cause`. */
export function stateUnavailable(
  cause: unknown,
  { action, unchanged, place = 'table' }: StateCall,
): StateError {
  const seen = cause instanceof Error ? `${cause.name}: ${firstLine(cause.message)}` : String(cause);
  return new StateError(
    'STATE_UNAVAILABLE',
    `${action}: ${seen}. ${unchanged}; the next run tries again. Check that the ${place} exists and that this role may use it.`,
    { cause: withFirstLine(cause) },
  );
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

/**
 * Whether a conditional write was done; false where its condition did not hold.
 * @throws any other error of `write`
 */
export async function wasWritten(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
