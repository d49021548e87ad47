import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod';
import { damagedState } from '../state/damaged-state.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { StateError } from '../state/state-error.ts';
import { decisionSchema, readingSchema, type WorklistStore } from './worklist-record.ts';

/** Nothing of these tables is ever changed or removed: triggers refuse it. `value` is JSON. */
const tables = (temporary: '' | 'TEMP'): string => `
CREATE ${temporary} TABLE IF NOT EXISTS worklist_decision (
  entry TEXT NOT NULL,
  number INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (entry, number)
) STRICT;
CREATE ${temporary} TABLE IF NOT EXISTS worklist_reading (
  entry TEXT NOT NULL,
  person TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (entry, person)
) STRICT;
${['worklist_decision', 'worklist_reading']
  .flatMap((table) =>
    ['UPDATE', 'DELETE'].map(
      (verb) => `
CREATE ${temporary} TRIGGER IF NOT EXISTS ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
BEGIN SELECT RAISE(ABORT, 'decisions and readings are never changed or removed'); END;`,
    ),
  )
  .join('')}
`;

const prepared = new WeakSet<DatabaseSync>();

/** Creates the tables where they are missing. A file that cannot be written gets empty ones for this connection. */
function prepareTables(database: DatabaseSync): void {
  if (prepared.has(database)) return;
  try {
    database.exec(tables(''));
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode !== 8) throw error;
    const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'worklist_decision'").get();
    if (!isThere) database.exec(tables('TEMP'));
  }
  prepared.add(database);
}

/** The worklist's decisions and readings in the state file of a local run, beside the history. */
export function createSqliteWorklist({ database, path, transaction }: StateFile): WorklistStore {
  const attempt = async <Value>(action: 'Reading' | 'Writing', work: () => Value): Promise<Value> => {
    try {
      prepareTables(database);
      return work();
    } catch (cause) {
      if (cause instanceof StateError) throw cause;
      const { code, seen, remedy } = sqliteProblem(cause);
      throw new StateError(code, `${action} the worklist in ${path}: ${seen}. ${remedy}`, { cause });
    }
  };
  const parse = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> => {
    try {
      return schema.parse(JSON.parse(String(value)));
    } catch (cause) {
      throw damagedState(`an entry of the worklist in ${path}`, cause, 'Restore a copy of the directory.');
    }
  };
  const decisionsOf = (entry: string) =>
    database
      .prepare('SELECT value FROM worklist_decision WHERE entry = ? ORDER BY number')
      .all(entry)
      .map(({ value }) => parse(decisionSchema, value));

  return {
    record: () =>
      attempt('Reading', () => {
        const decisions = database
          .prepare('SELECT value FROM worklist_decision ORDER BY entry, number')
          .all();
        const readings = database.prepare('SELECT value FROM worklist_reading ORDER BY entry, person').all();
        return {
          decisions: decisions.map(({ value }) => parse(decisionSchema, value)),
          readings: readings.map(({ value }) => parse(readingSchema, value)),
        };
      }),
    decisionsOf: (entry) => attempt('Reading', () => decisionsOf(entry)),
    append: (decision) =>
      attempt('Writing', () =>
        transaction(() => {
          const { entry, number } = decision;
          database
            .prepare(
              'INSERT INTO worklist_decision (entry, number, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            )
            .run(entry, number, JSON.stringify(decision));
          return decisionsOf(entry).find((each) => each.number === number) ?? decision;
        }),
      ),
    noteReading: (reading) =>
      attempt('Writing', () => {
        transaction(() =>
          database
            .prepare(
              'INSERT INTO worklist_reading (entry, person, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            )
            .run(reading.entry, reading.by, JSON.stringify(reading)),
        );
      }),
  };
}
