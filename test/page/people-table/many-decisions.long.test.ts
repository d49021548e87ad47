import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createWorklistStore, WORKLIST } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { createDynamoItems } from '../../../lambdas/store/items-dynamodb.ts';
import { createItemAuditLog, PEOPLE } from '../../../page/sign-in/people-file.ts';
import { decideAudited } from '../../../page/worklist/worklist-query.ts';
import { entryOf } from '../../questions/worklist/entries.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { createTable } from '../../store/create-table.ts';
import { openLocalDynamoDb } from '../../store/local-dynamodb.ts';
import { tableKeys } from '../../store/table-keys.ts';
import { turnedGreen } from '../../words/events.ts';

/** If each takes 50 ms, so many take 10 s of the 29 s that a request has. */
const MOST_ROUND_TRIPS = 200;

test('500 decisions of a deployed page wait for few round trips', async () => {
  const local = await openLocalDynamoDb();
  onTestFinished(() => local.close());
  const table = await createTable(local.dynamodb, `many${local.suffix}`, tableKeys);
  const clock = createTestClock();
  let [underWay, roundTrips, calls] = [0, 0, 0];
  local.dynamodb.middlewareStack.add((next) => async (given) => {
    calls += 1;
    if (underWay++ === 0) roundTrips += 1;
    try {
      const reply = await next(given);
      // Those that began together end together, as over a network.
      await nextTurn();
      return reply;
    } finally {
      underWay -= 1;
    }
  });
  const place = { dynamodb: local.dynamodb, table };
  const entry = entryOf([turnedGreen()]);
  const entries = Array.from({ length: 500 }, (_, at) => ({
    ...entry,
    id: at.toString(16).padStart(32, '0'),
  }));
  const decided = await decideAudited(
    {
      person: { id: 'x|ann', name: 'Ann', account: 'ann', role: 'decider' },
      state: 'no-action',
      why: 'no case',
      chosen: entries.map(({ id }) => ({ id, revision: 0, assignments: 0 })),
    },
    {
      entries,
      store: createWorklistStore(createDynamoItems({ ...place, what: WORKLIST, clock })),
      audit: createItemAuditLog(createDynamoItems({ ...place, what: PEOPLE, clock }), clock),
      clock,
    },
  );
  expect(decided.map(({ kind }) => kind)).toStrictEqual(entries.map(() => 'decided'));
  expect(calls).toBe(2_000);
  expect(roundTrips).toBeLessThan(MOST_ROUND_TRIPS);
});
