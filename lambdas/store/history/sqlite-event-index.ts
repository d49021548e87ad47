import type { StateFile } from '../sqlite-file.ts';
import { attemptOn } from './sqlite-attempt.ts';

type Database = Pick<StateFile, 'database'>;

type EventKey = 'id' | 'name' | 'panel';

/**
 * Events of a backlog that are indexed together. Of fewer, more pages are written; of more, readers have to look at all
 * those that are not indexed yet.
 */
const INDEX_STEP = 40_000;

/** In a long history so large a part of it: each time, nearly every page of the index is written. */
const INDEX_SHARE = 1 / 8;

/**
 * The condition that an event has one of some ids, names or panels, whether it is indexed yet or not. One statement looks
 * at both, so that it misses nothing while another process indexes. The values of its placeholders are bound twice.
 */
export function hasKey(key: EventKey, marks: string, further: readonly string[] = []): string {
  const where = [`${key} IN (${marks})`, ...further].join(' AND ');
  const from = (table: string): string => `SELECT seq FROM ${table} WHERE ${where}`;
  return `event.seq IN (${from(`event_${key}`)} UNION ALL ${from(`unindexed_${key}`)})`;
}

/** The names of entities that events have, each once; `where` is a condition about `name`, whose values are bound twice. */
export const namesOfEntities = (where = '1'): string =>
  `SELECT name FROM event_name WHERE ${where} UNION SELECT name FROM unindexed_name WHERE ${where} ORDER BY name`;

/**
 * Indexes what was appended. To be called after a poll: until then, its events take longer to be found.
 * @throws {HistoryError} when the file cannot be written: the next call indexes them
 */
export function indexEvents(file: StateFile): void {
  attemptOn(file)('Writing', () => {
    if (lastPublished(file) > indexedUpTo(file)) file.transaction(() => addToIndex(file));
  });
}

/**
 * Indexes what a backlog has appended, once it is so much that readers would wait for it; in a transaction of the caller.
 * @param step how many events are indexed together
 */
export function indexManyEvents(file: Database, step = INDEX_STEP): void {
  const indexed = indexedUpTo(file);
  if (lastPublished(file) - indexed >= Math.max(step, indexed * INDEX_SHARE)) addToIndex(file);
}

/** The number of the last event. One that is not published yet gets a number behind it once it is. */
const lastPublished = ({ database }: Database): number =>
  Number(database.prepare('SELECT max(seq) AS seq FROM event').get()?.seq ?? 0);

const indexedUpTo = ({ database }: Database): number =>
  Number(database.prepare('SELECT seq FROM indexed_up_to').get()?.seq ?? 0);

function addToIndex(file: Database): void {
  const { database } = file;
  const last = lastPublished(file);
  for (const add of [
    'INSERT INTO event_id (id, seq) SELECT id, seq FROM unindexed_id WHERE seq <= ? ORDER BY id',
    'INSERT OR IGNORE INTO event_name (name, at, seq) SELECT name, at, seq FROM unindexed_name WHERE seq <= ? ORDER BY name, at, seq',
    'INSERT INTO event_panel (panel, at, seq) SELECT panel, at, seq FROM unindexed_panel WHERE seq <= ? ORDER BY panel, at, seq',
    'UPDATE indexed_up_to SET seq = ?',
  ]) {
    database.prepare(add).run(last);
  }
}
