import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';

/** A case by its name. */
interface NamedCase {
  readonly name: string;
}

/** A gene on a panel, or a signed-off version of it, and the event that states it. */
interface Reason {
  readonly eventId: string;
  readonly panelId: number;
  /** The gene's symbol, or `version 4.0`. */
  readonly gene: string;
}

/** Remembers which cases were listed for which gene on which panel. */
export interface CaseRegister {
  /** The cases that no other event has listed for this gene on this panel. The same event gets the same cases again. */
  claim<Each extends NamedCase>(cases: readonly Each[], reason: Reason): Promise<readonly Each[]>;
}

/** One item for each case, gene and panel, in a table with the string partition key `id`. */
export function caseRegister(client: DynamoDBClient, tableName: string): CaseRegister {
  const claimOne = async ({ name }: NamedCase, { eventId, panelId, gene }: Reason): Promise<boolean> => {
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
    claim: async <Each extends NamedCase>(cases: readonly Each[], reason: Reason) => {
      const claimed: Each[] = [];
      for (const one of cases) if (await claimOne(one, reason)) claimed.push(one);
      return claimed;
    },
  };
}
