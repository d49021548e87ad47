import type { EventFacts } from '../../filters/event-facts.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { StatedKey } from './history.ts';

/** A value's newest event is noted again once it is so many events further. */
const NOTED_AFTER = 1_000;

type LearnValues = (facts: EventFacts, seq: number) => void;

interface StatedValues {
  keep(append: (learn: LearnValues) => void): void;
  has(key: StatedKey, value: string, catalogue: string | undefined): boolean;
}

/** The values that events have of those keys of a filter for which the file has no index. */
export function createSqliteStatedValues({ database }: Pick<StateFile, 'database'>): StatedValues {
  /** The event that the file has with each value, as far as this process knows, so that most events cost no statement. */
  const known = new Map<string, Readonly<Record<StatedKey, Map<string, number>>>>();
  let noted = 0;

  const numberIn = (sql: string): number => Number(database.prepare(sql).get()?.seq ?? 0);

  const learn: LearnValues = (facts, seq) => {
    const { catalogue } = facts;
    const numbers = known.get(catalogue) ?? {
      panelTypes: new Map(),
      rCodes: new Map(),
      tags: new Map(),
      actors: new Map(),
    };
    known.set(catalogue, numbers);
    const note = (key: StatedKey, value: string): void => {
      if (seq - (numbers[key].get(value) ?? Number.NEGATIVE_INFINITY) < NOTED_AFTER) return;
      database
        .prepare(
          'INSERT INTO stated_value (catalogue, key, value, first, seq) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)',
        )
        .run(catalogue, key, value, seq, seq);
      numbers[key].set(value, seq);
    };
    for (const key of ['panelTypes', 'rCodes', 'tags'] as const)
      for (const value of facts[key]) note(key, value);
    if (facts.actor !== null) note('actors', facts.actor);
  };

  return {
    keep(append) {
      // Where the file says otherwise, what was added last was undone.
      if (numberIn('SELECT seq FROM stated_up_to') !== noted) known.clear();
      append(learn);
      // Those of a recorded chunk are among them, which `event` does not show yet.
      noted = numberIn('SELECT max(seq) AS seq FROM recorded_event');
      database
        .prepare(
          'INSERT INTO stated_up_to (only, seq) VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq',
        )
        .run(noted);
    },
    has(key, value, catalogue) {
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
