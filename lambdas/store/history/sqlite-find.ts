import type { PanelEvent } from '../../events/schemas.ts';
import { compileFilter, factsOf, type NormalizedFilter, normalized } from '../../filters/filter.ts';
import { possibleKinds } from '../../filters/filter-policy.ts';
import { type Names, noNames } from '../../filters/names.ts';
import type { StateFile } from '../sqlite-file.ts';
import { NO_PANEL } from '../sqlite-schema.ts';
import {
  attemptOn,
  type History,
  type HistoryQuery,
  type Place,
  type StatedKey,
  withoutRows,
  wordsOf,
} from './history.ts';
import { hasKey, indexNextWords } from './sqlite-event-index.ts';
import type { ReadNames } from './sqlite-names.ts';

type Database = Pick<StateFile, 'database'>;

type Value = string | number | bigint;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
  /** Whether an index finds the events, in another order than that of time. */
  readonly isSorted?: boolean;
}

/** A query of events within a part of its order. */
interface BoundedQuery extends HistoryQuery {
  /** Only events after this place in the order of the query. */
  readonly after?: Place | undefined;
  /** The last event to look at, newest first. */
  readonly floor?: Place | null;
}

/** Longer lists are left to the compiled filter, which looks a name up in a set. */
const LONGEST_LIST = 500;

/**
 * What SQLite can decide of a query. The condition lets pass every event that the query asks for, and some that the
 * compiled filter then drops. Of panel names and types, R codes, tags and actors it compares a part with the text of
 * the event, so that most other events need not be read.
 * @param first the number of the first event of which the words are looked at; of all of them where absent
 */
export function conditionOf(query: BoundedQuery, names: Names, first?: number): Required<Condition> {
  const { catalogue, since, until, filter = {}, text, withCorrected = false, after, floor } = query;
  const wanted = normalized(filter, names);
  const match = matchOf(wordsOf(text ?? ''));
  const conditions: readonly (Condition | false | null | undefined)[] = [
    catalogue !== undefined && { sql: 'event.catalogue = ?', values: [catalogue] },
    since !== undefined && { sql: 'event.at >= ?', values: [Number(since)] },
    until !== undefined && { sql: 'event.at < ?', values: [Number(until)] },
    match !== null && {
      sql: `event.seq IN (SELECT rowid FROM search WHERE search MATCH ?${first === undefined ? '' : ' AND rowid >= ?'})`,
      // A number is bound as a floating-point one, which the search index takes for no bound: it would go through all events that have the word.
      values: [match, ...(first === undefined ? [] : [BigInt(first)])],
      isSorted: true,
    },
    indexed('name', wanted.possibleGenes, query),
    // Rows of a panel that is deleted have no id; the compiled filter compares their names.
    indexed('panel', panelIdsOf(wanted)?.concat(NO_PANEL), query),
    list(wanted.catalogues, (marks) => `event.catalogue IN (${marks})`),
    list(possibleKinds(wanted), (marks) => `event.kind IN (${marks})`),
    list(wanted.entityTypes, (marks) => `event.entity_type IN (${marks})`),
    list(wanted.from, (marks) => `event.rating_from IN (${marks})`),
    list(wanted.to, (marks) => `event.rating_to IN (${marks})`),
    list(wanted.direction, (marks) => `event.direction IN (${marks})`),
    ...stating('panelTypes', wanted.panelTypes, HEAD),
    ...stating('rCodes', wanted.rCodes, HEAD),
    ...stating('tags', wanted.tags, HEAD_AND_TAIL),
    ...stating('actors', wanted.actors, HEAD),
    !withCorrected && { sql: 'event.id NOT IN (SELECT id FROM corrected_event)', values: [] },
    wanted.late !== undefined && { sql: 'event.late = ?', values: [Number(wanted.late)] },
    floor && { sql: '(event.at, event.id) >= (?, ?)', values: [Number(floor.at), floor.id] },
    // The last of them: who reads in pages binds these two values anew.
    after && {
      sql: `(event.at, event.id) ${query.order === 'oldest' ? '>' : '<'} (?, ?)`,
      values: [Number(after.at), after.id],
    },
  ];
  const stated = conditions.filter((condition) => !!condition);
  return {
    sql: ['1', ...stated.map(({ sql }) => sql)].join(' AND '),
    values: stated.flatMap(({ values }) => values),
    isSorted: stated.some(({ isSorted }) => isSorted),
  };
}

/** What the search index is asked for; null without a word. */
const matchOf = (words: readonly string[]): string | null =>
  words.length === 0 ? null : words.map((word) => `"${word}"`).join(' ');

function panelIdsOf({ panelIds, namedPanels = [] }: NormalizedFilter): readonly number[] | undefined {
  return panelIds && [...new Set([...panelIds, ...namedPanels.map(({ id }) => id)])];
}

