import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { ArchivePaused } from '../../lambdas/panels/archive.ts';
import { type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { lies as kindsOfLies } from './lies.ts';
import { BEGINNING_MS, openProving, type Proving } from './open-proving.ts';
import { archiveWith } from './proving-harness.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Given {
  readonly details?: 'served' | 'none';
  readonly step?: (name: string) => void;
  /** Since when the log is followed. */
  readonly from?: Instant;
}

/** A catalogue in which curators have acted, and a notifier that has polled and swept it once. */
async function open({ details = 'served', ...followed }: Given = {}): Promise<Proving> {
  const { clock, catalogue, harness } = await openProving({ details }, followed);
  await harness.poll();
  await harness.sweep();
  return { clock, catalogue, harness };
}

/** Lets an hour pass, and reads everything: the log, the listings and the states. */
async function readAll({ clock, harness }: Proving) {
  clock.pass(HOUR);
  await harness.poll();
  await harness.sweep();
  return harness.prove();
}

const bySnapshot = async ({ harness }: Proving): Promise<readonly PanelEvent[]> =>
  (await harness.events()).filter(({ data: { change } }) => 'via' in change && change.via === 'snapshot');

test('the first run reads each panel once, at the pace of the settings, and publishes nothing', async () => {
  const all = await open();
  const begun = all.clock.now();
  const { requests, panelsLeft, outcome } = await all.harness.prove();
  const panels = await all.harness.states.panels();
  expect({ outcome, panelsLeft, requests }).toEqual({
    outcome: 'done',
    panelsLeft: 0,
    requests: panels.length,
  });
  expect(panels.length).toBeGreaterThan(5);
  expect(panels.every(({ proof }) => proof.kind === 'baseline')).toBe(true);
  expect(all.clock.now() - begun).toBeGreaterThanOrEqual((panels.length - 1) * 10_000);
  expect(await bySnapshot(all)).toEqual([]);
});

test('a quiet hour costs no request for a state', async () => {
  const all = await open();
  await all.harness.prove();
  expect(await readAll(all)).toMatchObject({ outcome: 'done', requests: 0, proven: 0, events: 0 });
});

test('a listing that is older than what was read costs no request for a state until the next one', async () => {
  const all = await open();
  for (let times = 0; times < 6; times += 1) all.catalogue.act({ kind: 'add a gene' });
  await all.harness.prove();
  all.clock.pass(HOUR);
  // What ended since is read once.
  await all.harness.prove();
  for (let runs = 0; runs < 5; runs += 1) expect(await all.harness.prove()).toMatchObject({ requests: 0 });
});

test('runs that may ask for one state each ask for each state once', async () => {
  const all = await open();
  await all.harness.prove();
  const panel = (await all.harness.states.panels()).find(({ childPanels }) => childPanels.length > 0);
  all.catalogue.act({ kind: 'promote a super panel silently', ...(panel && { panel: panel.panelId }) });
  await all.harness.poll();
  await all.harness.sweep();
  all.clock.pass(HOUR);
  const { archive } = all.harness;
  const asked: string[] = [];
  const lastAnswers = { answers: [] };
  let outcome = '';
  for (let runs = 0; runs < 9 && outcome !== 'done'; runs += 1) {
    let left = 1;
    const read: typeof archive.read = async (panelId, version) => {
      if (left === 0) throw new ArchivePaused('out-of-time', null);
      left -= 1;
      asked.push(`${panelId} ${version ?? 'now'}`);
      return await archive.read(panelId, version);
    };
    ({ outcome } = await all.harness.prove({ archive: archiveWith(archive, { read }), lastAnswers }));
  }
  expect(outcome).toBe('done');
  expect(asked.length).toBeGreaterThan(2);
  expect(new Set(asked).size).toBe(asked.length);
});

test('a listing that shows an older version of a panel again has the panel asked for once', async () => {
  const all = await open();
  const { panel } = all.catalogue.act({ kind: 'add a gene' });
  await readAll(all);
  all.catalogue.act({ kind: 'add a gene', panel: panel.id });
  await readAll(all);
  await readAll(all);
  const page = await fetch(`${all.catalogue.url}panels/`);
  const listing = (await page.json()) as { readonly results: readonly { readonly id: number }[] };
  const older = { version: '0.1', version_created: new Date(all.clock.now()).toISOString() };
  const results = listing.results.map((one) => (one.id === panel.id ? { ...one, ...older } : one));
  const body = JSON.stringify({ ...listing, results });
  all.catalogue.fail({ kind: 'body', body, contentType: 'application/json' }, { path: 'v1/panels/' });
  const requests = [(await readAll(all)).requests];
  for (let runs = 0; runs < 3; runs += 1) requests.push((await all.harness.prove()).requests);
  expect(requests).toEqual([1, 0, 0, 0]);
});

