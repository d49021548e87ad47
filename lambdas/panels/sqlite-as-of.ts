import { formatInstant, type Instant } from '../run/instant.ts';
import type { Coverage } from '../store/history/history.ts';
import { withPeriod } from '../store/history/read-part.ts';
import { jsonWithoutRows } from '../store/history/sqlite-find.ts';
import { unpackAgainst } from '../store/packed.ts';
import type { StateFile } from '../store/sqlite-file.ts';

type Database = StateFile['database'];

/**
 * Why it is unknown what a state file held at an instant, and what to do, as a sentence; null where it is known, and `showAsOf` can
 * show it.
 */
export function unknownAsOf({ database }: StateFile, at: Instant): string | null {
  const begun = numberIn(database, 'SELECT min(at) AS value FROM followed');
  if (begun === null) return 'Nothing was kept there yet.';
  if (at < BigInt(begun))
    return `It was begun at ${formatInstant(BigInt(begun))}. Ask as of that time or a later one.`;
  const forgotten = BigInt(numberIn(database, 'SELECT at AS value FROM forgotten') ?? 0);
  if (at >= forgotten) return null;
  return `What was kept for as long as --keep says was forgotten last at ${formatInstant(forgotten)}. Ask as of a later time, or a copy of the folder from before.`;
}

/**
 * Lets a connection show a state file as it was at an instant: what was recorded later is hidden, and what it replaced is shown again.
 * Whatever reads by this connection then answers as it did at that time. Tables that no answer reads stay as they are, and the
 * decisions of a worklist, which have times of their own.
 *
 * Temporary tables and views have the names of those of the file: SQLite finds them first.
 * @param at one of which `unknownAsOf` says nothing
 */
export const showAsOf = (file: StateFile, at: Instant): void => file.snapshot(() => show(file, at));

function show({ database }: StateFile, at: Instant): void {
  const then = Number(at);
  const last = lastEventAt(database, then);
  database.exec(`
    CREATE TEMP VIEW event AS SELECT * FROM main.event WHERE seq <= ${last};
    CREATE TEMP VIEW event_name AS SELECT * FROM main.event_name WHERE seq <= ${last};
    CREATE TEMP VIEW unindexed_name AS SELECT * FROM main.unindexed_name WHERE seq <= ${last};
    CREATE TEMP VIEW stated_value AS SELECT * FROM main.stated_value WHERE first <= ${last};
    CREATE TEMP VIEW followed AS SELECT * FROM main.followed WHERE at <= ${then};
    CREATE TEMP VIEW panel_item AS
      SELECT partition, id, version, expires, value FROM main.panel_item WHERE since <= ${then}
      UNION ALL
      SELECT partition, id, version, NULL, value FROM main.panel_item_before WHERE since <= ${then} AND until > ${then};
  `);
  showTable(
    database,
    'corrected_event',
    'SELECT * FROM main.corrected_event WHERE correction IN (SELECT id FROM event)',
  );
  showTable(
    database,
    'panel_name',
    `SELECT catalogue, panel, json_extract(${jsonWithoutRows}, '$.data.panel.name') AS name, max(at)
     FROM event WHERE panel IS NOT NULL GROUP BY catalogue, panel, name`,
  );
  showTable(
    database,
    'gene_symbol',
    `SELECT DISTINCT json_extract(${jsonWithoutRows}, '$.data.entity.name'), json_extract(${jsonWithoutRows}, '$.data.entity.hgncId') AS hgnc_id
     FROM event WHERE entity_type = 'gene' AND kind <> 'entity.renamed' AND hgnc_id IS NOT NULL`,
  );
  showCoverage(database, then);
  showListings(database, then);
}

/** What a state file has recorded since an instant. */
export interface LeftOut {
  readonly events: number;
  /** Of these, with a time before the instant. */
  readonly late: number;
  /** Versions of panels that were read, read again or proven. */
  readonly versions: number;
  readonly signOffs: number;
}

/** Counts what `showAsOf` hides. */
export function leftOutSince({ database }: StateFile, at: Instant): LeftOut {
  const then = Number(at);
  const last = lastEventAt(database, then);
  const count = (sql: string): number => numberIn(database, `SELECT count(*) AS value FROM ${sql}`) ?? 0;
  return {
    events: count(`main.event WHERE seq > ${last}`),
    late: count(`main.event WHERE seq > ${last} AND at <= ${then}`),
    versions: count(`main.panel_item WHERE since > ${then} AND partition GLOB 'states#*'`),
    signOffs: count(`main.panel_item WHERE since > ${then} AND partition GLOB 'sign-offs#*'`),
  };
}

function numberIn(database: Database, sql: string): number | null {
  const value = database.prepare(sql).get()?.value;
  return value === null || value === undefined ? null : Number(value);
}

/** Events are numbered in the order in which readers could find them. */
const lastEventAt = (database: Database, then: number): number =>
  numberIn(database, `SELECT max(seq) AS value FROM main.appended WHERE at <= ${then}`) ?? 0;

/** Shows other rows under the name of a table, in the order of its key. */
function showTable(database: Database, name: string, rows?: string): void {
  const declared = database.prepare('SELECT sql FROM main.sqlite_schema WHERE name = ?').get(name);
  database.exec(String(declared?.sql).replace('CREATE TABLE', 'CREATE TEMP TABLE'));
  if (rows !== undefined) database.exec(`INSERT INTO temp.${name} ${rows}`);
}

function showCoverage(database: Database, then: number): void {
  showTable(database, 'coverage');
  const covered = new Map<string, readonly Pick<Coverage, 'since' | 'until'>[]>();
  const appended = database.prepare(
    'SELECT catalogue, since, until FROM main.appended WHERE at <= ? ORDER BY n',
  );
  for (const { catalogue, since, until } of appended.iterate(then)) {
    const period = { since: BigInt(Number(since)), until: BigInt(Number(until)) };
    covered.set(String(catalogue), withPeriod(covered.get(String(catalogue)) ?? [], period));
  }
  const insert = database.prepare('INSERT INTO temp.coverage (catalogue, since, until) VALUES (?, ?, ?)');
  for (const [catalogue, periods] of covered)
    for (const { since, until } of periods) insert.run(catalogue, Number(since), Number(until));
}

function showListings(database: Database, then: number): void {
  const shown = new Map<string, Buffer | null>();
  for (const { catalogue, listing } of database.prepare('SELECT * FROM main.listing').all())
    shown.set(String(catalogue), Buffer.from(String(listing)));
  const later = database.prepare(
    'SELECT catalogue, listing FROM main.listing_before WHERE until > ? ORDER BY n DESC',
  );
  for (const { catalogue, listing } of later.iterate(then)) {
    const name = String(catalogue);
    shown.set(name, listing === null ? null : unpackAgainst(listing as Uint8Array, shown.get(name) ?? null));
  }
  showTable(database, 'listing');
  const insert = database.prepare('INSERT INTO temp.listing (catalogue, listing) VALUES (?, ?)');
  for (const [catalogue, listing] of shown) if (listing) insert.run(catalogue, String(listing));
}
