import { expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Archive } from '../../lambdas/panels/archive.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { openProving, type Proving } from './open-proving.ts';
import { archiveWith } from './proving-harness.ts';

const HOUR = 3_600_000;

/** A catalogue of which every panel was read once, and then got a new version by a row. */
async function openWithNewVersions(): Promise<Proving> {
  const { clock, catalogue, harness } = await openProving({ ties: 'fixed' });
  await harness.poll();
  await harness.sweep();
  await harness.prove();
  clock.pass(HOUR);
  const changed = new Set<number>();
  for (let times = 0; times < 400 && changed.size < 14; times += 1) {
    // An archive may be made after the first rows of the next version: those of one moment explain many a lie.
    clock.pass(2 * 60_000);
    changed.add(catalogue.act({ kind: 'rate' }).panel.id);
  }
  expect(changed.size).toBe(14);
  return { clock, catalogue, harness };
}

/** An archive that shows the first gene of each panel with a rating that it never had. */
function lyingArchive(archive: Archive, isLying: (version?: string) => boolean): Archive {
  const untrue = (state: VersionState): VersionState => ({
    ...state,
    entities: state.entities.map((entity, index) =>
      index > 0 ? entity : { ...entity, rating: entity.rating === 'green' ? 'amber' : 'green' },
    ),
    sha256: `${state.sha256.slice(0, -4)}lies`,
  });
  return archiveWith(archive, {
    async read(panelId, version) {
      const answer = await archive.read(panelId, version);
      if (!isLying(version) || answer.kind !== 'state' || answer.state.childPanels.length > 0) return answer;
      return { kind: 'state', state: untrue(answer.state) };
    },
  });
}

const bySnapshot = async ({ harness }: Proving): Promise<readonly PanelEvent[]> =>
  (await harness.events()).filter(({ data: { change } }) => 'via' in change && change.via === 'snapshot');

async function readAll({ clock, harness }: Proving, archive: Archive, minutes: number) {
  clock.pass(minutes * 60_000);
  await harness.poll();
  await harness.sweep();
  return harness.prove({ archive });
}

test('what many panels show at once without a row is not published where a second reading says otherwise', async () => {
  const all = await openWithNewVersions();
  let lies = true;
  const archive = lyingArchive(all.harness.archive, () => lies);
  const refused: boolean[] = [];
  for (let times = 0; times < 3; times += 1) refused.push((await readAll(all, archive, 20)).refused);
  expect(refused).toContain(true);
  expect((await bySnapshot(all)).map(({ data }) => data.summary)).toEqual([]);
  lies = false;
  for (let times = 0; times < 4; times += 1) await readAll(all, archive, 90);
  expect((await bySnapshot(all)).map(({ data }) => data.summary)).toEqual([]);
  expect(await readAll(all, archive, 25 * 60)).toMatchObject({ unproven: 0, percent: 100, refused: false });
});

test('what many panels show at once without a row is published once where a second reading says the same', async () => {
  const all = await openWithNewVersions();
  const archive = lyingArchive(all.harness.archive, () => true);
  await readAll(all, archive, 20);
  await readAll(all, archive, 20);
  expect(await bySnapshot(all)).toEqual([]);
  const waiting = (await all.harness.unproven()).filter(({ why }) => why.includes('second reading'));
  expect(waiting.length).toBeGreaterThan(10);
  for (let times = 0; times < 4; times += 1) await readAll(all, archive, 70);
  const published = await bySnapshot(all);
  expect(new Set(published.map(({ data }) => data.panel?.id)).size).toBeGreaterThan(10);
  expect(await all.harness.unproven()).toEqual([]);
  await readAll(all, archive, 70);
  expect(await bySnapshot(all)).toEqual(published);
});

test('panels that an earlier run read and did not compare yet count as if they differed', async () => {
  const all = await openWithNewVersions();
  let lies = true;
  const archive = lyingArchive(all.harness.archive, (version) => lies && version === undefined);
  for (let times = 0; times < 3; times += 1) await readAll(all, archive, 20);
  expect((await bySnapshot(all)).map(({ data }) => data.summary)).toEqual([]);
  lies = false;
  for (let times = 0; times < 4; times += 1) await readAll(all, archive, 90);
  expect((await bySnapshot(all)).map(({ data }) => data.summary)).toEqual([]);
});