interface Listed {
  readonly id: number;
  readonly version: string;
  readonly version_created: string;
}

/** Lets the next listing show a part of the panels alone, as it is given; returns what it shows. */
async function listHalf(
  { catalogue }: Proving,
  shown: (panel: Listed, index: number) => Listed | null,
): Promise<readonly Listed[]> {
  const page = await fetch(`${catalogue.url}panels/`);
  const listing = (await page.json()) as { readonly results: readonly Listed[] };
  const results = listing.results.flatMap((panel, index) => shown(panel, index) ?? []);
  expect(results.length * 5).toBeLessThan(listing.results.length * 4);
  const body = JSON.stringify({ ...listing, count: results.length, results });
  catalogue.fail({ kind: 'body', body, contentType: 'application/json' }, { path: 'v1/panels/' });
  return results;
}

test('a listing that lacks many panels has the next versions of those that it shows read and proven', async () => {
  const all = await open();
  await all.harness.prove();
  const { panel } = all.catalogue.act({ kind: 'rate a gene as administrator' });
  all.clock.pass(HOUR);
  await listHalf(all, (one, index) => (one.id === panel.id || index % 2 === 0 ? one : null));
  expect(await all.harness.sweep()).toMatchObject({ outcome: 'refused', refusal: 'shrunken' });
  expect(await all.harness.prove()).toMatchObject({ outcome: 'done', panelsLeft: 0 });
  // A change without a row is read twice.
  all.clock.pass(HOUR);
  expect(await all.harness.prove()).toMatchObject({ outcome: 'done', unproven: 0, explained: 1 });
  expect((await all.harness.states.newest(panel.id))?.proof.kind).toBe('explained');
  expect((await all.harness.events()).filter(({ type }) => /withdrawn/.test(type))).toEqual([]);
});

test('a listing that lacks many panels and lies about the versions of the others is not believed', async () => {
  const all = await open();
  await all.harness.prove();
  const before = await all.harness.events();
  all.clock.pass(HOUR);
  const began = new Date(all.clock.now() - MINUTE * 30).toISOString();
  const lie = { version: '9.0', version_created: began };
  const shown = await listHalf(all, (one, index) => (index % 2 === 0 ? { ...one, ...lie } : null));
  expect(await all.harness.sweep()).toMatchObject({ outcome: 'refused', refusal: 'shrunken' });
  const runs = [await all.harness.prove(), await all.harness.prove(), await all.harness.prove()];
  // Each panel says once that it has the version that is known.
  expect(runs.map(({ requests }) => requests)).toEqual([shown.length, 0, 0]);
  expect(runs.at(-1)).toMatchObject({ unproven: 0, proven: 0, events: 0 });
  expect(await all.harness.events()).toEqual(before);
});

test('a panel that is hidden after it was listed is not asked for again until the next listing', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  const [gene] = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
  const panel = gene?.panelId ?? 0;
  all.catalogue.act({ kind: 'rate a gene as administrator', panel });
  all.clock.pass(HOUR);
  await all.harness.poll();
  await all.harness.sweep();
  all.catalogue.act({ kind: 'make internal silently', panel });
  await all.harness.prove();
  for (let runs = 0; runs < 3; runs += 1) {
    all.clock.pass(60_000);
    expect(await all.harness.prove()).toMatchObject({ requests: 0, unproven: 1 });
  }
  expect((await all.harness.unproven()).map(({ panelId, why }) => [panelId, why])).toEqual([
    [panel, 'the catalogue lists the panel and does not show it'],
  ]);
  all.catalogue.act({ kind: 'make public silently', panel });
  all.clock.pass(DAY);
  await readAll(all);
  expect(await readAll(all)).toMatchObject({ unproven: 0 });
});

/** The addresses of states that a run asks for. */
async function statesAskedFor(all: Proving, run: () => Promise<unknown>): Promise<readonly string[]> {
  const asked: string[] = [];
  all.catalogue.onRequest(({ path }) => {
    if (/\/panels\/\d+\//.test(path)) asked.push(path.replace(/^.*\/panels\//, ''));
  });
  await run().finally(() => all.catalogue.onRequest(() => {}));
  return asked;
}

test('a run asks for each state once, also where the number above is asked for', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  const [gene] = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
  all.catalogue.act({ kind: 'rate a gene as administrator', panel: gene?.panelId ?? 0 });
  const asked = await statesAskedFor(all, () => readAll(all));
  expect(asked.length).toBeGreaterThan(1);
  expect(asked).toEqual([...new Set(asked)]);
});

