import { describe, expect, test } from 'vitest';
import { versionsBetween } from '../../lambdas/events/order.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { nextMinor } from './simulated-catalogue.ts';
import { createSweepHarness, type SweepHarness } from './sweep-harness.ts';

const HOUR = 3_600_000;

async function settled(): Promise<SweepHarness> {
  const harness = createSweepHarness();
  for (let id = 1; id <= 5; id += 1) harness.catalogue.addPanel(id, `Panel ${id}`);
  harness.catalogue.log.write('commented on gene: BRCA1: first', { panel_id: 1 });
  await harness.poll();
  await harness.sweep();
  return harness;
}

/** A new version of panel 2, with a row or without. */
function raise({ catalogue }: SweepHarness, text?: string): void {
  const panel = catalogue.panels.get(2);
  if (!panel) throw new Error('the catalogue has no panel 2');
  catalogue.setVersion(panel, nextMinor(panel.listed.version));
  if (text !== undefined) catalogue.write(panel, text);
  catalogue.log.clock.pass(1000);
}

test('a version without a row that a later row hides is missing from the daily figure', async () => {
  const harness = await settled();
  raise(harness, 'removed gene:GENE1 from the panel');
  raise(harness);
  raise(harness, 'removed gene:GENE2 from the panel');
  await harness.poll();
  harness.catalogue.log.clock.pass(HOUR);
  expect(await harness.sweep()).toMatchObject({ outcome: 'explained', completeness: null });
  harness.catalogue.log.clock.pass(24 * HOUR);
  expect(await harness.sweep()).toMatchObject({
    outcome: 'quiet',
    completeness: { versions: 3, explained: 2 },
  });
  const { completeness } = (await loadSweep(harness.documents)) ?? {};
  expect(completeness?.unexplained).toMatchObject([{ panel: 2, name: 'Panel 2', version: '1.5' }]);
});

test('a version that only a sweep found counts as explained', async () => {
  const harness = await settled();
  raise(harness);
  raise(harness);
  harness.catalogue.log.clock.pass(HOUR);
  await harness.sweep();
  harness.catalogue.log.clock.pass(24 * HOUR);
  expect(await harness.sweep()).toMatchObject({ completeness: { versions: 2, explained: 2 } });
});

test('a version is explained once its row shows up, also days later', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  raise(harness);
  const at = catalogue.log.now;
  raise(harness, 'removed gene:GENE2 from the panel');
  await harness.poll();
  catalogue.log.clock.pass(25 * HOUR);
  expect(await harness.sweep()).toMatchObject({ completeness: { versions: 2, explained: 1 } });
  const panel = catalogue.panels.get(2);
  if (panel) catalogue.write(panel, 'removed gene:GENE1 from the panel', { panel_version: '1.4', at });
  for (let polls = 0; polls < 3; polls += 1) await harness.poll();
  catalogue.log.clock.pass(25 * HOUR);
  expect(await harness.sweep()).toMatchObject({ completeness: { versions: 2, explained: 2 } });
});

describe('the versions between two', () => {
  test.each([
    ['1.3', '1.6', ['1.4', '1.5', '1.6']],
    ['1.9', '1.10', ['1.10']],
    ['1.9', '2.1', ['2.0', '2.1']],
    ['1.9', '3.0', ['2.0', '3.0']],
    ['1.9', '1.9', []],
    ['2.0', '1.9', []],
    ['1.0', '999999999.0', []],
    ['1.0', '1.999999999', []],
    ['', '1.0', []],
    ['x', '1.0', []],
  ])('%s and %s are %j', (from, to, versions) => {
    expect(versionsBetween(from, to)).toStrictEqual(versions);
  });
});
