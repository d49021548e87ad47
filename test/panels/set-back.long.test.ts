import { expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import { readAhead } from '../../lambdas/panels/panel-versions.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import type { CatalogueOptions } from '../../sandbox/catalogue/start.ts';
import { openProving, type Proving } from './open-proving.ts';
import { archiveWith } from './proving-harness.ts';

const HOUR = 3_600_000;

interface ShownGene {
  readonly entity_name: string;
  readonly confidence_level: string;
}

/** A catalogue of which every panel was read once. */
async function open(distort?: CatalogueOptions['distort']): Promise<Proving> {
  const { clock, catalogue, harness } = await openProving({ ties: 'fixed', ...(distort && { distort }) });
  await readAll({ clock, catalogue, harness });
  return { clock, catalogue, harness };
}

/** The same, of which one panel can be shown with a first gene that has no rating. */
async function openLying() {
  let lyingOf = 0;
  const all = await open((url, right) => {
    if (!url.pathname.includes(`/panels/${lyingOf}/`)) return right;
    const detail = JSON.parse(right.body) as { readonly genes: readonly object[] };
    const genes = detail.genes.map((gene, index) =>
      index === 0 ? { ...gene, confidence_level: '0' } : gene,
    );
    return { ...right, body: JSON.stringify({ ...detail, genes }) };
  });
  const lieOf = (panelId: number): void => {
    lyingOf = panelId;
  };
  return { all, lieOf };
}

/** Lets an hour pass, and reads everything: the log, the listings and the states. */
async function readAll({ clock, harness }: Proving) {
  clock.pass(HOUR);
  await harness.poll();
  await harness.sweep();
  return harness.prove();
}

/** Acts until a kind of action falls on a panel, or on any one. Returns the panel's id. */
function actOn({ clock, catalogue }: Proving, kind: string, panelId?: number): number {
  for (let times = 0; times < 1000; times += 1) {
    clock.pass(60_000);
    const { panel } = catalogue.act({ kind });
    if (panelId === undefined || panel.id === panelId) return panel.id;
  }
  throw new Error(`no action fell on panel ${panelId}`);
}

const versionsOf = async ({ harness }: Proving, panelId: number) =>
  (await harness.states.versions(panelId)).map(({ version, proof }) => ({ version, proof: proof.kind }));

/** The numbers of a version and of its neighbours. */
function numbersAround(version: string): { readonly below: string; readonly above: string } {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return { below: `${major}.${minor - 1}`, above: `${major}.${minor + 1}` };
}

/** A panel whose version has a lower number to go back to, and the one that it has. */
async function somePanel({ harness, catalogue }: Proving) {
  const found = (await harness.states.panels()).find(
    ({ version, childPanels }) => childPanels.length === 0 && Number(version.split('.')[1]) > 2,
  );
  if (!found || !catalogue.details?.present(found.panelId)) throw new Error('there is no such panel');
  return found;
}

/** Reads a panel under one version, and another time after its numbers went back. */
async function setBack(beforeThat: number) {
  const all = await open();
  const { panelId, version } = await somePanel(all);
  for (let times = 0; times < beforeThat; times += 1) actOn(all, 'rate a gene as administrator', panelId);
  const unread = instantOf(all.clock.now());
  actOn(all, 'set the version back silently', panelId);
  return { all, panelId, version, unread };
}

test('a panel whose version numbers went back begins anew with one baseline, and verify says so', async () => {
  const { all, panelId, version } = await setBack(0);
  actOn(all, 'rate a gene as administrator', panelId);
  actOn(all, 'rate a gene as administrator', panelId);
  for (let times = 0; times < 3; times += 1) await readAll(all);
  const { above } = numbersAround(version);
  expect(await versionsOf(all, panelId)).toEqual([
    { version, proof: 'baseline' },
    { version: above, proof: 'baseline' },
  ]);
  const verified = await all.harness.verified(panelId);
  expect(verified.map(({ why }) => why)).toEqual([
    null,
    `the version numbers of the panel went back after ${version}: it begins anew`,
  ]);
  // What the panel holds now is published all the same: nobody keeps a rating that is no longer so.
  const state = await all.harness.states.newest(panelId);
  const published = (await all.harness.events()).filter(({ data }) => data.panel?.id === panelId);
  const led = new Map(
    published.flatMap(({ data: { entity, change } }) =>
      entity && 'direction' in change ? [[`${entity.type} ${entity.name}`, change.to] as const] : [],
    ),
  );
  expect(led.size).toBeGreaterThan(0);
  for (const [name, rating] of led)
    expect([name, rating]).toEqual([
      name,
      state?.entities.find((one) => `${one.type} ${one.name}` === name)?.rating,
    ]);
});

test('a version that was not compared before the numbers went back is named as lost by verify and doctor alike', async () => {
  const all = await open();
  const { panelId, version } = await somePanel(all);
  actOn(all, 'rate a gene as administrator', panelId);
  await all.harness.poll();
  await all.harness.sweep();
  const { above } = numbersAround(version);
  all.clock.pass(16 * 60_000);
  // The log cannot be read, so that the version is kept and not compared.
  await all.harness.prove({ readLog: async () => ({ complete: false }) });
  const [, unproven] = await versionsOf(all, panelId);
  expect(unproven).toEqual({ version: above, proof: 'unproven' });
  all.clock.pass(60_000);
  all.catalogue.act({ kind: 'set the version back silently', panel: panelId });
  for (let times = 0; times < 3; times += 1) await readAll(all);
  const why = 'nothing can prove it any more: the version numbers of the panel went back after it';
  expect(await all.harness.verified(panelId)).toContainEqual(
    expect.objectContaining({ version: above, proof: 'baseline', why }),
  );
  expect(await all.harness.completeness()).toMatch(
    new RegExp(`nothing can prove them .*\\(${panelId}\\) ${above}[.;]`),
  );
  expect(await all.harness.unproven()).toEqual([]);
});

/** A panel whose next version was listed, and not read. */
async function listedUnread() {
  const all = await open();
  const { panelId, version } = await somePanel(all);
  all.catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
  all.clock.pass(HOUR);
  await all.harness.poll();
  await all.harness.sweep();
  return { all, panelId, version };
}

test('a version that only a listing showed before the numbers went back is named so, too', async () => {
  const { all, panelId, version } = await listedUnread();
  all.clock.pass(60_000);
  all.catalogue.act({ kind: 'set the version back silently', panel: panelId });
  for (let times = 0; times < 3; times += 1) await readAll(all);
  const { above } = numbersAround(version);
  expect(await all.harness.completeness()).toMatch(
    new RegExp(`nothing can prove them .*\\(${panelId}\\) ${above}[.;]`),
  );
  expect(await all.harness.unproven()).toEqual([]);
});

test('a version that could not even be read before the numbers went back is named so, too', async () => {
  const { all, panelId, version } = await listedUnread();
  const read = async () => {
    throw new CatalogueError({ condition: 'UNAVAILABLE', action: 'Asking for a panel', seen: 'HTTP 503' });
  };
  await all.harness.prove({ archive: archiveWith(all.harness.archive, { read }) }).catch(() => {});
  const { above, below } = numbersAround(version);
  expect(await all.harness.unproven()).toContainEqual(expect.objectContaining({ panelId, version: above }));
  for (const back of [version, below]) {
    all.catalogue.act({ kind: 'set the version back silently', panel: panelId });
    all.clock.pass(60_000);
    expect(all.catalogue.details?.present(panelId)).toMatchObject({ version: back });
  }
  for (let times = 0; times < 3; times += 1) await readAll(all);
  expect(await all.harness.completeness()).toMatch(
    new RegExp(`nothing can prove them .*\\(${panelId}\\) ${above}[.]`),
  );
  const why = 'nothing can prove it any more: the version numbers of the panel went back after it';
  expect(await all.harness.verified(panelId)).toContainEqual(
    expect.objectContaining({ version: above, proof: 'baseline', why }),
  );
});

test('a lie that is found out after the numbers went back is corrected, and verify and doctor say what it leaves unproven', async () => {
  const { all, lieOf } = await openLying();
  const { panelId, version } = await somePanel(all);
  lieOf(panelId);
  for (let times = 0; times < 3; times += 1) {
    all.clock.pass(HOUR);
    all.catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
    await readAll(all);
  }
  await readAll(all);
  lieOf(0);
  all.catalogue.act({ kind: 'set the version back silently', panel: panelId });
  for (let times = 0; times < 4; times += 1) await readAll(all);
  all.clock.pass(24 * HOUR);
  for (let times = 0; times < 4; times += 1) await readAll(all);
  const { above } = numbersAround(version);
  const last = numbersAround(above).above;
  const verified = await all.harness.verified(panelId);
  expect(verified.map((one) => [one.version, one.proof])).toEqual([
    [version, 'explained'],
    [above, 'proven'],
    // The archive has the later version under this number.
    [last, 'baseline'],
    [numbersAround(last).above, 'proven'],
    [last, 'baseline'],
  ]);
  const why = 'nothing can prove it any more: the version numbers of the panel went back after it';
  expect(verified[2]?.why).toBe(why);
  expect(await all.harness.completeness()).toMatch(new RegExp(`\\(${panelId}\\) ${last}\\.$`));
  expect(await all.harness.unproven()).toEqual([]);
});

test('a lie of the hours after the numbers went back is found out, also in the version with which the panel begins anew', async () => {
  const { all, lieOf } = await openLying();
  const { panelId } = await somePanel(all);
  for (const kind of ['rate a gene as administrator', 'promote a panel', 'sign off the present version'])
    all.catalogue.act({ kind, panel: panelId });
  await readAll(all);
  all.catalogue.act({ kind: 'set the version back silently', panel: panelId });
  all.clock.pass(60_000);
  lieOf(panelId);
  for (let times = 0; times < 4; times += 1) await readAll(all);
  lieOf(0);
  for (let days = 0; days < 3; days += 1) {
    for (let times = 0; times < 4; times += 1) await readAll(all);
    all.clock.pass(24 * HOUR);
  }
  await readAll(all);
  const newest = await all.harness.states.newest(panelId);
  const kept = newest && (await all.harness.states.read(newest));
  const shown = all.catalogue.details?.present(panelId) as { readonly genes: readonly ShownGene[] };
  const level = { green: '3', amber: '2', red: '1', none: '0' };
  const ratings = kept?.entities.flatMap(({ type, name, rating }) =>
    type === 'gene' ? [[name, level[rating ?? 'none']]] : [],
  );
  expect(ratings?.sort()).toEqual(shown.genes.map((one) => [one.entity_name, one.confidence_level]).sort());
});

test('what a panel held between two versions whose numbers went back is unknown', async () => {
  // Nothing writes a row, and no listing is read between.
  const { all, panelId, version, unread } = await setBack(2);
  await readAll(all);
  await readAll(all);
  const { above } = numbersAround(version);
  expect((await versionsOf(all, panelId)).map((one) => one.version)).toEqual([version, above]);
  expect(await all.harness.states.at(panelId, unread)).toBeNull();
});

test('versions are proven again after the one with which a panel began anew', async () => {
  const { all, panelId } = await setBack(1);
  await readAll(all);
  await readAll(all);
  actOn(all, 'rate a gene as administrator', panelId);
  for (let times = 0; times < 3; times += 1) await readAll(all);
  const proofs = (await versionsOf(all, panelId)).map(({ proof }) => proof);
  expect(proofs.slice(0, 2)).toEqual(['baseline', 'baseline']);
  expect(['proven', 'explained']).toContain(proofs[2]);
});

test('the versions that a panel got before it was hidden are read once', async () => {
  const all = await open();
  const { panelId, version } = await somePanel(all);
  const { above } = numbersAround(version);
  actOn(all, 'rate a gene as administrator', panelId);
  actOn(all, 'rate a gene as administrator', panelId);
  actOn(all, 'make internal silently', panelId);
  // Many panels of the small catalogue changed without a row: their changes wait for a second reading.
  for (let times = 0; times < 3; times += 1) await readAll(all);
  const kept = await versionsOf(all, panelId);
  expect(kept.map((one) => one.version)).toEqual([version, above, numbersAround(above).above]);
  expect(kept.every(({ proof }) => proof !== 'unproven')).toBe(true);
  // What was published without a row is read again once more, after a day.
  all.clock.pass(25 * HOUR);
  await readAll(all);
  await readAll(all);
  expect(await readAll(all)).toMatchObject({ outcome: 'done', requests: 0 });
});

test('a version that a poll keeps for the ratings before its rows hides none of those before it', async () => {
  const all = await open();
  const { panelId, version } = await somePanel(all);
  const { above } = numbersAround(version);
  const second = numbersAround(above).above;
  for (let times = 0; times < 3; times += 1) actOn(all, 'rate a gene as administrator', panelId);
  // As a poll does.
  const answer = await all.harness.archive.read(panelId, second);
  if (answer.kind !== 'state') throw new Error(`there is no version ${second}`);
  await all.harness.states.save({ ...answer.state, proof: readAhead });
  await readAll(all);
  await readAll(all);
  const kept = await versionsOf(all, panelId);
  expect(kept.map((one) => one.version)).toEqual([version, above, second, numbersAround(second).above]);
  expect(kept.every(({ proof }) => proof !== 'unproven')).toBe(true);
});

test('the versions that a hidden panel got while it was shown again are read, also where no proof saw it shown', async () => {
  const all = await open();
  const { panelId, version } = await somePanel(all);
  const { above } = numbersAround(version);
  all.catalogue.act({ kind: 'make internal silently', panel: panelId });
  for (let times = 0; times < 2; times += 1) await readAll(all);
  all.catalogue.act({ kind: 'make public silently', panel: panelId });
  all.catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
  await all.harness.sweep();
  all.catalogue.act({ kind: 'make internal silently', panel: panelId });
  for (let times = 0; times < 3; times += 1) await readAll(all);
  const kept = await versionsOf(all, panelId);
  expect(kept.map((one) => one.version)).toEqual([version, above]);
  expect(kept.every(({ proof }) => proof !== 'unproven')).toBe(true);
});

test('panels that are hidden after they were listed last end no reading of the others', async () => {
  const all = await open();
  const panels = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
  const [shown, ...hidden] = panels.slice(0, 5);
  for (const { panelId } of panels.slice(0, 5))
    all.catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
  all.clock.pass(HOUR);
  await all.harness.poll();
  await all.harness.sweep();
  for (const { panelId } of hidden) all.catalogue.act({ kind: 'make internal silently', panel: panelId });
  // No other listing is read meanwhile.
  for (let times = 0; times < 3; times += 1) {
    all.clock.pass(HOUR);
    expect(await all.harness.prove()).toMatchObject({ outcome: 'done' });
  }
  expect((await versionsOf(all, shown?.panelId ?? 0)).length).toBeGreaterThan(1);
});
