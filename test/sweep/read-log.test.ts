import { expect, test } from 'vitest';
import { silentLog as log } from '../../lambdas/log/log.ts';
import type { Stored } from '../../lambdas/state/store.ts';
import { createReadLog } from '../../lambdas/sweep/sweep-options.ts';

const never = async (): Promise<never> => {
  throw new Error('It was polled');
};

test.each([
  ['no poll has begun', null],
  ['an earlier release wrote, while an update may still be undone', { inEarlierForm: true } as Stored],
])('sweeps and proofs leave a state alone that %s', async (_what, stored) => {
  const readLog = createReadLog({ store: { load: async () => stored }, poll: never, log });
  expect(await readLog(null)).toEqual({ complete: false, searching: false });
});
