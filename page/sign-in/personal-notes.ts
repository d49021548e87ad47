import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/clock/clock.ts';

/** What the page keeps for each person: the panels that they chose, and when they came. */
export interface PersonalNotes {
  /** The panels of a person, as they chose them, in the order of the choice. */
  panelsOf(person: string): Promise<readonly string[]>;
  /** Adds a panel; nothing happens where the person has it. */
  addPanel(person: string, panel: string): Promise<void>;
  removePanel(person: string, panel: string): Promise<void>;
  /**
   * Notes that a person is here, and returns when they were here before, in milliseconds since the epoch; null at the first
   * time. Requests within half an hour of each other are one visit.
   */
  visit(person: string): Promise<number | null>;
}

/** A request that comes later than this after the last one begins another visit. */
const VISIT_MS = 1_800_000;

/** The last request of a person, and when the visit before that one ended. */
interface KnownVisit {
  readonly last: number;
  readonly before: number | null;
}

/** When a person who is here now was here before; null at the first time. In milliseconds since the epoch. */
export function visitAt(now: number, known: KnownVisit | undefined): number | null {
  if (!known) return null;
  return now - known.last > VISIT_MS ? known.last : known.before;
}

const tables = `
CREATE TABLE IF NOT EXISTS chosen_panel (
  person TEXT NOT NULL,
  panel TEXT NOT NULL,
  UNIQUE (person, panel)
) STRICT;
CREATE TABLE IF NOT EXISTS visit (
  person TEXT PRIMARY KEY,
  before INTEGER,
  last INTEGER NOT NULL
) STRICT;
`;

/** Creates the notes in the file of people. */
export function createPersonalNotes(database: DatabaseSync, clock: Pick<Clock, 'now'>): PersonalNotes {
  database.exec(tables);
  const select = database.prepare('SELECT panel FROM chosen_panel WHERE person = ? ORDER BY rowid');
  const insert = database.prepare('INSERT OR IGNORE INTO chosen_panel (person, panel) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM chosen_panel WHERE person = ? AND panel = ?');
  const selectVisit = database.prepare('SELECT before, last FROM visit WHERE person = ?');
  const noteVisit = database.prepare(
    'INSERT INTO visit (person, before, last) VALUES (?, ?, ?) ON CONFLICT (person) DO UPDATE SET before = excluded.before, last = excluded.last',
  );
  return {
    panelsOf: async (person) => select.all(person).map(({ panel }) => String(panel)),
    addPanel: async (person, panel) => {
      insert.run(person, panel);
    },
    removePanel: async (person, panel) => {
      remove.run(person, panel);
    },
    async visit(person) {
      const now = clock.now();
      const known = selectVisit.get(person);
      const before = visitAt(
        now,
        known && {
          last: Number(known.last),
          before: known.before === null ? null : Number(known.before),
        },
      );
      noteVisit.run(person, before, now);
      return before;
    },
  };
}
