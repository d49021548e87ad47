import type { SQLInputValue } from 'node:sqlite';
import type { PanelEvent } from '../../events/schemas.ts';
import { factsOf } from '../../filters/event-facts.ts';
import { compileFilter } from '../../filters/filter.ts';
import { type Names, noNames } from '../../filters/names.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { History, HistoryQuery } from './history.ts';
import { wordsOf } from './searched-words.ts';
import { attemptOn } from './sqlite-attempt.ts';
import { conditionsOf } from './sqlite-conditions.ts';
import type { ReadNames } from './sqlite-names.ts';
import { rowsOfNumbers, sortedNumbers } from './sqlite-sorted-numbers.ts';
import { indexNextWords } from './sqlite-word-index.ts';

/**
 * Events are read in pages, so that memory stays flat and a writer is not kept waiting. Those of a small page die young: a larger
 * one outlives some collections of young objects.
 */
const PAGE = 100;

/** An event's id, its instant, and the event as JSON, with the rows of its log or without. Arrays cost less to make. */
type Row = readonly [id: string, at: number, json: string];

/** The body of an event. SQLite puts its parts together, which costs less than to hand each of them over. */
export const wholeJson = "event.head || coalesce(event_rows.rows, '') || event.tail";
/** The same without the rows of the log, where it has any. */
export const jsonWithoutRows =
  "CASE event.tail WHEN '' THEN event.head ELSE event.head || '[]' || event.tail END";

/**
 * Finds events in the history of a state file.
 * @param names the names that its events give
 */
export function createSqliteFind(
  file: StateFile,
  names: ReadNames,
): Pick<History, 'find' | 'findWithoutRows' | 'findRecords'> {
  const { database } = file;
  const attempt = attemptOn(file);
  const namesFor = ({ filter = {} }: HistoryQuery): Names =>
    filter.panels || filter.genes
      ? attempt('Reading', () => names(filter.genes ? 'panels and genes' : 'panels'))
      : noNames;

  const indexAllWords = (): void => {
    while (indexNextWords(file) > 0);
  };

  function* pages(query: HistoryQuery, withRows: boolean): Generator<readonly Row[]> {
    if (wordsOf(query.text ?? '').length > 0) attempt('Reading', indexAllWords);
    const known = namesFor(query);
    const columns = `event.id, event.at, ${withRows ? wholeJson : jsonWithoutRows}`;
    const rows = withRows ? 'LEFT JOIN event_rows USING (seq)' : '';
    if (conditionsOf(query, known).some(({ isSorted }) => isSorted)) {
      const statement = attempt('Reading', () => database.prepare(rowsOfNumbers(columns, rows)));
      statement.setReturnArrays(true);
      const { limit: _limit, ...asked } = query;
      const numbers = sortedNumbers(file, asked, known);
      for (;;) {
        const page = attempt('Reading', () => {
          const { done, value } = numbers.next();
          return done ? null : statement.all(JSON.stringify(value));
        });
        if (page === null) return;
        yield page as unknown as readonly Row[];
      }
    }
    const oldestFirst = query.order === 'oldest';
    const [after, direction] = oldestFirst ? ['>', 'ASC'] : ['<', 'DESC'];
    const sqlOf = (where: readonly string[]): string =>
      `SELECT ${columns} FROM event ${rows} ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY event.at ${direction}, event.id ${direction} LIMIT ${PAGE}`;
    const pagesAfter = (asked: HistoryQuery, place: readonly string[]) => {
      const conditions = conditionsOf(asked, known);
      const statement = database.prepare(sqlOf([...conditions.map(({ sql }) => sql), ...place]));
      statement.setReturnArrays(true);
      return {
        statement,
        values: conditions.flatMap((condition): readonly SQLInputValue[] => condition.values),
      };
    };
    let { statement, values } = attempt('Reading', () => pagesAfter(query, []));
    for (let place: readonly SQLInputValue[] = []; ; ) {
      const page = attempt('Reading', () => statement.all(...values, ...place)) as unknown as readonly Row[];
      yield page;
      const last = page.at(-1);
      if (page.length < PAGE || !last) return;
      if (place.length === 0) {
        // The place takes the part of this bound: with both, SQLite would begin each page at the bound.
        const { [oldestFirst ? 'since' : 'until']: _bound, ...further } = query;
        ({ statement, values } = attempt('Reading', () =>
          pagesAfter(further, [`(event.at, event.id) ${after} (?, ?)`]),
        ));
      }
      place = [last[1], last[0]];
    }
  }

  function* matching<Found>(
    query: HistoryQuery,
    withRows: boolean,
    found: (event: PanelEvent, json: string) => Found,
  ): Generator<Found> {
    const matches = compileFilter(query.filter ?? {}, namesFor(query));
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    for (const page of pages(query, withRows)) {
      for (const [, , json] of page) {
        const event = attempt('Reading', () => parse(json));
        if (!matches(event)) continue;
        yield found(event, json);
        if (--left === 0) return;
      }
    }
  }

  return {
    find: (query) => asFound(matching(query, true, (event) => event)),
    findWithoutRows: (query) =>
      asFound(
        matching(query, false, (event) =>
          event.data.activities.length > 0
            ? ({ ...event, data: { ...event.data, activities: [] } } as PanelEvent)
            : event,
        ),
      ),
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

const asFound = <Found>(found: Generator<Found>): AsyncIterable<Found> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => found.next(),
    return: async () => found.return(undefined),
  }),
});

const parse = (json: string): PanelEvent => JSON.parse(json) as PanelEvent;
