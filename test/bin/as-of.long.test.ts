import { expect, test } from 'vitest';
import { followDays } from './as-of-days.ts';

const seeds = Array.from(
  { length: Number(process.env.SEEDS ?? 3) },
  (_, at) => Number(process.env.FIRST_SEED ?? 2) + at,
);

test.each(seeds)(
  'seed %i: answers of three weeks are given again, byte for byte',
  async (seed) => {
    const { answers, run } = await followDays({ days: 21, seed });
    for (const { at, args, ran } of answers)
      expect(await run(...args, '--as-of', at), `${args.join(' ')} as of ${at}`).toStrictEqual(ran);
  },
  600_000,
);
