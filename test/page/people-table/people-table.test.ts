import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoAuditLog } from '../../../page/people-table/dynamodb-audit-log.ts';
import { createDynamoOneTimeUses } from '../../../page/people-table/dynamodb-one-time-uses.ts';
import { createDynamoPersonalNotes } from '../../../page/people-table/dynamodb-personal-notes.ts';
import { createDynamoSessions } from '../../../page/people-table/dynamodb-sessions.ts';
import { createOneTimeUses } from '../../../page/sign-in/one-time-uses.ts';
import { openPeopleFile } from '../../../page/sign-in/people-file.ts';
import { createPersonalNotes } from '../../../page/sign-in/personal-notes.ts';
import { createSessions } from '../../../page/sign-in/sessions.ts';
import { createTestClock } from '../../clock/test-clock.ts';
import { createTable } from '../../dynamodb/create-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../state/local-dynamodb.ts';
import { tableKeys } from '../../state/table-keys.ts';
import { describePeople } from './behaviour.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createTable(local.dynamodb, `people${local.suffix}`, tableKeys);
});
afterAll(() => local.close());

describePeople('in a file', (options) => {
  const database = openPeopleFile();
  return {
    sessions: () => createSessions(database, options),
    uses: createOneTimeUses(database, options.clock),
    notes: createPersonalNotes(database, options.clock),
  };
});

describePeople('in DynamoDB', (options) => {
  const place = { dynamodb: local.dynamodb, table };
  return {
    sessions: () => createDynamoSessions(place, options),
    uses: createDynamoOneTimeUses(place),
    notes: createDynamoPersonalNotes(place, options.clock),
  };
});

describe('a table of people', () => {
  test('keeps each line of the audit log, also of one instant, and opens no session to who reads it', async () => {
    const place = { dynamodb: local.dynamodb, table };
    const clock = createTestClock();
    const audit = createDynamoAuditLog(place, clock);
    const line = { action: 'decided', person: 'x|ann', entry: 'e', outcome: 'decided' } as const;
    await Promise.all([audit.write(line), audit.write(line)]);
    const cookie = await createDynamoSessions(place, { clock, longest: 1, idle: 1 }).begin(
      { id: 'x|ann', name: 'Ann', account: 'ann', role: 'reader' },
      null,
    );
    const { Items = [] } = await local.dynamodb.send(new ScanCommand({ TableName: table }));
    const lines = Items.filter(({ pk }) => pk?.S?.startsWith('audit#'));
    const time = new Date(clock.now()).toISOString();
    expect(lines.map(({ body }) => JSON.parse(body?.S ?? ''))).toStrictEqual([
      { time, ...line },
      { time, ...line },
    ]);
    expect(lines.every(({ expires }) => expires === undefined)).toBe(true);
    expect(JSON.stringify(Items)).not.toContain(cookie);
  });

  test('says what failed when it does not answer', async () => {
    const place = { dynamodb: local.dynamodb, table: 'missing' };
    await expect(createDynamoOneTimeUses(place).use('x', 1)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('Writing what the page keeps of people in table "missing"'),
    });
  });
});
