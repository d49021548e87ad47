import { panelKey } from '../../filters/names.ts';
import type { CatalogueListing } from '../listing.ts';
import { createSqliteStore } from '../sqlite.ts';
import { cataloguesIn, type StateFile } from '../sqlite-file.ts';
import { publishRecorded } from '../sqlite-published.ts';
import { holdingRows } from '../sqlite-schema.ts';
import { attemptOn, type Coverage, type History } from './history.ts';
import { withPeriod } from './read-part.ts';
import { createSqliteInsert, hasKey, indexManyEvents, namesOfEntities } from './sqlite-event-index.ts';
import { createSqliteFind, wholeJson } from './sqlite-find.ts';
import { createSqliteNames, createSqliteStatedValues } from './sqlite-names.ts';
import { type HeldByPanel, type HeldNames, heldNames, type NamedPlace } from './unknown-names.ts';

/**
 * The history of a local run, in its state file.
 * @param indexStep how many events of a backlog are indexed together; a number of them where absent
 */
export function createSqliteHistory(file: StateFile, indexStep?: number): History {
  const { database, transaction } = file;
  const attempt = attemptOn(file);
  const insert = createSqliteInsert(file);
  const coverage = createSqliteCoverage(file);
  const names = createSqliteNames(file);
  const stated = createSqliteStatedValues(file);
  const selectBodies = database.prepare(
    `SELECT id, ${wholeJson} AS body FROM event LEFT JOIN event_rows USING (seq) WHERE ${hasKey('id', 'SELECT value FROM json_each(?)')}`,
  );

  return {
    ...createSqliteFind(file, names),
    async append(records, period) {
      attempt('Writing', () =>
        transaction(() => {
          insert(publishRecorded(file, records), period.until);
          indexManyEvents(file, indexStep);
          coverage.cover(period);
          noteAppended(file, period);
        }),
      );
    },
    bodiesOf: async (records) =>
      attempt('Reading', () => {
        const ids = JSON.stringify(records.map(({ id }) => id));
        const kept = selectBodies.all(ids, ids);
        return new Map(kept.map(({ id, body }) => [String(id), String(body)]));
      }),
    names: async (whose) => attempt('Reading', () => names(whose)),
    entityKeys: async () =>
      attempt('Reading', () =>
        database
          .prepare(namesOfEntities())
          .all()
          .map(({ name }) => String(name)),
      ),
    states: async (key, value, catalogue) => attempt('Reading', () => stated.has(key, value, catalogue)),
    coverage: async () => attempt('Reading', coverage.all),
  };
}

/** Notes what the history holds from now on, in the transaction of its events. */
function noteAppended(
  { database }: Pick<StateFile, 'database'>,
  { catalogue, since, until }: Coverage,
): void {
  database
    .prepare(
      `INSERT INTO appended (at, seq, catalogue, since, until)
       VALUES (recording_time(), (SELECT coalesce(max(seq), 0) FROM event), ?, ?, ?)`,
    )
    .run(catalogue, Number(since), Number(until));
}

function createSqliteCoverage({ database }: Pick<StateFile, 'database'>) {
  const periods = (where = '', ...values: readonly string[]): readonly Coverage[] =>
    database
      .prepare(`SELECT catalogue, since, until FROM coverage ${where} ORDER BY since, catalogue`)
      .all(...values)
      .map(({ catalogue, since, until }) => ({
        catalogue: String(catalogue),
        since: BigInt(since as number),
        until: BigInt(until as number),
      }));

  return {
    cover({ catalogue, since, until }: Coverage): void {
      const covered = withPeriod(periods('WHERE catalogue = ?', catalogue), { since, until });
      database.prepare('DELETE FROM coverage WHERE catalogue = ?').run(catalogue);
      const insert = database.prepare('INSERT INTO coverage (catalogue, since, until) VALUES (?, ?, ?)');
      for (const period of covered) insert.run(catalogue, Number(period.since), Number(period.until));
    },
    all: () => periods(),
  };
}

/** The history of a state file, and the names that its events and listings have. */
export function namedPlaceOf(
  file: StateFile,
): NamedPlace & { readonly history: History; held(): Promise<HeldNames> } {
  const listings: NamedPlace['listings'] = async () => {
    const all = await Promise.all(
      cataloguesIn(file).map(async (catalogue) => {
        const listing = await createSqliteStore(file, catalogue).listing();
        return listing ? [{ catalogue, listing }] : [];
      }),
    );
    return all.flat();
  };
  return {
    history: createSqliteHistory(file),
    isLocal: true,
    listings,
    held: async () => heldIn(file, await listings()),
  };
}

function heldIn({ database }: StateFile, listings: readonly CatalogueListing[]): HeldNames {
  const newest = database.prepare(
    "SELECT substr(partition, 14) AS catalogue, CAST(id AS INTEGER) AS panel FROM panel_item WHERE partition GLOB 'state-panels#*'",
  );
  const rows = database.prepare(`SELECT catalogue, panel, name, hgnc_id FROM ${holdingRows}`).all();
  const keyOf = ({ catalogue, panel }: (typeof rows)[number]) => panelKey(String(catalogue), Number(panel));
  const held = Map.groupBy(rows, keyOf);
  const states = newest.all().map((panel): HeldByPanel => {
    const entities = (held.get(keyOf(panel)) ?? []).map(({ name, hgnc_id }) => ({
      name: String(name),
      hgncId: hgnc_id === null ? null : String(hgnc_id),
    }));
    return { catalogue: String(panel.catalogue), panelId: Number(panel.panel), entities };
  });
  return heldNames(states, listings);
}
