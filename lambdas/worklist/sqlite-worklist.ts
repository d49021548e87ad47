import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod';
import { damagedState } from '../state/damaged-state.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { StateError } from '../state/state-error.ts';
import { commentSchema, decisionSchema, readingSchema, type WorklistStore } from './worklist-record.ts';

/** The tables with the columns of their keys, and `value`, which is JSON. */
const tables = {
  worklist_decision: { entry: 'TEXT', number: 'INTEGER' },
  worklist_reading: { entry: 'TEXT', person: 'TEXT' },
  worklist_comment: { entry: 'TEXT', id: 'TEXT' },
} as const;
type Table = keyof typeof tables;
const tableNames = Object.keys(tables) as readonly Table[];

/** Nothing of a table is ever changed or removed: triggers refuse it. */
function creationOf(table: Table, temporary: '' | 'TEMP' = ''): string {
  const keys = Object.entries(tables[table]);
  const columns = keys.map(([name, type]) => `${name} ${type} NOT NULL`).join(', ');
  const triggers = ['UPDATE', 'DELETE'].map(
    (verb) => `
CREATE ${temporary} TRIGGER IF NOT EXISTS ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
BEGIN SELECT RAISE(ABORT, 'decisions, readings and comments are never changed or removed'); END;`,
  );
  return `
CREATE ${temporary} TABLE IF NOT EXISTS ${table} (
  ${columns}, value TEXT NOT NULL, PRIMARY KEY (${keys.map(([name]) => name).join(', ')})
) STRICT;${triggers.join('')}
`;
}

const prepared = new WeakSet<DatabaseSync>();

/** Creates the tables where they are missing. A file that cannot be written gets empty ones for this connection. */
function prepareTables(database: DatabaseSync): void {
  if (prepared.has(database)) return;
  try {
    database.exec(tableNames.map((table) => creationOf(table)).join(''));
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode !== 8) throw error;
    const isThere = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    for (const table of tableNames) if (!isThere.get(table)) database.exec(creationOf(table, 'TEMP'));
  }
  prepared.add(database);
}

/** The worklist's decisions, readings and comments in the state file of a local run, beside the history. */
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

  const commentsOf = (entry: string) =>
    database
      .prepare('SELECT value FROM worklist_comment WHERE entry = ? ORDER BY id')
      .all(entry)
      .map(({ value }) => parse(commentSchema, value));

  return {
    record: () =>
      attempt('Reading', () => {
        const decisions = database
          .prepare('SELECT value FROM worklist_decision ORDER BY entry, number')
          .all();
        const readings = database.prepare('SELECT value FROM worklist_reading ORDER BY entry, person').all();
        const comments = database.prepare('SELECT value FROM worklist_comment ORDER BY entry, id').all();
        return {
          decisions: decisions.map(({ value }) => parse(decisionSchema, value)),
          readings: readings.map(({ value }) => parse(readingSchema, value)),
          comments: comments.map(({ value }) => parse(commentSchema, value)),
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
    commentsOf: (entry) => attempt('Reading', () => commentsOf(entry)),
    addComment: (comment) =>
      attempt('Writing', () =>
        transaction(() => {
          const { entry, id } = comment;
          database
            .prepare(
              'INSERT INTO worklist_comment (entry, id, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            )
            .run(entry, id, JSON.stringify(comment));
          return commentsOf(entry).find((each) => each.id === id) ?? comment;
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