/** Events that an index leads to. The period of a query bounds what the index gives. */
function indexed(
  key: 'name' | 'panel',
  wanted: readonly Value[] | undefined,
  { since, until }: HistoryQuery,
): Condition | undefined {
  const bounds = [
    ...(since === undefined ? [] : [{ sql: 'at >= ?', value: Number(since) }]),
    ...(until === undefined ? [] : [{ sql: 'at < ?', value: Number(until) }]),
  ];
  const found = list(wanted, (marks) =>
    hasKey(
      key,
      marks,
      bounds.map(({ sql }) => sql),
    ),
  );
  if (!found) return undefined;
  const values = [...found.values, ...bounds.map(({ value }) => value)];
  return { sql: found.sql, values: [...values, ...values], isSorted: true };
}

function list(
  values: readonly Value[] | undefined,
  sqlOf: (placeholders: string) => string,
): Condition | undefined {
  if (!values || values.length > LONGEST_LIST) return undefined;
  return { sql: sqlOf(values.map(() => '?').join(', ')), values };
}

const HEAD = 'lower(event.head)';
const HEAD_AND_TAIL = 'lower(event.head || event.tail)';
/** Longer lists of texts are left to the compiled filter. */
const MOST_TEXTS = 20;

/** Values for which there is no index: where no event has any of them, no event is looked at. */
const stating = (key: StatedKey, values: readonly string[] | undefined, text: string) => [
  list(
    values,
    (marks) => `(SELECT count(*) FROM stated_value WHERE key = '${key}' AND value IN (${marks})) > 0`,
  ),
  containing(values, text),
];

/** Whether a text holds a part of one of the values; undefined where a value has no part that can be looked for. */
function containing(values: readonly string[] | undefined, text: string): Condition | undefined {
  if (!values || values.length === 0 || values.length > MOST_TEXTS) return undefined;
  const parts = values.map(plainPartOf);
  if (parts.some((part) => part.length < 2)) return undefined;
  return { sql: `(${parts.map(() => `instr(${text}, ?) > 0`).join(' OR ')})`, values: parts };
}

/**
 * The longest part of a value that the JSON of an event holds in the same characters, in lower case. SQLite
 * lowers ASCII letters only; the one other character that becomes an ASCII letter in lower case is the kelvin sign.
 */
function plainPartOf(value: string): string {
  const parts = value.toLowerCase().match(/[a-jl-z0-9.]+/g) ?? [];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** So many of the newest events that have the words of a search are sorted first, then so many times as many. */
const FIRST_FOUND = 1_000;
const GROWTH = 8;

/** Hardly more than are still wanted: some of them may be older than events that were appended before. */
const nextCount = (count: number, left: number): number =>
  Math.max(2 * count, Math.min(GROWTH * count, count + Math.ceil(1.1 * left)));

/**
 * Events are read in pages, so that memory stays flat and a writer is not kept waiting. Those of a small page die young: a larger
 * one outlives some collections of young objects.
 */
const PAGE = 100;

/**
 * The numbers of the events that SQLite finds for a query, in the order of the query and in pages. A search by words gives the
 * newest ones before it looks at older ones, so that who needs few events waits for few.
 */
export function* sortedNumbers(
  file: Database,
  query: BoundedQuery,
  names: Names,
): Generator<readonly number[]> {
  const match = matchOf(wordsOf(query.text ?? ''));
  let until = query.after ? query.after.at + 1n : query.until;
  if (match !== null && query.order !== 'oldest') {
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    for (let count = FIRST_FOUND; ; count = nextCount(count, left)) {
      const part = newestPart(file, match, count);
      if (part === null || part.since < (query.since ?? 0n)) break;
      const { first, since } = part;
      if (until === undefined || since < until) {
        const found = numbersIn(
          file,
          { ...query, since, ...(until !== undefined && { until }) },
          names,
          first,
        );
        yield* pagesOf(found);
        left -= found.length;
        until = since;
      }
    }
  }
  yield* pagesOf(numbersIn(file, { ...query, ...(until !== undefined && { until }) }, names));
}

/**
 * The period in which all events that have the words are among so many that were appended last, with the number of the first
 * of these; null where no more events have the words.
 */
function newestPart(
  { database }: Database,
  match: string,
  count: number,
): { first: number; since: bigint } | null {
  const last = database
    .prepare('SELECT rowid AS seq FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?')
    .get(match, count);
  if (!last) return null;
  const first = Number(last.seq);
  // In the order of time, past the newer ones: those that were appended before are mostly older.
  const before = database
    .prepare('SELECT at FROM recorded_event WHERE +seq < ? ORDER BY at DESC, id DESC LIMIT 1')
    .get(first);
  return before ? { first, since: BigInt(Number(before.at)) + 1n } : null;
}

function* pagesOf(numbers: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < numbers.length; at += PAGE) yield numbers.slice(at, at + PAGE);
}

function numbersIn(
  { database }: Database,
  query: BoundedQuery,
  names: Names,
  first?: number,
): readonly number[] {
  const { sql, values } = conditionOf(query, names, first);
  // One text costs half as much as a row for each number.
  const statement = database.prepare(
    `SELECT json_group_array(seq) AS numbers FROM (SELECT event.seq FROM event WHERE ${sql} ${orderOf(query)} LIMIT ?)`,
  );
  return JSON.parse(String(statement.get(...values, query.limit ?? -1)?.numbers));
}