describe('the archive of a version that a poll read, for what was so before a row,', () => {
  /** Acts on a panel whose state is kept; returns what a poll and a proof after it ask for, and what is kept of the version before. */
  async function askedAfter(...kinds: readonly string[]) {
    const all = await open();
    await all.harness.prove();
    all.clock.pass(HOUR);
    const [kept] = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
    const panel = kept?.panelId ?? 0;
    for (const kind of kinds) all.catalogue.act({ kind, panel });
    const asked = await statesAskedFor(all, () => readAll(all));
    const [before] = await all.harness.states.versions(panel);
    return {
      asked: asked.filter((path) => path.startsWith(`${panel}/`)),
      paths: { archived: `${panel}/?version=${before?.version}`, present: `${panel}/` },
      before,
    };
  }

  test('is not asked for again by the proof', async () => {
    const { asked, paths, before } = await askedAfter('rate');
    expect(asked).toEqual([paths.archived, paths.present]);
    expect(before).toMatchObject({ source: 'archive', proof: { kind: 'proven' } });
  });

  test('is not asked for again where it is not what was kept', async () => {
    const { asked, paths, before } = await askedAfter('rate a gene in the database', 'rate');
    expect(asked).toEqual([paths.archived, paths.present]);
    expect(before).toMatchObject({ source: 'archive', proof: { kind: 'explained' } });
  });
});

describe('an archived version that showed a change without a row', () => {
  /** How often its archive is asked for within a day, and later, where an action follows in the next version. */
  async function askedAfter(next: string) {
    const all = await open();
    await all.harness.prove();
    all.clock.pass(HOUR);
    const { panel } = all.catalogue.act({ kind: 'rate a gene as administrator' });
    all.catalogue.act({ kind: next, panel: panel.id });
    const asked = async (hours: number): Promise<readonly string[]> =>
      statesAskedFor(all, async () => {
        for (let hour = 0; hour < hours; hour += 1) await readAll(all);
      });
    const paths = [await asked(5), await asked(24)];
    const kept = (await all.harness.states.versions(panel.id)).slice(-2);
    const archived = `${panel.id}/?version=${kept[0]?.version}`;
    const counts = paths.map((own) => own.filter((path) => path === archived).length);
    return { counts, proofs: kept.map(({ proof }) => proof.kind) };
  }

  test('is read again after a day alone, where the version after it is proven from it', async () => {
    expect(await askedAfter('add a gene')).toEqual({ counts: [1, 1], proofs: ['explained', 'proven'] });
  });

  test('is read again after an hour and after a day, where the version after it changed without a row, too', async () => {
    const found = await askedAfter('rate a gene as administrator');
    expect(found).toEqual({ counts: [2, 1], proofs: ['explained', 'explained'] });
  });
});

test('what only states show is read once more after an hour and after a day, and not anew when its version ends', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  const { panel } = all.catalogue.act({ kind: 'rate a gene as administrator' });
  const asked: string[] = [];
  const readOn = async (): Promise<void> => {
    asked.push(...(await statesAskedFor(all, () => readAll(all))));
  };
  for (let hours = 0; hours < 3; hours += 1) await readOn();
  expect(await bySnapshot(all)).toHaveLength(1);
  // The archive of the version that showed it shows the same.
  all.catalogue.act({ kind: 'add a gene', panel: panel.id });
  for (let hours = 0; hours < 4; hours += 1) await readOn();
  all.clock.pass(DAY);
  for (let hours = 0; hours < 3; hours += 1) await readOn();
  const [{ version = '' } = {}] = (await bySnapshot(all)).map(({ data }) => ({
    version: data.panel?.version,
  }));
  const ofVersion = asked.filter((path) => path === `${panel.id}/?version=${version}`);
  expect(ofVersion).toHaveLength(2);
});

test('a rating that an administrator changes is published once, at the version where it appeared', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  all.catalogue.act({ kind: 'rate a gene as administrator' });
  await readAll(all);
  await readAll(all);
  const found = await bySnapshot(all);
  expect(found.map(({ type }) => type)).toEqual(['gene-panel.entity.classified.v1']);
  const [event] = found;
  const kept = await all.harness.states.find(event?.data.panel?.id ?? 0, event?.data.panel?.version ?? '');
  const entity = kept?.entities.find(({ name }) => name === event?.data.entity?.name);
  expect(event?.data.change).toMatchObject({ to: entity?.rating });
  expect(event?.data.activities).toEqual([]);
  expect(kept?.proof).toEqual({ kind: 'explained', events: 1 });
  await readAll(all);
  expect(await bySnapshot(all)).toEqual(found);
});

