import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { StateFile } from '../store/sqlite-file.ts';
import { sqliteCall } from '../store/sqlite-problem.ts';
import { damagedState } from '../store/state-error.ts';

/** A row of a table, as SQLite returns it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** How the panel states of one catalogue are read and written in a state file. */
export interface PanelStateAccess {
  readonly catalogue: string;
  /** A statement, which is prepared once. */
  prepare(sql: string): StatementSync;
  /** Does what SQLite may refuse. @throws {StateError} that names the file */
  attempt<Value>(action: 'Reading' | 'Writing', work: () => Value): Promise<Value>;
  /** As `attempt`, all or nothing. */
  write(work: () => void): Promise<void>;
  /** Reads a value that may be damaged. @throws {StateError} `STATE_CORRUPT` */
  parsed<Value>(read: () => Value): Value;
}

/** Opens the panel states of a catalogue in a state file. */
export function openPanelStateAccess(file: StateFile, catalogue: string): PanelStateAccess {
  const { database, path, transaction } = file;
  const statements = new Map<string, StatementSync>();
  const attempt: PanelStateAccess['attempt'] = async (action, work) =>
    sqliteCall(`${action} the panel states of catalogue "${catalogue}" in ${path}`, work);
  return {
    catalogue,
    attempt,
    write: (work) => attempt('Writing', () => transaction(work)),
    prepare: (sql) => {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    parsed: (read) => {
      try {
        return read();
      } catch (cause) {
        const what = `a panel state of catalogue "${catalogue}" in ${path}`;
        throw damagedState(what, cause, 'Restore a copy of the directory.');
      }
    },
  };
}
