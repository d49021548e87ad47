import type { SQLInputValue } from 'node:sqlite';
import { type Instant, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { splitBody, withoutRows } from '../events/split-body.ts';
import { type Names, noNames } from '../names/names.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { type EventFacts, factsOf } from '../subscriptions/event-facts.ts';
import { compileFilter } from '../subscriptions/filter.ts';
import {
  type Coverage,
  type History,
  HistoryError,
  type HistoryQuery,
  type HistoryRecord,
} from './history.ts';
import { withPeriod } from './periods.ts';
import { wordsOf } from './searched-words.ts';
import { conditionsOf } from './sqlite-conditions.ts';
import { createGivenNames } from './sqlite-given-names.ts';
import { createSqliteNames } from './sqlite-names.ts';
import { createSqliteStatedValues } from './sqlite-stated-values.ts';
import { indexNextWords } from './sqlite-word-index.ts';

/** Events are read in pages, so that memory stays flat and a writer is not kept waiting. */
const FIRST_PAGE = 100;
const LARGEST_PAGE = 2_000;

/** An event's id, its instant, and the event as JSON, with the rows of its log or without. Arrays cost less to make. */
type Row = readonly [id: string, at: number, json: string];

/** SQLite puts the parts of an event together, which costs less than to hand each of them over. */
const wholeJson = "event.head || coalesce(event_rows.rows, '') || event.tail";
const jsonWithoutRows = "CASE event.tail WHEN '' THEN event.head ELSE event.head || '[]' || event.tail END";

/** The history of a local run, in its state file. */
export function createSqliteHistory(file: StateFile): History {
  const { database, path, transaction } = file;
  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      const { seen, remedy } = sqliteProblem(cause);
      throw new HistoryError(`${action} the history in ${path}: ${seen}. ${remedy}`, { cause });
    }
  };

  const insertEvent = database.prepare(
    `INSERT INTO event (id, catalogue, at, kind, panel, entity_type, rating_from, rating_to, direction, late, head, tail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const selectBody = database.prepare(
    `SELECT ${wholeJson} AS body FROM event LEFT JOIN event_rows USING (seq) WHERE id = ?`,
  );
  const insertRows = database.prepare('INSERT INTO event_rows (seq, rows) VALUES (?, ?)');
  const insertName = database.prepare('INSERT OR IGNORE INTO event_name (name, at, seq) VALUES (?, ?, ?)');

  const stated = createSqliteStatedValues(file);

  const insert = (
    { id, body }: HistoryRecord,
    untimed: Instant,
    learn: (event: PanelEvent, facts: EventFacts, at: number) => void,
  ): void => {
    const split = splitBody(body);
    // The rows need not be parsed.
    const event = parse(withoutRows(split));
    const facts = factsOf(event);
    const at = Number(parseInstant(event.time) ?? untimed);
    const { changes, lastInsertRowid } = insertEvent.run(
      id,
      facts.catalogue,
      at,
      facts.kind,
      facts.panelId,
      facts.entityType,
      facts.from,
      facts.to,
      facts.direction,
      Number(facts.late),
      split.head,
      split.tail,
    );
    if (changes === 0) return;
    if (split.rows !== '') insertRows.run(lastInsertRowid, split.rows);
    for (const name of facts.entityNames) insertName.run(name, at, lastInsertRowid);
    learn(event, facts, at);
  };

  const selectPeriods = database.prepare(
    'SELECT since, until FROM coverage WHERE catalogue = ? ORDER BY since',
  );
  const deletePeriods = database.prepare('DELETE FROM coverage WHERE catalogue = ?');
  const insertPeriod = database.prepare('INSERT INTO coverage (catalogue, since, until) VALUES (?, ?, ?)');

  const periodsOf = (catalogue: string): readonly Coverage[] =>
    selectPeriods
      .all(catalogue)
      .map(({ since, until }) => ({ catalogue, since: instant(since), until: instant(until) }));

  const cover = ({ catalogue, since, until }: Coverage): void => {
    const periods = withPeriod(periodsOf(catalogue), { since, until });
    deletePeriods.run(catalogue);
    for (const period of periods) insertPeriod.run(catalogue, Number(period.since), Number(period.until));
  };

  const names = createSqliteNames(file);
  const namesFor = ({ filter = {} }: HistoryQuery): Names =>
    filter.panels || filter.genes ? attempt('Reading', names) : noNames;

  const indexAllWords = (): void => {
    while (indexNextWords(file) > 0);
  };

  async function* pages(query: HistoryQuery, withRows: boolean): AsyncGenerator<readonly Row[]> {
    if (wordsOf(query.text ?? '').length > 0) attempt('Reading', indexAllWords);
    const names = namesFor(query);
    const oldestFirst = query.order === 'oldest';
    const [after, direction] = oldestFirst ? ['>', 'ASC'] : ['<', 'DESC'];
    const columns = `event.id, event.at, ${withRows ? wholeJson : jsonWithoutRows}`;
    const tables = withRows ? 'event LEFT JOIN event_rows USING (seq)' : 'event';
    const sqlOf = (where: readonly string[]): string =>
      `SELECT ${columns} FROM ${tables} ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY event.at ${direction}, event.id ${direction} LIMIT ?`;
    const pagesAfter = (asked: HistoryQuery, place: readonly string[]) => {
      const conditions = conditionsOf(asked, names);
      const statement = database.prepare(sqlOf([...conditions.map(({ sql }) => sql), ...place]));
      statement.setReturnArrays(true);
      return { statement, values: conditions.flatMap(({ values }): readonly SQLInputValue[] => values) };
    };
    let { statement, values } = attempt('Reading', () => pagesAfter(query, []));
    let place: readonly SQLInputValue[] = [];
    for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
      const page = attempt('Reading', () =>
        statement.all(...values, ...place, size),
      ) as unknown as readonly Row[];
      yield page;
      const last = page.at(-1);
      if (page.length < size || !last) return;
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

  async function* matching<Found>(
    query: HistoryQuery,
    withRows: boolean,
    found: (event: PanelEvent, json: string) => Found,
  ): AsyncGenerator<Found> {
    const matches = compileFilter(query.filter ?? {}, namesFor(query));
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    for await (const page of pages(query, withRows)) {
      for (const [, , json] of page) {
        const event = attempt('Reading', () => parse(json));
        if (!matches(event)) continue;
        yield found(event, json);
        if (--left === 0) return;
      }
    }
  }

  return {
    async append(records, period) {
      attempt('Writing', () =>
        transaction(() => {
          const names = createGivenNames();
          stated.keep((learn) => {
            for (const record of records) {
              insert(record, period.until, (event, facts, at) => {
                learn(facts);
                names.note(event, at);
              });
            }
          });
          names.write(file);
          cover(period);
        }),
      );
    },
    async bodiesOf(records) {
      return attempt('Reading', () => {
        const bodies = new Map<string, string>();
        for (const { id } of records) {
          const kept = selectBody.get(id);
          if (kept) bodies.set(id, String(kept.body));
        }
        return bodies;
      });
    },
    find: (query) => matching(query, true, (event) => event),
    findWithoutRows: (query) =>
      matching(query, false, (event) =>
        event.data.activities.length > 0
          ? ({ ...event, data: { ...event.data, activities: [] } } as PanelEvent)
          : event,
      ),
    findRecords: (query) =>
      matching(query, true, (event, body) => ({ id: event.id, topic: factsOf(event).topic, body })),
    names: async () => attempt('Reading', names),
    entityKeys: async () =>
      attempt('Reading', () =>
        database
          .prepare('SELECT DISTINCT name FROM event_name')
          .all()
          .map(({ name }) => String(name)),
      ),
    states: async (key, value, catalogue) => attempt('Reading', () => stated.has(key, value, catalogue)),
    async coverage() {
      return attempt('Reading', () =>
        database
          .prepare('SELECT catalogue, since, until FROM coverage ORDER BY since, catalogue')
          .all()
          .map(({ catalogue, since, until }) => ({
            catalogue: String(catalogue),
            since: instant(since),
            until: instant(until),
          })),
      );
    },
  };
}

const instant = (value: unknown): Instant => BigInt(value as number);
const parse = (json: string): PanelEvent => JSON.parse(json) as PanelEvent;
