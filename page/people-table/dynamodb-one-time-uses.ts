import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { number, text } from '../../lambdas/dynamodb/attribute-values.ts';
import type { OneTimeUses } from '../sign-in/one-time-uses.ts';
import { askTable, expiry, isKept, type PeopleTable, partitions } from './people-items.ts';

/** What was used once, in a table: of two instances that use the same thing at once, one is first. */
export function createDynamoOneTimeUses(place: PeopleTable): OneTimeUses {
  const { dynamodb, table: TableName } = place;
  const keyOf = (id: string) => ({ pk: text(partitions.used), sk: text(id) });
  return {
    async isUsed(id) {
      const { Item } = await askTable(place, 'Reading', () =>
        dynamodb.send(new GetItemCommand({ TableName, Key: keyOf(id), ConsistentRead: true })),
      );
      return Item !== undefined;
    },
    use: (id, ends) =>
      isKept(place, () =>
        dynamodb.send(
          new PutItemCommand({
            TableName,
            Item: { ...keyOf(id), expires: number(expiry(ends)) },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      ),
  };
}
