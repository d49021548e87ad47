import { expect, test } from 'vitest';
import { examine } from './examine.ts';
import { interleave } from './interleave.ts';

test('a run of everything at the same time loses nothing and repeats nothing', { tags: 'slow' }, async () => {
  const run = await interleave({ seed: 2, store: 'SQLite', deaths: 0.35, faults: 0.02 });
  try {
    expect(await examine(run)).toStrictEqual({
      ...{
        lost: [],
        twice: [],
        bodies: [],
        contradicted: [],
        coverage: [],
        unproven: [],
        messages: [],
        unrest: [],
      },
    });
    expect(run.accepted.length).toBeGreaterThan(5);
  } finally {
    run.stores.close();
  }
});