test('a symbol that HGNC changed without a row is a renaming, with the ids of the gene', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  all.catalogue.act({ kind: 'replace the symbol of a gene silently' });
  // It raises no version: the state of the version shows it once that has ended.
  for (let times = 0; times < 20; times += 1) all.catalogue.act({ kind: 'rate' });
  await readAll(all);
  await readAll(all);
  const renamed = (await bySnapshot(all)).filter(({ type }) => type === 'gene-panel.entity.renamed.v1');
  expect(renamed.length).toBeGreaterThan(0);
  for (const { data } of renamed) {
    const kept = await all.harness.states.newest(data.panel?.id ?? 0);
    const gene = kept?.entities.find(({ name }) => name === data.entity?.name);
    expect(data.change).toMatchObject({ to: gene?.name });
    expect(data.entity).toMatchObject({ hgncId: gene?.hgncId });
  }
  const names = await all.harness.names();
  const [first] = renamed;
  if (first?.type !== 'gene-panel.entity.renamed.v1') throw new Error('there is no renaming');
  const { from, to } = first.data.change;
  expect(names.entityKeys(to)).toContain(from.toLowerCase());
});

test('a super panel of a catalogue that lists no child panels follows from the panels that its entities name', async () => {
  const { clock, catalogue, harness } = await openProving({ codeLine: 'uk-2019' });
  const all = { clock, catalogue, harness };
  await readAll(all);
  const supers = (await harness.states.panels()).filter(({ childPanels }) => childPanels.length > 0);
  expect(supers.length).toBeGreaterThan(0);
  for (let times = 0; times < 10; times += 1) {
    for (const kind of ['rate', 'rate', 'promote a panel']) {
      clock.pass(60_000);
      catalogue.act({ kind });
    }
  }
  await readAll(all);
  await readAll(all);
  const versions = await Promise.all(supers.map(({ panelId }) => harness.states.versions(panelId)));
  expect(versions.flat().length).toBeGreaterThan(supers.length);
  expect((await bySnapshot(all)).map(({ data }) => data.summary)).toEqual([]);
});

test('each version of a panel that gets several between two readings is proven', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  for (let times = 0; times < 30; times += 1) {
    all.clock.pass(60_000);
    all.catalogue.act();
  }
  await readAll(all);
  const report = await readAll(all);
  expect(report).toMatchObject({ outcome: 'done', unproven: 0, percent: 100 });
  for (const { panelId } of await all.harness.states.panels()) {
    for (const { version, proof } of await all.harness.states.versions(panelId)) {
      expect({ panelId, version, proof: proof.kind }).not.toMatchObject({ proof: 'unproven' });
    }
  }
});

test('a panel that gets a version while the number above the one that was read is asked for is not set back', async () => {
  const all = await open();
  await all.harness.prove();
  all.clock.pass(HOUR);
  const [gene] = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
  const panel = gene?.panelId ?? 0;
  const rate = (): object => all.catalogue.act({ kind: 'rate a gene as administrator', panel });
  rate();
  const read: string[] = [];
  all.catalogue.onRequest(({ path }) => {
    if (!path.includes(`/panels/${panel}/`)) return;
    read.push(path);
    if (read.length !== 3) return;
    all.clock.pass(1000);
    rate();
  });
  await readAll(all);
  const [present, ended, above] = read.map((path) => path.replace(/^.*\?version=/, ''));
  expect([present?.endsWith('/'), ended, above]).toEqual([true, gene?.version, expect.any(String)]);
  await readAll(all);
  await readAll(all);
  const versions = await all.harness.verified(panel);
  expect(versions.map(({ version }) => version)).toContain(above);
  expect(versions.filter(({ why }) => why !== null)).toEqual([]);
});

test('a run that dies at any step is continued, and publishes the same event once', async () => {
  let left = Number.POSITIVE_INFINITY;
  const all = await open({
    step: (name) => {
      left -= 1;
      if (left === 0) throw new Error(`died at: ${name}`);
    },
  });
  await all.harness.prove();
  const died = new Set<string>();
  for (let times = 1; times <= 40 && died.size < 7; times += 1) {
    all.clock.pass(HOUR);
    all.catalogue.act({ kind: 'rate a gene as administrator' });
    all.clock.pass(HOUR);
    await all.harness.poll();
    await all.harness.sweep();
    // A run reads again what earlier ones published, so that the same cut ends it elsewhere.
    left = 1 + ((times * 7) % 20);
    await all.harness.prove().catch((error: Error) => died.add(error.message));
    left = Number.POSITIVE_INFINITY;
    await all.harness.prove();
  }
  const published = await bySnapshot(all);
  const sent = all.harness.accepted.filter(({ body }) => body.includes('"via":"snapshot"'));
  const bodies = new Map(sent.map(({ id, body }) => [id, body]));
  expect(sent.every(({ id, body }) => bodies.get(id) === body)).toBe(true);
  expect([...bodies.keys()].sort()).toEqual(published.map(({ id }) => id).sort());
  expect([...died].map((message) => message.slice('died at: '.length)).sort()).toEqual([
    'note proof',
    'publish',
    'published',
    'save proofs',
    'save state',
    'saved proofs',
    'saved state',
  ]);
});

