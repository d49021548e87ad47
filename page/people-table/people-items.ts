import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../lambdas/dynamodb/attribute-values.ts';
import { text } from '../../lambdas/dynamodb/attribute-values.ts';
import { queryItems } from '../../lambdas/dynamodb/query-items.ts';
import { wasWritten } from '../../lambdas/dynamodb/was-written.ts';
import { dynamodbCall } from '../../lambdas/state/dynamodb-call.ts';

/** Where a deployed page keeps what it must know of people. */
export interface PeopleTable {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
}

/** The partitions of the table. Each audit line lies in the partition of its month; each person's panels in one of their own. */
export const partitions = {
  sessions: 'sessions',
  used: 'used',
  visits: 'visits',
  people: 'people',
  panelsOf: (person: string) => `panels#${person}`,
  auditOf: (month: string) => `audit#${month}`,
} as const;

/** When DynamoDB may delete an item, in seconds since the epoch. It does so within days, so a reader checks the time. */
export const expiry = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/**
 * The response of the table.
 * @throws {ConditionalCheckFailedException} when the call's condition is false
 * @throws {StateError} for any other failure
 */
export const askTable = <Reply>(
  { table }: PeopleTable,
  action: 'Reading' | 'Writing',
  send: () => Promise<Reply>,
): Promise<Reply> =>
  dynamodbCall(send, {
    action: `${action} what the page keeps of people in table "${table}"`,
    unchanged: 'Nothing was done',
  });

/**
 * Whether a conditional write was done; false where its condition did not hold.
 * @throws {StateError} when the table cannot be written
 */
export const isKept = (place: PeopleTable, send: () => Promise<unknown>): Promise<boolean> =>
  wasWritten(() => askTable(place, 'Writing', send));

/**
 * All items of a partition, as they are now.
 * @throws {StateError} when the table cannot be read
 */
export const itemsOf = (place: PeopleTable, partition: string): Promise<readonly Item[]> =>
  askTable(place, 'Reading', async () => {
    const items: Item[] = [];
    const query = {
      TableName: place.table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': text(partition) },
    };
    for await (const item of queryItems(place.dynamodb, query)) items.push(item);
    return items;
  });
