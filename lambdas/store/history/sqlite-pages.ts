import type { SQLInputValue } from 'node:sqlite';
import type { PanelEvent } from '../../events/schemas.ts';
import { compileFilter } from '../../filters/filter.ts';
import { type Names, nameKey, noNames } from '../../filters/names.ts';
import type { StateFile } from '../sqlite-file.ts';
import { attemptOn, type HistoryQuery, type Place, withoutRows, wordsOf } from './history.ts';
import { hasKey, namesOfEntities } from './sqlite-event-index.ts';
import {
  conditionOf,
  type EventRow,
  eventColumns,
  namesFor,
  orderOf,
  rowStatement,
  rowsOfNumbers,
  sortedNumbers,
  wholeJson,
} from './sqlite-find.ts';
import { createSqliteNames } from './sqlite-names.ts';

/** An event without the rows of its log, and its place. */
export interface PlacedEvent extends Place {
  readonly event: PanelEvent;
}

interface NumberedEvent extends PlacedEvent {
  readonly number: number;
}

/** What of the history a page asks for. */
export type PageQuery = Omit<HistoryQuery, 'order' | 'limit'>;

interface PageBounds {
  readonly size: number;
  /** The greatest number of events looked at, so that a rare one costs no reading of the whole history. */
  readonly examined: number;
  /** Only events after this place; the newest ones where absent. */
  readonly after?: Place;
}

/** A page of events, newest first. */
export interface EventPage {
  readonly events: readonly PlacedEvent[];
  /** The place after which the next page begins; null at the end of what was asked for. */
  readonly next: Place | null;
  /** Whether the page ended because `examined` events were looked at. */
  readonly cutShort: boolean;
}

/**
 * Reads the history of a local run, in its state file, for a person who pages through it.
 * @throws {HistoryError} from every method, when the store cannot be read
 */
