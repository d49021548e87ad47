import type { SQLInputValue } from 'node:sqlite';
import type { Names } from '../../filters/names.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { HistoryQuery, Place } from './history.ts';
import { wordsOf } from './searched-words.ts';
import { conditionsOf, matchOf } from './sqlite-conditions.ts';

type Database = Pick<StateFile, 'database'>;

/** A query of which an index finds the events, in another order than that of time. */
interface SortedQuery extends HistoryQuery {
  /** Only events after this place, newest first. */
  readonly after?: Place | undefined;
}

/** So many of the newest events that have the words of a search are sorted first, then so many times as many. */
const FIRST_FOUND = 1_000;
const GROWTH = 8;

/** Hardly more than are still wanted: some of them may be older than events that were appended before. */
const nextCount = (count: number, left: number): number =>
  Math.max(2 * count, Math.min(GROWTH * count, count + Math.ceil(1.1 * left)));

const PAGE = 100;

/**
 * The numbers of the events that SQLite finds for a query, in the order of the query and in pages. A search by words gives the
 * newest ones before it looks at older ones, so that who needs few events waits for few.
 */
export function* sortedNumbers(
  file: Database,
  query: SortedQuery,
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

/** The events with the numbers of a list in JSON, in its order. `joined` is what is read beside them. */
export const rowsOfNumbers = (columns: string, joined = ''): string =>
  `SELECT ${columns} FROM json_each(?) AS number CROSS JOIN event ON event.seq = number.value ${joined}`;

function* pagesOf(numbers: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < numbers.length; at += PAGE) yield numbers.slice(at, at + PAGE);
}

function numbersIn(
  { database }: Database,
  { after, ...query }: SortedQuery,
  names: Names,
  first?: number,
): readonly number[] {
  const conditions = conditionsOf(query, names, first);
  const direction = query.order === 'oldest' ? 'ASC' : 'DESC';
  const where = [
    '1',
    ...conditions.map(({ sql }) => sql),
    ...(after ? ['(event.at, event.id) < (?, ?)'] : []),
  ];
  const sorted = `ORDER BY event.at ${direction}, event.id ${direction} LIMIT ?`;
  // One text costs half as much as a row for each number.
  const statement = database.prepare(
    `SELECT json_group_array(seq) AS numbers FROM (SELECT event.seq FROM event WHERE ${where.join(' AND ')} ${sorted})`,
  );
  const values = [
    ...conditions.flatMap((condition): readonly SQLInputValue[] => condition.values),
    ...(after ? [Number(after.at), after.id] : []),
    query.limit ?? -1,
  ];
  return JSON.parse(String(statement.get(...values)?.numbers));
}
