import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { nextMajor, nextMinor } from './simulated-catalogue.ts';
import { createSweepBench, type SweepBench } from './sweep-bench.ts';

const DAY = 86_400_000;

/** A catalogue that was read for ten days, with four rows a day. */
async function settled(options: Parameters<typeof createSweepBench>[0] = {}): Promise<SweepBench> {
  const bench = createSweepBench(options);
  const { world } = bench;
  for (let id = 1; id <= 7; id += 1) world.addPanel(id, `Panel ${id}`);
  writeRow(bench);
  await bench.poll();
  await bench.sweep();
  await live(bench, 10);
  return bench;
}

const writeRow = ({ world }: SweepBench): void => {
  const panel = world.panels.get(7);
  if (panel) world.write(panel, 'commented on gene: BRCA1: ordinary', entity);
};
const entity = { item_type: 'entity', entity_name: 'BRCA1', entity_type: 'gene' };

/** Lets days pass with rows and polls. */
async function live(bench: SweepBench, days: number): Promise<void> {
  for (let quarter = 0; quarter < days * 4; quarter += 1) {
    bench.world.world.clock.pass(DAY / 4);
    writeRow(bench);
    await bench.poll();
  }
}

const kindsOf = (events: readonly PanelEvent[], panel: number): readonly string[] =>
  events
    .filter(({ data }) => data.panel?.id === panel)
    .map(({ type, data }) => {
      const via = 'via' in data.change && data.change.via === 'listing' ? 'listing' : 'log';
      return `${via} ${type.slice('gene-panel.'.length, -'.v1'.length)}${data.late ? ' late' : ''}`;
    });
const publishedOf = (bench: SweepBench, panel: number): readonly string[] =>
  kindsOf([...bench.history.values()], panel);

test('of a panel that comes back after three weeks, the rows written meanwhile are published late, and not again from the listing', async () => {
  const bench = await settled();
  const { world } = bench;
  const panel = world.panels.get(3);
  if (!panel) throw new Error('the catalogue has no panel 3');
  world.show(3, false);
  await bench.sweep();
  await live(bench, 1);
  world.setVersion(panel, nextMajor(panel.listed.version));
  world.write(panel, `promoted panel to version ${panel.listed.version}`);
  world.write(panel, 'Tag de-novo tag was added to gene: BRCA1.', entity);
  await live(bench, 20);
  expect(publishedOf(bench, 3)).toStrictEqual(['listing panel.withdrawn']);
  world.show(3, true);
  await bench.sweep();
  await bench.sweep();
  expect(publishedOf(bench, 3).toSorted()).toStrictEqual([
    'listing panel.published',
    'listing panel.withdrawn',
    'log entity.tags-changed late',
    'log panel.promoted late',
  ]);
  expect(bench.table.position).toMatchObject({ search: null, older: { surfaced: 0, vanished: 0 } });
});

test('a panel that comes back waits for its rows where the search takes several polls', async () => {
  const bench = await settled({ pageSize: 2, searchPages: 10 });
  const { world } = bench;
  const panel = world.panels.get(3);
  if (!panel) throw new Error('the catalogue has no panel 3');
  world.show(3, false);
  await bench.sweep();
  world.setVersion(panel, nextMinor(panel.listed.version));
  panel.genes -= 1;
  world.write(panel, 'removed gene:GENE1 from the panel');
  await live(bench, 12);
  world.show(3, true);
  expect(await bench.sweep()).toMatchObject({ awaitedPanels: 1 });
  expect(publishedOf(bench, 3)).toStrictEqual(['listing panel.withdrawn']);
  for (let polls = 0; polls < 4; polls += 1) await bench.poll();
  expect(await bench.sweep()).toMatchObject({ awaitedPanels: 0 });
  expect(publishedOf(bench, 3).toSorted()).toStrictEqual([
    'listing panel.published',
    'listing panel.withdrawn',
    'log entity.removed late',
  ]);
});

test('of a panel that was internal at first, rows of months before its publication are published late', async () => {
  const bench = await settled();
  const { world } = bench;
  const panel = world.addPanel(8, 'Panel 8');
  world.show(8, false);
  world.write(panel, 'Added panel Panel 8');
  await live(bench, 30);
  world.show(8, true);
  await bench.sweep();
  await bench.poll();
  expect(publishedOf(bench, 8)).toContain('log panel.created late');
});

test('an event shortly after a new panel appeared carries its types and R codes', async () => {
  const bench = await settled();
  const { world } = bench;
  const panel = world.addPanel(8, 'Panel 8');
  await bench.sweep();
  world.world.clock.pass(60_000);
  world.write(panel, 'commented on gene: BRCA1: first', entity);
  world.world.clock.pass(60_000);
  await bench.poll();
  const facts = [...bench.history.values()]
    .filter(({ data }) => data.panel?.id === 8)
    .map(({ data }) => data.panel);
  expect(facts).toHaveLength(2);
  for (const each of facts) {
    expect(each).toMatchObject({ types: ['rare-disease'], relevantDisorders: ['R8'], signedOff: false });
  }
});

test('an event names the super panels that hold its panel, where the catalogue lists their panels', async () => {
  const bench = await settled();
  const { world } = bench;
  const superPanelsOfLast = () => [...bench.history.values()].at(-1)?.data.panel?.superPanels;
  expect(superPanelsOfLast()).toBeUndefined();
  const holder = world.panels.get(1);
  if (!holder) throw new Error('the catalogue has no panel 1');
  holder.listed.child_panel_ids = [5, 7];
  await bench.sweep();
  await live(bench, 1);
  expect(superPanelsOfLast()).toStrictEqual([{ id: 1, name: 'Panel 1' }]);
});

test('where as many rows vanish as surface, the panel that vanished has the last week searched', async () => {
  const bench = await settled();
  const { world } = bench;
  const [hidden, other] = [world.panels.get(3), world.panels.get(4)];
  if (!hidden || !other) throw new Error('the catalogue has too few panels');
  world.write(hidden, 'commented on gene: BRCA1: seen', entity);
  await live(bench, 1);
  await bench.sweep();
  const at = world.world.now - 2n * 86_400_000_000n;
  world.show(3, false);
  world.write(other, 'commented on gene: BRCA1: two days late', { ...entity, at });
  await live(bench, 1);
  expect(publishedOf(bench, 4)).toStrictEqual([]);
  await bench.sweep();
  await bench.poll();
  expect(publishedOf(bench, 4)).toStrictEqual(['log entity.commented late']);
});