describe('every version from the first one that the archive has', () => {
  const fromStart = async ({ harness }: Proving): Promise<readonly number[]> =>
    (await harness.states.panels()).map(({ panelId }) => panelId);

  test('is explained by rows from before the log was followed', async () => {
    const all = await open();
    await all.harness.prove();
    const asked = (await all.harness.prove({ fromStart: await fromStart(all) })).requests;
    const report = await readAll(all);
    expect(report).toMatchObject({ outcome: 'done', unproven: 0, percent: 100 });
    const published = await bySnapshot(all);
    // A row that clears the sources of an entity or copies it does not say which rating follows.
    const silent = published.filter(({ data: { change } }) => !('direction' in change));
    expect(silent.map(({ data }) => data.summary)).toEqual([]);
    // What a curator adds without an expert's review is red, or unrated: the row is its event.
    const added = published.filter(
      ({ data: { change } }) => 'direction' in change && change.direction === 'new',
    );
    expect(added.map(({ data }) => data.summary)).toEqual([]);
    const versions = await Promise.all(
      (await all.harness.states.panels()).map(({ panelId }) => all.harness.states.versions(panelId)),
    );
    expect(versions.flat().length).toBeGreaterThan(30);
    expect(asked).toBeGreaterThan(30);
    // What is proven is asked for no more.
    expect((await all.harness.prove()).requests).toBe(0);
  });

  test('is unproven, with its reason, where the catalogue does not serve those rows', async () => {
    const all = await open();
    await all.harness.prove();
    const { archive } = all.harness;
    const withoutRows = archiveWith(archive, {
      rows: async () => null,
    });
    await all.harness.prove({ fromStart: await fromStart(all), archive: withoutRows });
    expect(await bySnapshot(all)).toEqual([]);
    const [panel] = await all.harness.states.panels();
    const kinds = (await all.harness.states.versions(panel?.panelId ?? 0)).map(({ proof }) => proof.kind);
    expect(kinds).toContain('unproven');
  });

  test('a state is proven at once where the rows that were read explain it', async () => {
    const all = await open();
    await all.harness.prove();
    const { panel } = all.catalogue.act({ kind: 'rate' });
    await all.harness.poll();
    await all.harness.sweep();
    all.clock.pass(16 * 60_000);
    // The version is old enough to be read; the state of now was read a moment ago.
    await all.harness.prove();
    const kept = await all.harness.states.newest(panel.id);
    expect(kept?.proof).toEqual({ kind: 'proven' });
  });
});

describe('a catalogue that serves no states', () => {
  test('is asked three times, ever more rarely for hours, and then once a week', async () => {
    const all = await open({ details: 'none' });
    expect(await all.harness.prove()).toMatchObject({ outcome: 'paused', why: 'refused', requests: 3 });
    for (let hours = 0; hours < 7; hours += 1) {
      all.clock.pass(HOUR);
      await all.harness.prove();
    }
    expect(await all.harness.prove()).toMatchObject({ outcome: 'paused', why: 'off', requests: 0 });
    all.clock.pass(6 * DAY);
    expect(await all.harness.prove()).toMatchObject({ outcome: 'paused', why: 'off', requests: 0 });
    all.clock.pass(2 * DAY);
    expect(await all.harness.prove()).toMatchObject({ outcome: 'paused', why: 'off', requests: 1 });
  });
});

