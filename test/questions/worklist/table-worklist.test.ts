import { expect, test } from 'vitest';
import { breast, turnedGreen } from '../../words/events.ts';
import { panels } from './kept-behaviour.ts';
import { openTablePlaces } from './table-places.ts';

const openPlaces = openTablePlaces();

const HOUR = 60 * 60_000;

test('of a panel without new events the items are read, and no events', async () => {
  const { append, keep, clock, items, keeping, read } = await openPlaces();
  await append(panels.slice(0, 2).map((panel) => turnedGreen({ panel })));
  clock.pass(HOUR);
  await keep();
  // What is kept of panel 1 counts, although its event says something else.
  const [part] = await items.list('worklist-changes', '1#');
  const value = JSON.parse(JSON.stringify(part?.value).replaceAll('BRCA1', 'KEPT'));
  await items.put({ partition: 'worklist-changes', id: part?.id ?? '', value });
  await append([turnedGreen({ panel: panels[1] ?? breast, gene: 'NEW' })]);
  const { entries } = await read(keeping);
  expect(entries.map(({ panel, entity }) => `${panel.id} ${entity?.name}`).toSorted()).toEqual([
    '1 KEPT',
    '2 BRCA1',
    '2 NEW',
  ]);
});

test('the changes of a panel are read in parts; of one whose parts differ, the events are read', async () => {
  const { append, keep, clock, items, changes } = await openPlaces();
  const genes = Array.from({ length: 501 }, (_, index) => `GENE${index}`);
  await append(genes.map((gene) => turnedGreen({ gene, panel: { ...breast, id: 1 } })));
  clock.pass(HOUR);
  await keep();
  expect(await changes()).toBe(501);
  const parts = await items.list('worklist-changes', '1#');
  expect(parts).toHaveLength(2);
  const [, second] = parts;
  await items.put({
    partition: 'worklist-changes',
    id: '1#0001',
    value: { ...Object(second?.value), mark: 'other' },
  });
  expect(await changes()).toBe(501);
  await items.remove('worklist-changes', '1#0001');
  expect(await changes()).toBe(501);
});

test('changes that another derivation gave are derived, and kept anew', async () => {
  const { append, keep, clock, items, changes } = await openPlaces();
  await append([turnedGreen()]);
  clock.pass(HOUR);
  expect(await changes()).toBeNull();
  await keep();
  expect(await changes()).toBe(1);
  const span = await items.get('worklist-changes', 'span');
  const value = { ...Object(span?.value), derivation: 0 };
  await items.put({ partition: 'worklist-changes', id: 'span', value });
  expect(await changes()).toBeNull();
  await keep();
  expect(await changes()).toBe(1);
});

test('where the history forgets, what is kept is read too; of a panel that lost an event, the events are read', async () => {
  const { append, keep, clock, items, changes, keeping, deriving, read } = await openPlaces({
    retentionDays: 10,
  });
  const [one = breast, other = breast] = panels;
  await append([turnedGreen({ panel: one }), turnedGreen({ panel: one, gene: 'OLD' })]);
  clock.pass(120 * HOUR);
  await append([turnedGreen({ panel: one, gene: 'NEW' }), turnedGreen({ panel: other })]);
  clock.pass(HOUR);
  await keep();
  for (const [passed, left] of [
    [0, 4],
    [118, 4],
    [1, 2],
    [119, 2],
    [1, 0],
  ] as const) {
    clock.pass(passed * HOUR);
    expect(await changes()).toBe(left);
    expect(await read(keeping)).toEqual(await read(deriving));
  }
  await keep();
  expect(await changes()).toBe(0);
  const [part] = await items.list('worklist-changes', '1#');
  expect(part?.value).toMatchObject({ panel: { changes: [] } });
});
