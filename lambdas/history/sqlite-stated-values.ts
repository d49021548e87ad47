import type { PanelEvent } from '../events/schemas.ts';
import { withoutRows } from '../events/split-body.ts';
import { hasTable, type StateFile } from '../state/sqlite-file.ts';
import { type EventFacts, factsOf } from '../subscriptions/event-facts.ts';
import type { StatedKey } from './history.ts';

/** Events from before values were kept that one append reads: a poll waits no longer for it than for another chunk. */
const STEP = 5_000;

/** A value's newest event is noted again once it is so many events further. */
const NOTED_AFTER = 1_000;

/** Keeps the values of the event with a number. */
type LearnValues = (facts: EventFacts, seq: number) => void;

interface StatedValues {
  /** Keeps the values of events that are appended in a transaction: `append` gets what keeps those of one event. */
  keep(append: (learn: LearnValues) => void): void;
  /** Whether an event has a value; null in a file of an earlier version, until appends have read its events. */
  has(key: StatedKey, value: string, catalogue: string | undefined): boolean | null;
}

/**
 * The values that events have of those keys of a filter for which the file has no index.
 * @param step how many events from before values were kept one append reads
 */
export function createSqliteStatedValues(
  { database }: Pick<StateFile, 'database'>,
  step = STEP,
): StatedValues {
  const newest = database.prepare('SELECT coalesce(max(seq), 0) AS seq FROM event');
  const newestRecorded = hasTable(database, 'recorded_event')
    ? database.prepare('SELECT coalesce(max(seq), 0) AS seq FROM recorded_event')
    : newest;
  /** The event that the file has with each value, as far as this process knows, so that most events cost no statement. */
  const known = new Map<string, number>();
  let noted = 0;

  const numberOf = (sql: typeof newest): number => Number(sql.get()?.seq ?? 0);
  const upTo = (): number => numberOf(database.prepare('SELECT seq FROM stated_up_to'));
  const setUpTo = (seq: number): void => {
    database
      .prepare(
        'INSERT INTO stated_up_to (only, seq) VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq',
      )
      .run(seq);
    noted = seq;
  };

  const learn: LearnValues = (facts, seq) => {
    for (const [key, values] of valuesOf(facts)) {
      for (const value of values) {
        const place = `${key} ${facts.catalogue}\n${value}`;
        if (seq - (known.get(place) ?? Number.NEGATIVE_INFINITY) < NOTED_AFTER) continue;
        database
          .prepare(
            'INSERT INTO stated_value (catalogue, key, value, seq) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)',
          )
          .run(facts.catalogue, key, value, seq);
        known.set(place, seq);
      }
    }
  };

  /** Returns whether the values of every event are kept now. */
  const catchUp = (): boolean => {
    const rows = database
      .prepare('SELECT seq, head, tail FROM event WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(upTo(), step);
    for (const { seq, head, tail } of rows) {
      const body = withoutRows({ head: String(head), tail: String(tail) });
      learn(factsOf(JSON.parse(body) as PanelEvent), Number(seq));
    }
    if (rows.length > 0) setUpTo(Number(rows.at(-1)?.seq));
    return rows.length < step;
  };

  return {
    keep(append) {
      // Where the file says otherwise, what was added last was undone.
      if (upTo() !== noted) known.clear();
      const isWhole = catchUp();
      append(isWhole ? learn : () => {});
      if (isWhole) setUpTo(numberOf(newestRecorded));
    },
    has(key, value, catalogue) {
      if (!hasTable(database, 'stated_value') || upTo() < numberOf(newest)) return null;
      const found = database
        .prepare(
          'SELECT 1 FROM stated_value WHERE key = ? AND value = ? AND catalogue = coalesce(?, catalogue)',
        )
        .get(key, value, catalogue ?? null);
      return found !== undefined;
    },
  };
}

/** Forgets the values that no event has from a number on, in a transaction of the caller. */
export function forgetStatedValues({ database }: Pick<StateFile, 'database'>, seq: number): void {
  database.prepare('DELETE FROM stated_value WHERE seq < ?').run(seq - NOTED_AFTER);
}

const valuesOf = ({ actor, ...facts }: EventFacts): readonly (readonly [StatedKey, readonly string[]])[] => [
  ['panelTypes', facts.panelTypes],
  ['rCodes', facts.rCodes],
  ['tags', facts.tags],
  ['actors', actor === null ? [] : [actor]],
];