test('the versions that were missed while the catalogue answered HTML are read after it, and proven', async () => {
  const all = await open();
  await all.harness.prove();
  const { panel } = all.catalogue.act({ kind: 'add a gene' });
  for (let times = 0; times < 3; times += 1) all.catalogue.act({ kind: 'add a gene', panel: panel.id });
  for (let times = 0; times < 6; times += 1) all.catalogue.act({ kind: 'rate a gene as administrator' });
  all.clock.pass(HOUR);
  await all.harness.poll();
  await all.harness.sweep();
  all.catalogue.fail({ kind: 'html' }, { times: 1000, path: 'v1/panels/' });
  const pauses: (string | null)[] = [];
  for (let times = 0; times < 12; times += 1) {
    pauses.push((await all.harness.prove()).why);
    all.clock.pass(HOUR);
  }
  expect([pauses[0], pauses.at(-1)]).toEqual(['refused', 'off']);
  expect((await all.harness.prove()).statesOff).toBe(true);
  all.catalogue.clearFaults();
  await all.harness.askAgain();
  expect((await readAll(all)).statesOff).toBe(false);
  expect(await readAll(all)).toMatchObject({ outcome: 'done', unproven: 0, percent: 100 });
});

test('a change without a row is published also where the archive of its version was not served for a day', async () => {
  const all = await open();
  await all.harness.prove();
  const { archive } = all.harness;
  all.clock.pass(HOUR);
  const { panel } = all.catalogue.act({ kind: 'rate a gene in the database' });
  all.clock.pass(HOUR);
  all.catalogue.act({ kind: 'add a gene', panel: panel.id });
  all.clock.pass(HOUR);
  await all.harness.poll();
  await all.harness.sweep();
  const withoutOld = archiveWith(archive, {
    read: async (panelId, version) => (version === undefined ? archive.read(panelId) : { kind: 'missing' }),
    readSince: async () => null,
  });
  await all.harness.prove({ archive: withoutOld });
  const why = 'the catalogue does not serve it';
  expect(await all.harness.unproven()).toContainEqual(expect.objectContaining({ panelId: panel.id, why }));
  expect(await bySnapshot(all)).toEqual([]);
  all.clock.pass(DAY);
  expect(await readAll(all)).toMatchObject({ unproven: 0, percent: 100 });
  const found = await bySnapshot(all);
  expect(found.map(({ type, data }) => [type, data.panel?.id])).toEqual([
    ['gene-panel.entity.classified.v1', panel.id],
  ]);
});

test('the rows of a panel that the catalogue does not serve are asked for once a day', async () => {
  const all = await open({ from: instantOf(BEGINNING_MS) });
  await all.harness.prove();
  const { archive } = all.harness;
  const { panel } = all.catalogue.act({ kind: 'rate a gene in the database' });
  all.clock.pass(MINUTE);
  all.catalogue.act({ kind: 'add a gene', panel: panel.id });
  let asked = 0;
  const withoutRows = archiveWith(archive, {
    rows: async () => {
      asked += 1;
      return null;
    },
  });
  const askedAfter = async (hours: number): Promise<number> => {
    for (let hour = 0; hour < hours; hour += 1) {
      all.clock.pass(HOUR);
      await all.harness.poll();
      await all.harness.sweep();
      await all.harness.prove({ archive: withoutRows });
    }
    return asked;
  };
  expect([await askedAfter(8), await askedAfter(24)]).toEqual([1, 2]);
  const why = 'it is older than what was read of the log, and the rows of its panel are not served';
  expect(await all.harness.unproven()).toContainEqual(expect.objectContaining({ panelId: panel.id, why }));
  // Nor is it forgotten once a later version is proven.
  all.catalogue.act({ kind: 'add a gene', panel: panel.id });
  await askedAfter(3);
  expect((await all.harness.states.newest(panel.id))?.proof.kind).toBe('proven');
  all.clock.pass(DAY);
  await readAll(all);
  expect(await all.harness.unproven()).toEqual([]);
});

test('a version that is read late has the one after it compared again', async () => {
  const all = await open();
  await all.harness.prove();
  const { archive } = all.harness;
  all.clock.pass(HOUR);
  const [gene] = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
  const { panelId, version: before } = gene ?? { panelId: 0, version: '0.0' };
  for (let times = 0; times < 2; times += 1) {
    all.catalogue.act({ kind: 'rate a gene as administrator', panel: panelId });
    all.clock.pass(MINUTE);
  }
  const between = `0.${Number(before.split('.')[1]) + 1}`;
  const without = archiveWith(archive, {
    read: async (id, version) =>
      id === panelId && version === between ? { kind: 'missing' } : archive.read(id, version),
  });
  for (let hours = 0; hours < 4; hours += 1) {
    all.clock.pass(HOUR);
    await all.harness.poll();
    await all.harness.sweep();
    await all.harness.prove({ archive: without });
  }
  const after = `0.${Number(between.split('.')[1]) + 1}`;
  const foundFirst = await bySnapshot(all);
  expect(foundFirst.map(({ data }) => data.panel?.version)).toEqual([after, after]);
  expect((await all.harness.unproven()).map(({ version }) => version)).toContain(between);
  all.clock.pass(DAY);
  for (let hours = 0; hours < 3; hours += 1) await readAll(all);
  // Each of the two changes is published of its version: one event takes the place of what was found in the later one.
  const kept = await all.harness.states.versions(panelId);
  expect(kept.map(({ version, proof }) => [version, proof.kind])).toEqual([
    [before, 'proven'],
    [between, 'explained'],
    [after, 'proven'],
  ]);
  const [moved, ...others] = (await bySnapshot(all)).filter(({ data }) => data.panel?.version === between);
  const corrected = foundFirst.find(({ id }) => id === moved?.data.corrects);
  expect(others).toEqual([]);
  expect(moved?.data).toMatchObject({
    entity: corrected?.data.entity,
    late: true,
    change: corrected?.data.change,
    correctedChange: corrected?.data.change,
    correctedVersion: after,
  });
  expect(await readAll(all)).toMatchObject({ unproven: 0, percent: 100 });
});

