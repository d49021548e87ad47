import { expect, test } from 'vitest';
import { factsOfSnapshot, withVersionsSeen } from '../../lambdas/reconcile/facts-of-snapshot.ts';
import type { KnownPanel, ListedPanel, Snapshot } from '../../lambdas/reconcile/listed.ts';

const BEFORE = Date.parse('2026-11-20T09:00:00Z');
const NOW = Date.parse('2026-11-20T12:00:00Z');
const BEGAN = '2026-11-01T08:00:00.000000Z';
const LATER = '2026-11-20T10:30:00.000000Z';
/** The last of the ten panels is hidden since. */
const HIDDEN = 10;

const panelOf = (id: number): ListedPanel => ({
  id,
  name: `Panel ${id}`,
  status: 'public',
  version: `0.${id}`,
  versionCreated: BEGAN,
  types: [],
  diseaseGroup: '',
  diseaseSubGroup: '',
  description: '',
  relevantDisorders: [],
  genes: 1,
  strs: 0,
  regions: 0,
  childPanels: [],
});

const all = Array.from({ length: 10 }, (_, index) => panelOf(index + 1));
const before: Snapshot = {
  listedAt: BEFORE,
  panels: new Map(
    all.map((panel): [number, KnownPanel] => [
      panel.id,
      { panel, regions: [], ...(panel.id === HIDDEN && { lastListedAt: BEFORE }) },
    ]),
  ),
};
const known = factsOfSnapshot(before);

/** The versions that proofs know, newest first, of the panels of which a listing shows a next one. */
function seenIn(panels: readonly ListedPanel[]): Readonly<Record<number, readonly string[]>> {
  const seen = withVersionsSeen(known, before, { panels, listedAt: NOW });
  expect(seen?.panels.size ?? known.panels.size).toBeGreaterThanOrEqual(known.panels.size);
  return Object.fromEntries(
    [...(seen?.panels ?? [])]
      .filter(([id, panel]) => panel !== known.panels.get(id))
      .map(([id, { versions }]) => [id, versions.map(({ version }) => version)]),
  );
}

const eachWith = (change: (panel: ListedPanel) => Partial<ListedPanel>): readonly ListedPanel[] =>
  all.slice(0, 9).map((panel) => ({ ...panel, ...change(panel) }));
const shownWith = (change: Partial<ListedPanel>): readonly ListedPanel[] =>
  all.slice(0, 5).map((panel) => (panel.id === 3 ? { ...panel, ...change } : panel));

test('a panel that is still shown has its next version, and the others stay as they were', () => {
  expect(seenIn(shownWith({ version: '0.4', versionCreated: LATER }))).toEqual({ 3: ['0.4', '0.3'] });
});

test.each<[string, Partial<ListedPanel>]>([
  ['promoted', { version: '1.0', versionCreated: LATER }],
  ['promoted twice', { version: '2.1', versionCreated: LATER }],
  ['set back, in a version that begins then', { version: '0.1', versionCreated: LATER }],
  ['renamed', { version: '0.4', versionCreated: LATER, name: 'Another name' }],
])('a panel that was %s has another version', (_what, change) => {
  expect(seenIn(shownWith(change))).toEqual({ 3: [change.version, '0.3'] });
});

test('a hidden panel that is shown again is known as it was, with its next version', () => {
  const hidden = { ...panelOf(HIDDEN), version: '0.11', versionCreated: LATER };
  expect(seenIn([...all.slice(0, 4), hidden])).toEqual({ [HIDDEN]: ['0.11', '0.10'] });
  expect(seenIn([...all.slice(0, 4), panelOf(HIDDEN)])).toEqual({ [HIDDEN]: ['0.10'] });
});

test('what else a listing shows is not taken over, and when the facts were read stays so', () => {
  const panels = shownWith({ version: '0.4', versionCreated: LATER, diseaseGroup: 'Made up' });
  const seen = withVersionsSeen(known, before, { panels, listedAt: NOW });
  expect(seen?.readAt).toBe(known.readAt);
  expect(seen?.listedAt).toBe(NOW);
  expect(seen?.panels.get(3)?.facts).toEqual(known.panels.get(3)?.facts);
});

test.each<[string, readonly ListedPanel[]]>([
  ['nothing', []],
  ['half of the panels as they were', all.slice(0, 5)],
  ['all versions as 1.0', eachWith(() => ({ version: '1.0' }))],
  ['a version of eleven digits', eachWith(() => ({ version: '99999999999.0', versionCreated: LATER }))],
  ['a version far ahead', eachWith(() => ({ version: '57.0', versionCreated: LATER }))],
  ['a minor version far ahead', eachWith(() => ({ version: '0.5000', versionCreated: LATER }))],
  ['versions without a day', eachWith(() => ({ version: '1.0', versionCreated: 'soon' }))],
  ['versions of tomorrow', eachWith(() => ({ version: '1.0', versionCreated: '2026-11-21T09:00:00Z' }))],
  ['an earlier listing', eachWith(() => ({ version: '0.0', versionCreated: '2026-10-01T09:00:00Z' }))],
  ['other ids', eachWith(({ id }) => ({ id: id + 500, version: `1.${id}`, versionCreated: LATER }))],
  [
    'ids that others had',
    eachWith(({ id }) => ({ id: (id % 10) + 1, version: `1.${id}`, versionCreated: LATER })),
  ],
  [
    'the panels of another catalogue',
    eachWith(({ id }) => ({ name: `Other ${id}`, version: '2.0', versionCreated: LATER })),
  ],
  [
    'a panel under the id of another one',
    shownWith({ name: 'Panel 8', version: '0.9', versionCreated: LATER }),
  ],
  ['a panel that was never listed', [...all.slice(0, 5), { ...panelOf(77), versionCreated: LATER }]],
])('%s gives no panel a version', (_what, panels) => {
  expect(seenIn(panels)).toEqual({});
});
