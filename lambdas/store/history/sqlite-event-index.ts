import { type PanelEvent, type SplitBody, splitBody, withoutRows } from '../../events/schemas.ts';
import { factsOf } from '../../filters/filter.ts';
import { parseInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { InsertEvents } from '../sqlite-published.ts';
import { attemptOn, searchedWords } from './history.ts';
import { hasOpenTime } from './read-part.ts';
import { createSqliteStatedValues } from './sqlite-names.ts';

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

/** Events that one transaction adds to the search index. */
const WORDS_STEP = 1_000;

/**
 * Adds the next events that were appended to the search index. Returns how many; 0 once the index holds them all. Polls
 * need not wait for the index: a search brings it up to date.
 */
export function indexNextWords({ database, transaction }: StateFile): number {
  const newest = database.prepare('SELECT max(rowid) AS seq FROM search_docsize');
  const unindexed = database.prepare(
    'SELECT seq, head, tail, rows FROM event LEFT JOIN event_rows USING (seq) WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const insertWords = database.prepare('INSERT INTO search (rowid, words) VALUES (?, ?)');
  if (unindexed.get(newest.get()?.seq ?? 0, 1) === undefined) return 0;
  return transaction(() => {
    const rows = unindexed.all(newest.get()?.seq ?? 0, WORDS_STEP);
    for (const { seq, head, tail, rows: ofLog } of rows) {
      const event = JSON.parse(`${head}${ofLog ?? ''}${tail}`) as PanelEvent;
      insertWords.run(seq ?? null, searchedWords(event).join(' '));
    }
    return rows.length;
  });
}

/** Whether a body has rows, of which `event` was read without. */
const hasRows = ({ data }: PanelEvent, { rows }: SplitBody): boolean =>
  rows === '' ? data.activities.length > 0 : rows !== '[]';

/** What inserts events into the history of a state file, with the names and values that they state. */
export function createSqliteInsert({ database }: Database): InsertEvents {
  const stated = createSqliteStatedValues({ database });

  return (events, untimed) => {
    const insertEvent = database.prepare(
      `INSERT INTO recorded_event (id, catalogue, at, time_is_open, kind, panel, entity_type, rating_from, rating_to, direction, late, names, head, tail)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    const insertCorrected = database.prepare(
      'INSERT OR IGNORE INTO corrected_event (id, correction) VALUES (?, ?)',
    );
    const insertRows = database.prepare('INSERT INTO event_rows (seq, rows) VALUES (?, ?)');
    const numbers: (number | null)[] = [];
    const given = createGivenNames();
    stated.keep((learn) => {
      for (const { id, body } of events) {
        const split = splitBody(body);
        // The rows need not be parsed.
        const event = JSON.parse(withoutRows(split)) as PanelEvent;
        const facts = factsOf(event);
        const at = Number(parseInstant(event.time) ?? untimed);
        const { changes, lastInsertRowid } = insertEvent.run(
          id,
          facts.catalogue,
          at,
          Number(hasOpenTime(event, hasRows(event, split))),
          facts.kind,
          facts.panelId,
          facts.entityType,
          facts.from,
          facts.to,
          facts.direction,
          Number(facts.late),
          facts.entityNames.length === 0 ? null : JSON.stringify(facts.entityNames),
          split.head,
          split.tail,
        );
        if (event.data.corrects !== undefined) insertCorrected.run(event.data.corrects, id);
        const seq = changes === 0 ? null : Number(lastInsertRowid);
        numbers.push(seq);
        if (seq === null) continue;
        if (split.rows !== '') insertRows.run(seq, split.rows);
        learn(facts, seq);
        given.note(event, at);
      }
    });
    given.write({ database });
    return numbers;
  };
}

/** The names that the events of one append give to panels and genes, each once: few of them are new. */
function createGivenNames() {
  const panels = new Map<string, readonly [catalogue: string, panel: number, name: string, at: number]>();
  const genes = new Map<string, readonly [symbol: string, hgncId: string]>();
  return {
    /** @param at when the event happened, in microseconds since 1970 */
    note(event: PanelEvent, at: number): void {
      const { catalogue, panel, entity } = event.data;
      if (typeof panel?.id === 'number') {
        const key = `${panel.id} ${catalogue}\n${panel.name}`;
        const [, , , before = at] = panels.get(key) ?? [];
        panels.set(key, [catalogue, panel.id, panel.name, Math.max(at, before)]);
      }
      // The entity of a renaming has one of two names.
      const renames = event.type === 'gene-panel.entity.renamed.v1';
      if (entity?.type === 'gene' && entity.hgncId !== undefined && !renames)
        genes.set(`${entity.hgncId} ${entity.name}`, [entity.name, entity.hgncId]);
    },
    /** Writes what was noted, within a transaction. */
    write({ database }: Database): void {
      const addPanel = database.prepare(
        'INSERT INTO panel_name (catalogue, panel, name, at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
      );
      for (const values of panels.values()) addPanel.run(...values);
      const addGene = database.prepare(
        'INSERT INTO gene_symbol (symbol, hgnc_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
      );
      for (const values of genes.values()) addGene.run(...values);
    },
  };
}
