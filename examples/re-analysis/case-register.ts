import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { OutdatedCase } from './outdated-cases.ts';

/** A gene on a panel, and the event that states that it is green. */
interface Reason {
  readonly eventId: string;
  readonly panelId: number;
  readonly gene: string;
}

/** Remembers which cases were listed for which gene on which panel. */
export interface CaseRegister {
  /** The cases that no other event has listed for this gene on this panel. The same event gets the same cases again. */
  claim(cases: readonly OutdatedCase[], reason: Reason): Promise<readonly OutdatedCase[]>;
}

/** One item for each case, gene and panel, in a table with the string partition key `id`. */
export function caseRegister(client: DynamoDBClient, tableName: string): CaseRegister {
  const claimOne = async ({ name }: OutdatedCase, { eventId, panelId, gene }: Reason): Promise<boolean> => {
    try {
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: { id: { S: `case ${name} · panel ${panelId} · ${gene}` }, event: { S: eventId } },
          ConditionExpression: 'attribute_not_exists(id) OR #event = :event',
          ExpressionAttributeNames: { '#event': 'event' },
          ExpressionAttributeValues: { ':event': { S: eventId } },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };
  return {
    claim: async (cases, reason) => {
      const claimed: OutdatedCase[] = [];
      for (const one of cases) if (await claimOne(one, reason)) claimed.push(one);
      return claimed;
    },
  };
}
