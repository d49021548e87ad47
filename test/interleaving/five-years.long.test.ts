import { expect, test } from 'vitest';
import { simulateYears } from './five-years.ts';
import { yearsInDynamoDb, yearsInSqlite } from './five-years-places.ts';

const KEPT_DAYS = 365;

test.each([
  ['SQLite', yearsInSqlite, { every: 2, changes: 5 }],
  ['DynamoDB', yearsInDynamoDb, { every: 10, changes: 6 }],
] as const)(
  'five years of polls, sweeps, messages and states lose and repeat nothing, and need no more from the third year on, in %s',
  { timeout: 1_800_000 },
  async (store, openPlace, options) => {
    const place = await openPlace(KEPT_DAYS);
    try {
      const years = await simulateYears({ place, days: KEPT_DAYS, ...options });
      const { lost, repeated, notSent, kept, atRest, events, messages } = years;
      process.stdout.write(`${store}: ${JSON.stringify({ events, messages, kept, atRest })}\n`);
      expect({ lost, repeated, notSent }).toStrictEqual({ lost: [], repeated: 0, notSent: 0 });
      expect([kept.length, atRest.length]).toStrictEqual([5, 5]);
      const [, , third = {}, , fifth = {}] = kept;
      for (const [what, count] of Object.entries(fifth)) {
        // The last 2,000 chunks, with which sweeps compare.
        if (what === 'published_chunk') {
          expect(count).toBeLessThanOrEqual(2_010);
          continue;
        }
        const limit = (third[what] ?? 0) * 1.3 + (what === 'bytes' ? 8e6 : 20);
        expect(count, `${what} after five years`).toBeLessThanOrEqual(limit);
      }
      const [, , inThird, , inFifth] = atRest;
      for (const command of ['poll', 'sweep', 'messages', 'search'] as const) {
        expect(inFifth?.[command], command).toBeLessThanOrEqual((inThird?.[command] ?? 0) * 1.2 + 5);
      }
    } finally {
      await place.close();
    }
  },
);
