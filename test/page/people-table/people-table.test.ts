import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../lambdas/run/clock.ts';
import type { ItemStore } from '../../../lambdas/store/items.ts';
import { createDynamoItems } from '../../../lambdas/store/items-dynamodb.ts';
import {
  createItemAuditLog,
  createPersonalNotes,
  openPeopleFile,
  PEOPLE,
} from '../../../page/sign-in/people-file.ts';
import { createOneTimeUses, createSessions } from '../../../page/sign-in/sessions.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { createTable } from '../../store/create-table.ts';
import { type LocalDynamoDb, openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
import { describePeople } from './behaviour.ts';

let local: LocalDynamoDb;
let table: string;
beforeAll(async () => {
  local = await openLocalDynamoDb();
  table = await createTable(local.dynamodb, `people${local.suffix}`, tableKeys);
});
afterAll(() => local.close());

const keptIn = (items: ItemStore, options: Parameters<Parameters<typeof describePeople>[1]>[0]) => ({
  sessions: () => createSessions(items, options),
  uses: createOneTimeUses(items),
  notes: createPersonalNotes(items, options.clock),
});
const itemsIn = (table: string, clock: Clock): ItemStore =>
  createDynamoItems({ dynamodb: local.dynamodb, table, what: PEOPLE, clock });

describePeople('in a file', (options) => keptIn(openPeopleFile(options.clock.now).items, options));

describePeople('in DynamoDB', (options) => keptIn(itemsIn(table, options.clock), options));

describe('a table of people', () => {
  test('keeps each line of the audit log, also of one instant, and opens no session to who reads it', async () => {
    const clock = createTestClock();
    const items = itemsIn(table, clock);
    const audit = createItemAuditLog(items, clock);
    const line = { action: 'decided', person: 'x|ann', entry: 'e', outcome: 'decided' } as const;
    await Promise.all([audit.write(line), audit.write(line)]);
    const cookie = await createSessions(items, { clock, longest: 1, idle: 1 }).begin(
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
    await expect(createOneTimeUses(itemsIn('missing', createTestClock())).use('x', 1)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('Writing what the page keeps of people in table "missing"'),
    });
  });
});
