import type { PanelEvent } from '../events/schemas.ts';
import { withoutRows } from '../events/split-body.ts';
import { hasTable, type StateFile } from '../state/sqlite-file.ts';
import { type EventFacts, factsOf } from '../subscriptions/event-facts.ts';
import type { StatedKey } from './history.ts';

/** Events from before values were kept that one append reads: a poll waits no longer for it than for another chunk. */
const STEP = 5_000;

interface StatedValues {
  /** Keeps the values of events that are appended in a transaction: `append` gets what keeps those of one event. */
  keep(append: (learn: (facts: EventFacts) => void) => void): void;
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
  /** What this process knows to be in the file, so that most events cost no statement. */
  const known = new Set<string>();
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

  const learn = (facts: EventFacts): void => {
    for (const [key, values] of valuesOf(facts)) {
      for (const value of values) {
        const place = `${key} ${facts.catalogue}\n${value}`;
        if (known.has(place)) continue;
        database
          .prepare('INSERT OR IGNORE INTO stated_value (catalogue, key, value) VALUES (?, ?, ?)')
          .run(facts.catalogue, key, value);
        known.add(place);
      }
    }
  };

  /** Returns whether the values of every event are kept now. */
  const catchUp = (): boolean => {
    const rows = database
      .prepare('SELECT seq, head, tail FROM event WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(upTo(), step);
    for (const { head, tail } of rows) {
      learn(factsOf(JSON.parse(withoutRows({ head: String(head), tail: String(tail) })) as PanelEvent));
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
      if (isWhole) setUpTo(numberOf(newest));
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

const valuesOf = ({ actor, ...facts }: EventFacts): readonly (readonly [StatedKey, readonly string[]])[] => [
  ['panelTypes', facts.panelTypes],
  ['rCodes', facts.rCodes],
  ['tags', facts.tags],
  ['actors', actor === null ? [] : [actor]],
];