/** A panel of which the first of three new versions is not served yet; nothing announces the second one. */
async function withVersionUnserved() {
  const all = await open();
  await all.harness.prove();
  const { archive } = all.harness;
  all.clock.pass(HOUR);
  const [gene] = (await all.harness.states.panels()).filter(({ childPanels }) => childPanels.length === 0);
  const panel = gene?.panelId ?? 0;
  for (const kind of ['promote a panel', 'rate a gene as administrator', 'promote a panel']) {
    all.catalogue.act({ kind, panel });
    all.clock.pass(MINUTE);
  }
  const without = archiveWith(archive, {
    read: async (id, version) =>
      id === panel && version === '1.0' ? { kind: 'missing' } : archive.read(id, version),
  });
  for (let hours = 0; hours < 4; hours += 1) {
    all.clock.pass(HOUR);
    await all.harness.poll();
    await all.harness.sweep();
    await all.harness.prove({ archive: without });
  }
  const versions = async () =>
    (await all.harness.states.versions(panel))
      .map(({ version, proof }) => `${version} ${proof.kind}`)
      .slice(1);
  expect(await versions()).toEqual(['2.0 explained']);
  return { all, panel, versions };
}

test('a version that nothing announced is read after the one before it, also where that one is read late', async () => {
  const { all, versions } = await withVersionUnserved();
  all.clock.pass(DAY);
  for (let hours = 0; hours < 3; hours += 1) await readAll(all);
  // The promotion is corrected: it was to follow 1.0.
  expect(await versions()).toEqual(['1.0 proven', '1.1 explained', '2.0 explained']);
  expect(await all.harness.unproven()).toEqual([]);
});

test('a version that nothing announced is kept also where its panel was set back before the one before it is read', async () => {
  const { all, panel, versions } = await withVersionUnserved();
  for (const kind of ['rate a gene as administrator', 'set the version back silently']) {
    all.catalogue.act({ kind, panel });
    all.clock.pass(MINUTE);
  }
  for (let hours = 0; hours < 3; hours += 1) await readAll(all);
  all.clock.pass(DAY);
  await readAll(all);
  expect(await versions()).toEqual(['1.0 unproven', '1.1 unproven', '2.0 explained', '2.0 baseline']);
  expect(await all.harness.unproven()).toEqual([]);
});

test('a panel that cannot be read is named, and ends no run over the others', async () => {
  const all = await open();
  await all.harness.prove();
  const { archive } = all.harness;
  all.clock.pass(HOUR);
  const acted = Array.from(
    { length: 8 },
    () => all.catalogue.act({ kind: 'rate a gene as administrator' }).panel.id,
  );
  const [broken = 0, others] = [acted[0], acted.filter((id) => id !== acted[0])];
  const failing = (isBroken: (panelId: number) => boolean): typeof archive =>
    archiveWith(archive, {
      async read(panelId, version) {
        if (!isBroken(panelId)) return archive.read(panelId, version);
        throw new CatalogueError({
          condition: 'UNAVAILABLE',
          action: 'Asking for a panel',
          seen: 'HTTP 503',
        });
      },
    });
  all.clock.pass(HOUR);
  await all.harness.poll();
  await all.harness.sweep();
  const report = await all.harness.prove({ archive: failing((panelId) => panelId === broken) });
  expect(report).toMatchObject({ outcome: 'done', panelsLeft: 0 });
  expect(await all.harness.unproven()).toContainEqual(
    expect.objectContaining({
      panelId: broken,
      why: expect.stringMatching(/^reading it failed: .*HTTP 503/) as string,
    }),
  );
  const published = (await bySnapshot(all)).map(({ data }) => data.panel?.id);
  expect(published.filter((id) => typeof id === 'number' && others.includes(id)).length).toBeGreaterThan(0);
  expect(published).not.toContain(broken);
  // Where nothing can be read, the run fails.
  await expect(all.harness.prove({ archive: failing(() => true) })).rejects.toThrow('HTTP 503');
  await readAll(all);
  expect(await readAll(all)).toMatchObject({ unproven: 0, percent: 100 });
});

