import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod';
import { damagedState } from '../state/damaged-state.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { StateError } from '../state/state-error.ts';
import {
  assignmentSchema,
  commentSchema,
  decisionSchema,
  readingSchema,
  type WorklistStore,
} from './worklist-record.ts';

/** The tables with the columns of their keys, and `value`, which is JSON. */
const tables = {
  worklist_decision: { entry: 'TEXT', number: 'INTEGER' },
  worklist_reading: { entry: 'TEXT', person: 'TEXT' },
  worklist_comment: { entry: 'TEXT', id: 'TEXT' },
  worklist_assignment: { entry: 'TEXT', number: 'INTEGER' },
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
BEGIN SELECT RAISE(ABORT, 'what was decided, said, assigned and read is never changed or removed'); END;`,
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

/** The worklist's decisions, readings, comments and assignments in the state file of a local run, beside the history. */
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
  /** The rows of a table, by their keys: of one entry, or all. */
  const rows = <Schema extends z.ZodType>(
    table: Table,
    schema: Schema,
    entry?: string,
  ): z.infer<Schema>[] => {
    const keys = Object.keys(tables[table]).join(', ');
    const statement = database.prepare(
      `SELECT value FROM ${table} ${entry === undefined ? '' : 'WHERE entry = ?'} ORDER BY ${keys}`,
    );
    return statement.all(...(entry === undefined ? [] : [entry])).map(({ value }) => parse(schema, value));
  };
  /** Keeps a row where there is none of its keys, and returns what of the entry is kept then. */
  const keep = <Schema extends z.ZodType<{ readonly entry: string }>>(
    table: Table,
    schema: Schema,
    { key, value }: { readonly key: string | number; readonly value: z.infer<Schema> },
  ): Promise<z.infer<Schema>[]> =>
    attempt('Writing', () =>
      transaction(() => {
        database
          .prepare(`INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT DO NOTHING`)
          .run(value.entry, key, JSON.stringify(value));
        return rows(table, schema, value.entry);
      }),
    );

  return {
    record: () =>
      attempt('Reading', () => ({
        decisions: rows('worklist_decision', decisionSchema),
        readings: rows('worklist_reading', readingSchema),
        comments: rows('worklist_comment', commentSchema),
        assignments: rows('worklist_assignment', assignmentSchema),
      })),
    decisionsOf: (entry) => attempt('Reading', () => rows('worklist_decision', decisionSchema, entry)),
    async append(decision) {
      const kept = await keep('worklist_decision', decisionSchema, { key: decision.number, value: decision });
      return kept.find(({ number }) => number === decision.number) ?? decision;
    },
    commentsOf: (entry) => attempt('Reading', () => rows('worklist_comment', commentSchema, entry)),
    async addComment(comment) {
      const kept = await keep('worklist_comment', commentSchema, { key: comment.id, value: comment });
      return kept.find(({ id }) => id === comment.id) ?? comment;
    },
    assignmentsOf: (entry) => attempt('Reading', () => rows('worklist_assignment', assignmentSchema, entry)),
    async addAssignment(assignment) {
      const added = { key: assignment.number, value: assignment };
      const kept = await keep('worklist_assignment', assignmentSchema, added);
      return kept.find(({ number }) => number === assignment.number) ?? assignment;
    },
    async noteReading(reading) {
      await keep('worklist_reading', readingSchema, { key: reading.by, value: reading });
    },
  };
}
