import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { nextMajor, nextMinor } from './simulated-catalogue.ts';
import { createSweepHarness, type SweepHarness } from './sweep-harness.ts';

const DAY = 86_400_000;

/** A catalogue that was read for ten days, with four rows a day. */
async function settled(options: Parameters<typeof createSweepHarness>[0] = {}): Promise<SweepHarness> {
  const harness = createSweepHarness(options);
  const { catalogue } = harness;
  for (let id = 1; id <= 7; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  writeRow(harness);
  await harness.poll();
  await harness.sweep();
  await live(harness, 10);
  return harness;
}

const writeRow = ({ catalogue }: SweepHarness): void => {
  const panel = catalogue.panels.get(7);
  if (panel) catalogue.write(panel, 'commented on gene: BRCA1: ordinary', entity);
};
const entity = { item_type: 'entity', entity_name: 'BRCA1', entity_type: 'gene' };

/** Lets days pass with rows and polls. */
async function live(harness: SweepHarness, days: number): Promise<void> {
  for (let quarter = 0; quarter < days * 4; quarter += 1) {
    harness.catalogue.log.clock.pass(DAY / 4);
    writeRow(harness);
    await harness.poll();
  }
}

const kindsOf = (events: readonly PanelEvent[], panel: number): readonly string[] =>
  events
    .filter(({ data }) => data.panel?.id === panel)
    .map(({ type, data }) => {
      const via = 'via' in data.change && data.change.via === 'listing' ? 'listing' : 'log';
      return `${via} ${type.slice('gene-panel.'.length, -'.v1'.length)}${data.late ? ' late' : ''}`;
    });
const publishedOf = (harness: SweepHarness, panel: number): readonly string[] =>
  kindsOf([...harness.history.values()], panel);

test('of a panel that comes back after three weeks, the rows written meanwhile are published late, and not again from the listing', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  const panel = catalogue.panels.get(3);
  if (!panel) throw new Error('the catalogue has no panel 3');
  catalogue.show(3, false);
  await harness.sweep();
  await live(harness, 1);
  catalogue.setVersion(panel, nextMajor(panel.listed.version));
  catalogue.write(panel, `promoted panel to version ${panel.listed.version}`);
  catalogue.write(panel, 'Tag de-novo tag was added to gene: BRCA1.', entity);
  await live(harness, 20);
  expect(publishedOf(harness, 3)).toStrictEqual(['listing panel.withdrawn']);
  catalogue.show(3, true);
  await harness.sweep();
  await harness.sweep();
  expect(publishedOf(harness, 3).toSorted()).toStrictEqual([
    'listing panel.published',
    'listing panel.withdrawn',
    'log entity.tags-changed late',
    'log panel.promoted late',
  ]);
  expect(harness.table.position).toMatchObject({ search: null, older: { surfaced: 0, vanished: 0 } });
});

test('a panel that comes back waits for its rows where the search takes several polls', async () => {
  const harness = await settled({ pageSize: 2, searchPages: 10 });
  const { catalogue } = harness;
  const panel = catalogue.panels.get(3);
  if (!panel) throw new Error('the catalogue has no panel 3');
  catalogue.show(3, false);
  await harness.sweep();
  catalogue.setVersion(panel, nextMinor(panel.listed.version));
  panel.genes -= 1;
  catalogue.write(panel, 'removed gene:GENE1 from the panel');
  await live(harness, 12);
  catalogue.show(3, true);
  expect(await harness.sweep()).toMatchObject({ awaitedPanels: 1 });
  expect(publishedOf(harness, 3)).toStrictEqual(['listing panel.withdrawn']);
  for (let polls = 0; polls < 4; polls += 1) await harness.poll();
  expect(await harness.sweep()).toMatchObject({ awaitedPanels: 0 });
  expect(publishedOf(harness, 3).toSorted()).toStrictEqual([
    'listing panel.published',
    'listing panel.withdrawn',
    'log entity.removed late',
  ]);
});

test('of a panel that was internal at first, rows of months before its publication are published late', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  const panel = catalogue.addPanel(8, 'Panel 8');
  catalogue.show(8, false);
  catalogue.write(panel, 'Added panel Panel 8');
  await live(harness, 30);
  catalogue.show(8, true);
  await harness.sweep();
  await harness.poll();
  expect(publishedOf(harness, 8)).toContain('log panel.created late');
});

test('an event shortly after a new panel appeared carries its types and R codes', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  const panel = catalogue.addPanel(8, 'Panel 8');
  await harness.sweep();
  catalogue.log.clock.pass(60_000);
  catalogue.write(panel, 'commented on gene: BRCA1: first', entity);
  catalogue.log.clock.pass(60_000);
  await harness.poll();
  const facts = [...harness.history.values()]
    .filter(({ data }) => data.panel?.id === 8)
    .map(({ data }) => data.panel);
  expect(facts).toHaveLength(2);
  for (const each of facts) {
    expect(each).toMatchObject({ types: ['rare-disease'], relevantDisorders: ['R8'], signedOff: false });
  }
});

test('an event names the super panels that hold its panel, where the catalogue lists their panels', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  const superPanelsOfLast = () => [...harness.history.values()].at(-1)?.data.panel?.superPanels;
  expect(superPanelsOfLast()).toBeUndefined();
  const holder = catalogue.panels.get(1);
  if (!holder) throw new Error('the catalogue has no panel 1');
  holder.listed.child_panel_ids = [5, 7];
  await harness.sweep();
  await live(harness, 1);
  expect(superPanelsOfLast()).toStrictEqual([{ id: 1, name: 'Panel 1' }]);
});

test('where as many rows vanish as show up, the panel that vanished has the last week searched', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  const [hidden, other] = [catalogue.panels.get(3), catalogue.panels.get(4)];
  if (!hidden || !other) throw new Error('the catalogue has too few panels');
  catalogue.write(hidden, 'commented on gene: BRCA1: seen', entity);
  await live(harness, 1);
  await harness.sweep();
  const at = catalogue.log.now - 2n * 86_400_000_000n;
  catalogue.show(3, false);
  catalogue.write(other, 'commented on gene: BRCA1: two days late', { ...entity, at });
  await live(harness, 1);
  expect(publishedOf(harness, 4)).toStrictEqual([]);
  await harness.sweep();
  await harness.poll();
  expect(publishedOf(harness, 4)).toStrictEqual(['log entity.commented late']);
});
