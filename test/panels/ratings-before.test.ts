import { expect, onTestFinished, test } from 'vitest';
import { type ClassifiedRow, classifyLog } from '../../lambdas/classifier/classify.ts';
import { entityKey } from '../../lambdas/classifier/correlation/subject.ts';
import type { Archive } from '../../lambdas/panels/archive.ts';
import { createRatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

const NOW = Date.parse('2026-03-10T00:00:00Z');
const key = entityKey(3, { type: 'gene', name: 'GJB2' });

const activitiesOf = (version: string, time: string, ...texts: readonly string[]) =>
  texts.map((text, index) => ({
    created: `2026-03-05T${time}.${String(index).padStart(6, '0')}Z`,
    panel_id: 3,
    panel_name: 'Hearing loss',
    panel_version: version,
    user_name: 'Jane',
    item_type: 'entity',
    text,
    entity_name: 'GJB2',
    entity_type: 'gene',
  }));

const rowsOf = (...row: Parameters<typeof activitiesOf>): readonly ClassifiedRow[] =>
  classifyLog(activitiesOf(...row));

const amberRow = 'Gene: gjb2 has been classified as Amber List (Moderate Evidence).';

interface Kept {
  readonly kept: readonly VersionState[];
  /** What the archive serves, by version. */
  readonly archived?: Readonly<Record<string, VersionState>>;
}

/** The ratings before rows, where some states are kept and others are served. */
async function open({ kept, archived = {} }: Kept) {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: () => NOW });
  for (const state of kept) await states.save(state);
  const asked: string[] = [];
  const archive: Archive = {
    get requests() {
      return asked.length;
    },
    rows: async () => null,
    readSince: async () => null,
    async read(_panelId, version = 'present') {
      asked.push(version);
      const state = archived[version];
      return state ? { kind: 'state', state } : { kind: 'missing' };
    },
  };
  return { asked, ratingsBefore: createRatingsBefore({ states, archive, log: silentLog }) };
}

const state = (version: string, rating: 'green' | 'red', given: Partial<VersionState> = {}): VersionState =>
  madeUpState({ version, entities: [madeUpGene('GJB2', { rating })], source: 'archive', ...given });

/** What rows stated of the gene, in version 1.7. */
const stated = (rating: 'green' | 'red' | null) => ({
  entities: new Map([[key, { rating, at: at('2026-03-03T00:00:00'), unpaired: [], version: '1.7' }]]),
  silent: new Map(),
});

async function before(
  rows: readonly ClassifiedRow[],
  { kept, archived = {} }: Kept,
  rating: 'green' | 'red' | null,
) {
  const { asked, ratingsBefore } = await open({ kept, archived });
  const shown = await ratingsBefore(rows, stated(rating));
  const [row] = rows;
  const found = row?.kind === 'recognised' ? shown(row, key) : undefined;
  return {
    asked,
    rating: found?.rating,
    found: (found?.found ?? []).flatMap(({ differences, state: { version } }) =>
      differences.map(({ kind, change }) => ({ kind, change, version })),
    ),
  };
}

test('a state of an old version does not replace what rows stated since', async () => {
  const kept = [
    state('1.4', 'red', { validFrom: at('2026-03-01T10:00:00'), readAt: at('2026-03-09T00:00:00') }),
  ];
  expect(await before(rowsOf('1.9', '09:00:00', amberRow), { kept }, 'green')).toEqual({
    asked: ['1.8'],
    rating: undefined,
    found: [],
  });
});

test('a present state of an older version does not keep the archive from being asked', async () => {
  const kept = [state('1.4', 'red', { source: 'present', readAt: at('2026-03-02T00:00:00') })];
  const archived = { '1.8': state('1.8', 'green', { validFrom: at('2026-03-04T00:00:00') }) };
  expect(await before(rowsOf('1.9', '09:00:00', amberRow), { kept, archived }, null)).toMatchObject({
    asked: ['1.8'],
    rating: 'green',
  });
});

test.each([
  [
    'its mode of inheritance',
    'Mode of inheritance for gene: GJB2 was changed from Unknown to BOTH monoallelic and biallelic',
  ],
  ['its sources', 'All sources for gene: GJB2 were removed'],
])('a row that changes %s needs the rating, which the version before shows', async (_what, text) => {
  const archived = { '1.8': state('1.8', 'green', { validFrom: at('2026-03-04T00:00:00') }) };
  const kept = [state('1.4', 'red', { source: 'present', readAt: at('2026-03-02T00:00:00') })];
  const rows = rowsOf('1.9', '09:00:00', text);
  expect(rows[0]?.kind).toBe('recognised');
  expect(await before(rows, { kept, archived }, null)).toMatchObject({ asked: ['1.8'], rating: 'green' });
});

test('a row that adds a source needs no rating', async () => {
  const rows = rowsOf('1.9', '09:00:00', 'Source Literature was added to GJB2.');
  expect(rows[0]?.kind).toBe('recognised');
  const kept = [state('1.4', 'red', { source: 'present', readAt: at('2026-03-02T00:00:00') })];
  expect(await before(rows, { kept }, null)).toMatchObject({ asked: [], rating: undefined });
});