test('a state that was read while its panel was saved publishes nothing', async () => {
  const all = await openProving({ ties: 'fixed' });
  await all.harness.poll();
  await all.harness.sweep();
  await all.harness.prove();
  all.clock.pass(HOUR);
  all.catalogue.act({ kind: 'rate' });
  let torn = 0;
  const archive = lyingArchive(all.harness.archive, (version) => version === undefined && torn++ === 0);
  for (let times = 0; times < 6; times += 1) await readAll(all, archive, 30);
  expect(torn).toBeGreaterThan(1);
  expect((await bySnapshot(all)).map(({ data }) => data.summary)).toEqual([]);
  expect(await readAll(all, archive, 30)).toMatchObject({ unproven: 0, percent: 100 });
});

test.each([
  ['the version before it', true],
  ['that version alone', false],
])(
  'a catalogue that showed nothing of a panel at first, %s, has nothing published once it shows the truth',
  async (_what, hasVersionBefore) => {
    const all = await openProving({ ties: 'fixed' });
    const { catalogue, harness } = all;
    const panels = (await (await fetch(`${catalogue.url}panels/`)).json()) as {
      readonly results: readonly { readonly id: number }[];
    };
    const panelId = panels.results[0]?.id ?? 0;
    catalogue.act({ kind: 'make internal silently', panel: panelId });
    await harness.poll();
    await harness.sweep();
    await harness.prove();
    all.clock.pass(HOUR);
    catalogue.act({ kind: 'make public silently', panel: panelId });
    all.clock.pass(2 * 60_000);
    // Without a row, no poll asks for the version before it.
    if (hasVersionBefore) catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
    let lies = true;
    const archive = archiveWith(harness.archive, {
      async read(id, version) {
        const answer = await harness.archive.read(id, version);
        if (!lies || id !== panelId || answer.kind !== 'state') return answer;
        return {
          kind: 'state',
          state: { ...answer.state, entities: [], sha256: `${answer.state.sha256.slice(0, -4)}none` },
        };
      },
    });
    for (let times = 0; times < 2; times += 1) await readAll(all, archive, 30);
    expect((await harness.states.versions(panelId)).map(({ proof }) => proof.kind)).toContain('baseline');
    lies = false;
    catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
    for (let times = 0; times < 4; times += 1) await readAll(all, archive, 61);
    const added = async () =>
      (await bySnapshot(all)).filter(({ type }) => type === 'gene-panel.entity.added.v1');
    expect((await added()).map(({ data }) => data.summary)).toEqual([]);
    // What was read first is taken back only by what is read again after a day.
    for (let times = 0; times < 2; times += 1) await readAll(all, archive, 25 * 60);
    const [first] = await harness.states.versions(panelId);
    expect((first && (await harness.states.read(first)))?.entities.length).toBeGreaterThan(3);
    expect((await added()).map(({ data }) => data.summary)).toEqual([]);
    expect(await readAll(all, archive, 25 * 60)).toMatchObject({ unproven: 0, percent: 100 });
  },
);

test('what a lie of the archive published is undone once two later readings show something else, and counted as corrected', async () => {
  const all = await openProving({ ties: 'fixed' });
  await readAll(all, all.harness.archive, 0);
  all.clock.pass(HOUR);
  all.catalogue.act({ kind: 'rate' });
  let lies = true;
  const archive = lyingArchive(all.harness.archive, () => lies);
  for (let times = 0; times < 2; times += 1) await readAll(all, archive, 30);
  const untrue = await bySnapshot(all);
  expect(untrue.length).toBeGreaterThan(0);
  lies = false;
  let corrected = 0;
  for (let times = 0; times < 3; times += 1) corrected += (await readAll(all, archive, 61)).corrected;
  const undone = (await bySnapshot(all)).filter(({ id }) => !untrue.some((one) => one.id === id));
  const ratings = ({ data: { entity, change } }: PanelEvent) =>
    'direction' in change && 'from' in change
      ? { name: entity?.name, from: change.from, to: change.to }
      : null;
  const reversed = untrue.map(ratings).map((one) => one && { ...one, from: one.to, to: one.from });
  expect(undone.map(ratings)).toEqual(reversed);
  expect(corrected).toBe(undone.length);
  // What is right is read once more after a day, and then no more.
  await readAll(all, archive, 25 * 60);
  expect(await readAll(all, archive, 25 * 60)).toMatchObject({ requests: 0, unproven: 0, percent: 100 });
});
