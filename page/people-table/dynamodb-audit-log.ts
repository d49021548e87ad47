import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { text } from '../../lambdas/dynamodb/attribute-values.ts';
import type { AuditEntry, AuditLog } from '../sign-in/audit-log.ts';
import { isKept, type PeopleTable, partitions } from './people-items.ts';

/** Lines that are written at a time. */
const AT_ONCE = 50;

/** The audit log of a deployed page: each line is an item of its own, which nothing writes over or deletes. */
export function createDynamoAuditLog(place: PeopleTable, clock: Pick<Clock, 'now'>): Pick<AuditLog, 'write'> {
  const { dynamodb, table: TableName } = place;
  return {
    async write(...entries) {
      const time = new Date(clock.now()).toISOString();
      for (let at = 0; at < entries.length; at += AT_ONCE) {
        await Promise.all(entries.slice(at, at + AT_ONCE).map((entry) => add(time, entry)));
      }
    },
  };

  async function add(time: string, entry: AuditEntry): Promise<void> {
    const Item = {
      pk: text(partitions.auditOf(time.slice(0, 7))),
      sk: text(`${time}#${randomUUID()}`),
      body: text(JSON.stringify({ time, ...entry })),
    };
    const ConditionExpression = 'attribute_not_exists(pk)';
    const command = new PutItemCommand({ TableName, Item, ConditionExpression });
    // False where the reply to a first attempt of the SDK was lost: the random key is of this line alone.
    await isKept(place, () => dynamodb.send(command));
  }
}
