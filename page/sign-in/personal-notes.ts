import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { type Person, personSchema } from '../access/person.ts';

/** What the page keeps for each person: their name, the panels that they chose, and when they came. */
export interface PersonalNotes {
  /** The panels of a person, as they chose them, in the order of the choice. */
  panelsOf(person: string): Promise<readonly string[]>;
  /** Adds a panel; nothing happens where the person has it. */
  addPanel(person: string, panel: string): Promise<void>;
  removePanel(person: string, panel: string): Promise<void>;
  /**
   * Notes that a person is here, unless it is only asked, and returns when they were here before, in milliseconds since the epoch; null at the first
   * time. Requests within half an hour of each other are one visit.
   */
  visit(person: string, isHere?: boolean): Promise<number | null>;
  /** Keeps the name, account and role of a person: so others can assign entries to them. */
  meet(person: Person): Promise<void>;
  /** Everybody who was met, as they were last. */
  people(): Promise<readonly Person[]>;
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

/** Whether a person was not met yet by this process, with the same name, account and role. */
export function unmet(): (person: Person) => boolean {
  const met = new Map<string, string>();
  return (person) => {
    const seen = JSON.stringify(personSchema.parse(person));
    const isNew = met.get(person.id) !== seen;
    met.set(person.id, seen);
    return isNew;
  };
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
CREATE TABLE IF NOT EXISTS met_person (
  person TEXT PRIMARY KEY,
  value TEXT NOT NULL
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
  const selectMet = database.prepare('SELECT value FROM met_person ORDER BY person');
  const keepMet = database.prepare(
    'INSERT INTO met_person (person, value) VALUES (?, ?) ON CONFLICT (person) DO UPDATE SET value = excluded.value',
  );
  const isNew = unmet();
  return {
    async meet(person) {
      if (isNew(person)) keepMet.run(person.id, JSON.stringify(personSchema.parse(person)));
    },
    people: async () => selectMet.all().map(({ value }) => personSchema.parse(JSON.parse(String(value)))),
    panelsOf: async (person) => select.all(person).map(({ panel }) => String(panel)),
    addPanel: async (person, panel) => {
      insert.run(person, panel);
    },
    removePanel: async (person, panel) => {
      remove.run(person, panel);
    },
    async visit(person, isHere = true) {
      const now = clock.now();
      const known = selectVisit.get(person);
      const before = visitAt(
        now,
        known && {
          last: Number(known.last),
          before: known.before === null ? null : Number(known.before),
        },
      );
      if (isHere) noteVisit.run(person, before, now);
      return before;
    },
  };
}
