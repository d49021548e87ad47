import { expect, test } from 'vitest';
import { examine } from './examine.ts';
import { interleave } from './interleave.ts';

test.each(['DynamoDB', 'SQLite'] as const)(
  'a run of everything at the same time loses nothing and repeats nothing, on %s',
  { tags: 'slow' },
  async (store) => {
    const run = await interleave({ seed: 2, store, deaths: 0.35, faults: 0.02 });
    try {
      expect(await examine(run)).toStrictEqual({
        ...{ lost: [], twice: [], bodies: [], coverage: [], messages: [], unrest: [] },
      });
      expect(run.accepted.length).toBeGreaterThan(5);
    } finally {
      run.stores.close();
    }
  },
);
