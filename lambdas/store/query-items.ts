import { type DynamoDBClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-values.ts';

/**
 * The items of a query. Each page is requested when its first item is needed.
 * @throws the error of the SDK, after the client's own retries
 */
export async function* queryItems(client: DynamoDBClient, query: QueryCommandInput): AsyncGenerator<Item> {
  for await (const { Items: items = [] } of paginateQuery({ client }, query)) yield* items;
}