test('a state that was read under the version of a row is newer than the end of the version before', async () => {
  const validFrom = at('2026-03-04T00:00:00');
  const kept = [
    state('1.8', 'green', { validFrom: at('2026-03-03T12:00:00'), validTo: validFrom }),
    state('1.9', 'red', { source: 'present', validFrom, readAt: at('2026-03-05T08:00:00') }),
  ];
  expect(await before(rowsOf('1.9', '09:00:00', amberRow), { kept }, 'green')).toMatchObject({
    rating: 'red',
    found: [{ change: { from: 'green', to: 'red', direction: 'downgraded' }, version: '1.9' }],
  });
});

test('a change that no row states is found at the version whose end shows it first', async () => {
  const versions = ['1.6', '1.7', '1.8', '1.9', '1.10', '1.11'] as const;
  const archived = Object.fromEntries(
    versions.map((version, index) => [
      version,
      state(version, index < 3 ? 'green' : 'red', { validFrom: at(`2026-03-0${index + 2}T00:00:00`) }),
    ]),
  );
  const rows = rowsOf('1.12', '23:00:00', amberRow).map((row) => ({ ...row, at: at('2026-03-09T00:00:00') }));
  expect(await before(rows, { kept: [], archived }, 'green')).toEqual({
    asked: ['1.11', '1.7', '1.9', '1.8'],
    rating: 'red',
    found: [
      {
        kind: 'entity.classified',
        change: { from: 'green', to: 'red', direction: 'downgraded', via: 'snapshot' },
        version: '1.9',
      },
    ],
  });
});

test('the archive is asked once for the version before several rows', async () => {
  const archived = { '1.8': state('1.8', 'green', { validFrom: at('2026-03-04T00:00:00') }) };
  const { asked, ratingsBefore } = await open({ kept: [], archived });
  await ratingsBefore(rowsOf('1.9', '09:00:00', amberRow), stated(null));
  await ratingsBefore(rowsOf('1.9', '10:00:00', amberRow), stated(null));
  expect(asked).toEqual(['1.8']);
});

test('what a row rates a region that it renames is not found again before the next row', async () => {
  const region = (name: string, rating: 'green' | 'red') => [madeUpGene(name, { type: 'region', rating })];
  const kept = [
    state('1.7', 'green', { validFrom: at('2026-03-04T00:00:00'), entities: region('DEL1', 'green') }),
    state('1.8', 'red', { validFrom: at('2026-03-05T09:00:00'), entities: region('DEL2', 'red') }),
  ];
  const rename =
    'DEL1 was changed to DEL2\nRating Changed from Green List (high evidence) to Red List (low evidence)';
  const amberRegion = 'Region: del2 has been classified as Amber List (Moderate Evidence).';
  const rows = [...activitiesOf('1.8', '09:00:00', rename), ...activitiesOf('1.9', '10:00:00', amberRegion)];
  const regionRows = classifyLog(rows.map((row) => ({ ...row, entity_name: 'DEL2', entity_type: 'region' })));
  const { ratingsBefore } = await open({ kept });
  const shown = await ratingsBefore(regionRows, { entities: new Map(), silent: new Map() });
  const last = regionRows.at(-1);
  const regionKey = entityKey(3, { type: 'region', name: 'DEL2' });
  expect(last?.kind === 'recognised' && shown(last, regionKey)).toMatchObject({ rating: 'red', found: [] });
});

test('what is found before one row of a gene is not found again before the next one', async () => {
  const kept = [state('1.8', 'red', { validFrom: at('2026-03-04T00:00:00') })];
  const { ratingsBefore } = await open({ kept });
  const inherited =
    'Mode of inheritance for gene: GJB2 was changed from Unknown to BOTH monoallelic and biallelic';
  const [annotated, renamed] = activitiesOf('1.9', '09:00:00', inherited, 'GJB2 was changed to MYO7A');
  const rows = classifyLog([annotated, { ...renamed, entity_name: 'MYO7A' }]);
  const shown = await ratingsBefore(rows, stated('green'));
  const found = rows.map((row) => (row.kind === 'recognised' ? shown(row, key)?.found.length : undefined));
  expect(found).toEqual([1, 0]);
});

test('the versions of a panel that are kept are read once for the rows of a chunk, and again for the next ones', async () => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: () => NOW });
  await states.save(madeUpState({ version: '1.1' }));
  let read = 0;
  const versions: typeof states.versions = (panelId) => {
    read += 1;
    return states.versions(panelId);
  };
  const ratingsBefore = createRatingsBefore({ states: { ...states, versions }, log: silentLog });
  const rows = rowsOf('1.3', '10:00:00', amberRow, amberRow, amberRow);
  for (const times of [1, 2]) {
    await ratingsBefore(rows, { entities: new Map(), silent: new Map() });
    expect(read).toBe(times);
  }
});
