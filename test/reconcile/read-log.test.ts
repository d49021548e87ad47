import { expect, test } from 'vitest';
import { createReadLog } from '../../lambdas/reconcile/sweep-report.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';

const never = async (): Promise<never> => {
  throw new Error('It was polled');
};

test('sweeps and proofs do not read the log of a catalogue with which no poll has begun', async () => {
  const readLog = createReadLog({ store: { load: async () => null }, poll: never, log });
  expect(await readLog(null)).toEqual({ complete: false, searching: false });
});
