import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { ProofOptions } from '../../lambdas/reconcile/proof-options.ts';
import { openProving } from './open-proving.ts';

const HOUR = 3_600_000;
async function open({ history = 120 }: { readonly history?: number } = {}) {
  const { clock, catalogue, harness } = await openProving({ history });
  await harness.poll();
  await harness.sweep();
  const run = async (hours: number, given: Partial<ProofOptions> = {}) => {
    clock.pass(hours * HOUR);
    await harness.poll();
    await harness.sweep();
    return harness.prove(given);
  };
  const bySnapshot = async (): Promise<readonly PanelEvent[]> =>
    (await harness.events()).filter(({ data: { change } }) => 'via' in change && change.via === 'snapshot');
  return { clock, catalogue, harness, run, bySnapshot };
}

test('an index of the history that lags makes no change without a row of one that has a row', async () => {
  const { catalogue, harness, run, bySnapshot } = await open();
  await harness.prove();
  for (let times = 0; times < 20; times += 1) catalogue.act({ kind: 'rate' });
  const lagging: ProofOptions['history'] = {
    append: async () => {},
    async *find() {},
  };
  await run(1, { history: lagging });
  expect(await run(1, { history: lagging })).toMatchObject({ events: 0, unproven: 0 });
  expect(await bySnapshot()).toEqual([]);
});