/** The order of a query, as SQL. */
export const orderOf = ({ order }: HistoryQuery): string => {
  const direction = order === 'oldest' ? 'ASC' : 'DESC';
  return `ORDER BY event.at ${direction}, event.id ${direction}`;
};

/** An event's number, its id, its instant, and the event as JSON, with the rows of its log or without. */
export type EventRow = readonly [number: number, id: string, at: number, json: string];

/** The body of an event. SQLite puts its parts together, which costs less than to hand each of them over. */
export const wholeJson = "event.head || coalesce(event_rows.rows, '') || event.tail";
/** The same without the rows of the log, where it has any. */
export const jsonWithoutRows =
  "CASE event.tail WHEN '' THEN event.head ELSE event.head || '[]' || event.tail END";

/** The columns of an `EventRow`, and the table that has the rows of the log. */
export const eventColumns = `event.seq, event.id, event.at, ${jsonWithoutRows}`;
const wholeColumns = `event.seq, event.id, event.at, ${wholeJson}`;
const joinedRows = 'LEFT JOIN event_rows USING (seq)';

/** The events with the numbers of a list in JSON, in its order. `joined` is what is read beside them. */
export const rowsOfNumbers = (columns: string, joined = ''): string =>
  `SELECT ${columns} FROM json_each(?) AS number CROSS JOIN event ON event.seq = number.value ${joined}`;

/** A statement that gives `EventRow`s: arrays cost less to make than objects. */
export function rowStatement({ database }: Database, sql: string) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return {
    all: (...values: readonly Value[]) => statement.all(...values) as unknown as readonly EventRow[],
    iterate: (...values: readonly Value[]) =>
      statement.iterate(...values) as Iterable<unknown> as Iterable<EventRow>,
  };
}

/** The names that the filter of a query needs. */
export const namesFor = (names: ReadNames, { filter = {} }: HistoryQuery): Names =>
  filter.panels || filter.genes ? names(filter.genes ? undefined : 'panels') : noNames;

/**
 * Finds events in the history of a state file.
 * @param names the names that its events give
 */
export function createSqliteFind(
  file: StateFile,
  names: ReadNames,
): Pick<History, 'find' | 'findWithoutRows' | 'findRecords'> {
  const attempt = attemptOn(file);

  function* pages(query: HistoryQuery, known: Names, withRows: boolean): Generator<readonly EventRow[]> {
    if (wordsOf(query.text ?? '').length > 0) while (indexNextWords(file) > 0);
    const [columns, joined] = withRows ? [wholeColumns, joinedRows] : [eventColumns, ''];
    let { sql, values, isSorted } = conditionOf(query, known);
    if (isSorted) {
      const statement = rowStatement(file, rowsOfNumbers(columns, joined));
      const { limit: _limit, ...asked } = query;
      for (const numbers of sortedNumbers(file, asked, known)) yield statement.all(JSON.stringify(numbers));
      return;
    }
    const statementOf = (where: string) =>
      rowStatement(
        file,
        `SELECT ${columns} FROM event ${joined} WHERE ${where} ${orderOf(query)} LIMIT ${PAGE}`,
      );
    let statement = statementOf(sql);
    for (let isFirst = true; ; isFirst = false) {
      const page = statement.all(...values);
      yield page;
      const last = page.at(-1);
      if (page.length < PAGE || !last) return;
      const [, id, at] = last;
      if (isFirst) {
        // The place takes the part of this bound: with both, SQLite would begin each page at the bound.
        const { [query.order === 'oldest' ? 'since' : 'until']: _bound, ...further } = query;
        ({ sql, values } = conditionOf({ ...further, after: { at: BigInt(at), id } }, known));
        statement = statementOf(sql);
      }
      values = values.with(-2, at).with(-1, id);
    }
  }

  function* matching<Found>(
    query: HistoryQuery,
    withRows: boolean,
    found: (event: PanelEvent, json: string) => Found,
  ): Generator<Found> {
    const known = namesFor(names, query);
    const matches = compileFilter(query.filter ?? {}, known);
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    for (const page of pages(query, known, withRows)) {
      for (const [, , , json] of page) {
        const event = JSON.parse(json) as PanelEvent;
        if (!matches(event)) continue;
        yield found(event, json);
        if (--left === 0) return;
      }
    }
  }

  const asFound = <Found>(found: Generator<Found>): AsyncIterable<Found> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => attempt('Reading', () => found.next()),
      return: async () => found.return(undefined),
    }),
  });

  return {
    find: (query) => asFound(matching(query, true, (event) => event)),
    findWithoutRows: (query) => asFound(matching(query, false, withoutRows)),
    findRecords: (query) =>
      asFound(
        matching({ ...query, withCorrected: true }, true, (event, body) => ({
          id: event.id,
          topic: factsOf(event).topic,
          body,
        })),
      ),
  };
}
