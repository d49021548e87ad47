import { describe, expect, test } from 'vitest';
import { loadSweep } from '../../lambdas/sweep/sweep-state.ts';
import { versionsBetween } from '../../lambdas/sweep/versions-between.ts';
import { nextMinor } from './simulated-catalogue.ts';
import { createSweepBench, type SweepBench } from './sweep-bench.ts';

const HOUR = 3_600_000;

async function settled(): Promise<SweepBench> {
  const bench = createSweepBench();
  for (let id = 1; id <= 5; id += 1) bench.world.addPanel(id, `Panel ${id}`);
  bench.world.world.write('commented on gene: BRCA1: first', { panel_id: 1 });
  await bench.poll();
  await bench.sweep();
  return bench;
}

/** A new version of panel 2, with a row or without. */
function raise({ world }: SweepBench, text?: string): void {
  const panel = world.panels.get(2);
  if (!panel) throw new Error('the catalogue has no panel 2');
  world.setVersion(panel, nextMinor(panel.listed.version));
  if (text !== undefined) world.write(panel, text);
  world.world.clock.pass(1000);
}

test('a version without a row that a later row hides is missing from the daily figure', async () => {
  const bench = await settled();
  raise(bench, 'removed gene:GENE1 from the panel');
  raise(bench);
  raise(bench, 'removed gene:GENE2 from the panel');
  await bench.poll();
  bench.world.world.clock.pass(HOUR);
  expect(await bench.sweep()).toMatchObject({ outcome: 'explained', completeness: null });
  bench.world.world.clock.pass(24 * HOUR);
  expect(await bench.sweep()).toMatchObject({
    outcome: 'quiet',
    completeness: { versions: 3, explained: 2 },
  });
  const { completeness } = (await loadSweep(bench.documents)) ?? {};
  expect(completeness?.unexplained).toMatchObject([{ panel: 2, name: 'Panel 2', version: '1.5' }]);
});

test('a version that only a sweep found counts as explained', async () => {
  const bench = await settled();
  raise(bench);
  raise(bench);
  bench.world.world.clock.pass(HOUR);
  await bench.sweep();
  bench.world.world.clock.pass(24 * HOUR);
  expect(await bench.sweep()).toMatchObject({ completeness: { versions: 2, explained: 2 } });
});

test('a version is explained once its row surfaces, also days later', async () => {
  const bench = await settled();
  const { world } = bench;
  raise(bench);
  const at = world.world.now;
  raise(bench, 'removed gene:GENE2 from the panel');
  await bench.poll();
  world.world.clock.pass(25 * HOUR);
  expect(await bench.sweep()).toMatchObject({ completeness: { versions: 2, explained: 1 } });
  const panel = world.panels.get(2);
  if (panel) world.write(panel, 'removed gene:GENE1 from the panel', { panel_version: '1.4', at });
  for (let polls = 0; polls < 3; polls += 1) await bench.poll();
  world.world.clock.pass(25 * HOUR);
  expect(await bench.sweep()).toMatchObject({ completeness: { versions: 2, explained: 2 } });
});

describe('the versions between two', () => {
  test.each([
    ['1.3', '1.6', ['1.4', '1.5', '1.6']],
    ['1.9', '1.10', ['1.10']],
    ['1.9', '2.1', ['2.0', '2.1']],
    ['1.9', '3.0', ['2.0', '3.0']],
    ['1.9', '1.9', []],
    ['2.0', '1.9', []],
    ['', '1.0', []],
    ['x', '1.0', []],
  ])('%s and %s are %j', (from, to, versions) => {
    expect(versionsBetween(from, to)).toStrictEqual(versions);
  });
});