export function createSqlitePages(file: Pick<StateFile, 'database' | 'path'>) {
  const { database } = file;
  const attemptTo = attemptOn(file);
  const attempt = <Value>(work: () => Value): Value => attemptTo('Reading', work);
  const names = createSqliteNames(file);
  /** Asked for again and again while counts read thousands of events. */
  let byNumber: ReturnType<typeof rowStatement> | undefined;

  /** The last event of so many that are looked at, where an index does not find those of the query. */
  const floorOf = ({ since, until }: PageQuery, { after, examined }: PageBounds): Place | null => {
    const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
    const { sql, values } = conditionOf({ ...period, after, withCorrected: true }, noNames);
    const row = database
      .prepare(`SELECT at, id FROM event WHERE ${sql} ${orderOf({})} LIMIT 1 OFFSET ${examined - 1}`)
      .get(...values);
    return row ? { at: BigInt(row.at as number), id: String(row.id) } : null;
  };

  function* rowsOf(
    query: PageQuery & { readonly after: Place | undefined },
    floor: Place | null,
    known: Names,
  ) {
    const { sql, values, isSorted } = conditionOf({ ...query, floor }, known);
    if (isSorted) {
      const statement = rowStatement(file, rowsOfNumbers(eventColumns));
      for (const numbers of sortedNumbers(file, query, known))
        yield* statement.iterate(JSON.stringify(numbers));
      return;
    }
    yield* rowStatement(file, `SELECT ${eventColumns} FROM event WHERE ${sql} ${orderOf({})}`).iterate(
      ...values,
    );
  }

  function read(query: PageQuery, bounds: PageBounds): EventPage {
    const { size, examined, after } = bounds;
    const known = namesFor(names, query);
    const floor = isIndexed(query) ? null : floorOf(query, bounds);
    const matches = compileFilter(query.filter ?? {}, known);
    const events: PlacedEvent[] = [];
    let looked = 0;
    for (const row of rowsOf({ ...query, after }, floor, known)) {
      const placed = placedEvent(row);
      if (matches(placed.event)) {
        if (events.length === size) return { events, next: placeOf(events.at(-1)), cutShort: false };
        events.push(placed);
      }
      if (++looked === examined) return { events, next: placeOf(placed), cutShort: events.length < size };
    }
    return { events, next: floor, cutShort: floor !== null && events.length < size };
  }

  const bodyWhere = (condition: string, ...values: readonly SQLInputValue[]): string | null => {
    const row = database
      .prepare(`SELECT ${wholeJson} AS body FROM event LEFT JOIN event_rows USING (seq) WHERE ${condition}`)
      .get(...values);
    return row ? String(row.body) : null;
  };

  return {
    /** Events, newest first, without the rows of their log. */
    page: (query: PageQuery, bounds: PageBounds): EventPage => attempt(() => read(query, bounds)),
    /** The body of one event as it was published; null where the history has none of that id. */
    body: (id: string): string | null => attempt(() => bodyWhere(hasKey('id', '?'), id, id)),
    /** The id of the event that corrects an event; null where none does. */
    correctionOf: (id: string): string | null =>
      attempt(() => {
        const row = database.prepare('SELECT correction FROM corrected_event WHERE id = ?').get(id);
        return row ? String(row.correction) : null;
      }),
    /** The body of the event at a place, which costs less; null where there is none. */
    bodyAt: ({ at, id }: Place): string | null =>
      attempt(() => bodyWhere('at = ? AND id = ?', Number(at), id)),
    /** The names that panels and entities have and had; a query finds the events of a panel or an entity by any of them. */
    names: (): Names => attempt(() => names()),
    /** Names of entities that begin with a text, in the form of `nameKey`, in their order. */
    entityNames: (start: string, limit: number): readonly string[] =>
      attempt(() =>
        database
          .prepare(`${namesOfEntities('name >= ? AND name < ?')} LIMIT ?`)
          .all(...rangeOf(start), ...rangeOf(start), limit)
          .map(({ name }) => String(name)),
      ),
    /** The number of the event that was appended last; 0 for an empty history. */
    lastAppended: (): number =>
      attempt(() => Number(database.prepare('SELECT max(seq) AS seq FROM event').get()?.seq ?? 0)),
    /**
     * The numbers of the newest events that the store finds for a query, newest first. The store knows no R codes, tags,
     * actors and panel types: it gives the numbers of events that these would leave out too.
     */
    numbers: (query: PageQuery, limit: number): readonly number[] =>
      attempt(() => {
        const numbers: number[] = [];
        for (const page of sortedNumbers(file, { ...query, limit }, namesFor(names, query))) {
          numbers.push(...page);
          if (numbers.length >= limit) break;
        }
        return numbers.slice(0, limit);
      }),
    /** The events with these numbers, in no order; none for a number that the history does not have. */
    numbered: (numbers: readonly number[]): readonly NumberedEvent[] =>
      attempt(() => {
        byNumber ??= rowStatement(
          file,
          `SELECT ${eventColumns} FROM event WHERE seq IN (SELECT value FROM json_each(?))`,
        );
        return byNumber.all(JSON.stringify(numbers)).map((row) => ({ number: row[0], ...placedEvent(row) }));
      }),
    /** The events appended after that number and up to another, in the order in which they were appended. */
    appended: (after: number, upTo: number, limit: number): readonly PlacedEvent[] =>
      attempt(() =>
        rowStatement(
          file,
          `SELECT ${eventColumns} FROM event WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
        )
          .all(after, upTo, limit)
          .map(placedEvent),
      ),
  };
}

/** Whether an index leads to the events of a query; others are found by going through its period. */
function isIndexed({ filter = {}, text }: PageQuery): boolean {
  return filter.genes !== undefined || filter.panels !== undefined || wordsOf(text ?? '').length > 0;
}

/** The keys between which names that begin with a text lie. */
const rangeOf = (start: string): readonly [string, string] => [nameKey(start), `${nameKey(start)}\u{10ffff}`];

const placeOf = (placed: PlacedEvent | undefined): Place | null =>
  placed ? { at: placed.at, id: placed.id } : null;

const placedEvent = ([, id, at, json]: EventRow): PlacedEvent => ({
  at: BigInt(at),
  id,
  event: withoutRows(JSON.parse(json)),
});

/** The pages of a history. */
export type HistoryPages = ReturnType<typeof createSqlitePages>;