test('a state without its genes is not trusted, and the true one is proven when it is read again', async () => {
  const all = await open();
  await all.harness.prove();
  const { archive } = all.harness;
  all.clock.pass(HOUR);
  for (let times = 0; times < 8; times += 1) all.catalogue.act({ kind: 'rate a gene as administrator' });
  let lies = true;
  const lying = archiveWith(archive, {
    async read(panelId, version) {
      const answer = await archive.read(panelId, version);
      if (!lies || answer.kind !== 'state') return answer;
      return { kind: 'state', state: { ...answer.state, entities: [], sha256: 'of an empty list' } };
    },
  });
  const runs = async (times: number): Promise<void> => {
    for (let run = 0; run < times; run += 1) {
      all.clock.pass(HOUR / 2);
      await all.harness.poll();
      await all.harness.sweep();
      await all.harness.prove({ archive: lying });
    }
  };
  await runs(2);
  const large = async () =>
    (await bySnapshot(all)).filter(({ type }) => type === 'gene-panel.entity.removed.v1');
  expect(await large()).toEqual([]);
  lies = false;
  await runs(8);
  expect(await large()).toEqual([]);
  expect(await all.harness.prove()).toMatchObject({ unproven: 0, percent: 100 });
});

test('what was published of a lie is undone also where the run died before it kept what it had read', async () => {
  let [lies, dies] = [false, false];
  const all = await openProving(
    {
      distort: (url, right) =>
        lies && /panels\/\d+\//.test(url.pathname)
          ? { ...right, body: JSON.stringify(kindsOfLies['no entities'].answer(JSON.parse(right.body))) }
          : right,
    },
    {
      step: (name) => {
        if (!dies || name !== 'saved proofs' || all.harness.accepted.length === known) return;
        dies = false;
        throw new Error('died');
      },
    },
  );
  await readAll(all);
  const { panel } = all.catalogue.act({ kind: 'rate a gene as administrator' });
  for (let hours = 0; hours < 2; hours += 1) await readAll(all);
  const known = all.harness.accepted.length;
  expect(await bySnapshot(all)).toHaveLength(1);
  [lies, dies] = [true, true];
  await readAll(all);
  await expect(readAll(all)).rejects.toThrow('died');
  const kinds = async () =>
    Map.groupBy(
      (await bySnapshot(all)).filter(({ data }) => data.panel?.id === panel.id),
      ({ type }) => type.replace(/^gene-panel\.entity\./, ''),
    );
  const removed = (await kinds()).get('removed.v1')?.map(({ data }) => data.entity?.name);
  expect(removed?.length).toBeGreaterThan(3);
  expect((await kinds()).get('added.v1')).toBeUndefined();
  lies = false;
  for (let hours = 0; hours < 3; hours += 1) await readAll(all);
  const added = (await kinds()).get('added.v1')?.map(({ data }) => data.entity?.name);
  expect(added?.toSorted()).toEqual(removed?.toSorted());
});

test('a row about a gene that neither of two readings shows denies both, and nothing is published of it', async () => {
  let lies = true;
  const all = await openProving({
    distort: (url, right) =>
      lies && /panels\/\d+\//.test(url.pathname)
        ? { ...right, body: JSON.stringify(kindsOfLies['no entities'].answer(JSON.parse(right.body))) }
        : right,
  });
  await all.harness.poll();
  await all.harness.sweep();
  await all.harness.prove();
  const { panel } = all.catalogue.act({ kind: 'edit mode of inheritance' });
  const entities = async () =>
    (await all.harness.states.versions(panel.id)).map(({ proof, entityCount }) => [
      proof.kind,
      entityCount > 0,
    ]);
  await readAll(all);
  expect(await entities()).toEqual([
    ['proven', false],
    ['unproven', false],
  ]);
  expect(JSON.stringify(await all.harness.unproven())).toContain('neither it nor the version before');
  lies = false;
  await readAll(all);
  all.clock.pass(DAY);
  await readAll(all);
  expect(await entities()).toEqual([
    ['proven', true],
    ['proven', true],
  ]);
  expect(await bySnapshot(all)).toEqual([]);
});
