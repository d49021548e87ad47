import type { DatabaseSync } from 'node:sqlite';

/** Instants are microseconds since 1970. `summary` and `value` are JSON, `entities` is packed. */
const tables = (temporary: '' | 'TEMP'): string => `
CREATE ${temporary} TABLE IF NOT EXISTS panel_state (
  catalogue TEXT NOT NULL,
  panel INTEGER NOT NULL,
  version TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER,
  summary TEXT NOT NULL,
  entities BLOB NOT NULL,
  PRIMARY KEY (catalogue, panel, valid_from, version)
) STRICT;
CREATE ${temporary} TABLE IF NOT EXISTS panel_holding (
  catalogue TEXT NOT NULL,
  identity TEXT NOT NULL,
  panel INTEGER NOT NULL,
  panel_name TEXT NOT NULL,
  version TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  hgnc_id TEXT,
  rating TEXT,
  PRIMARY KEY (catalogue, identity, panel)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${temporary === '' ? '' : 'temp.'}panel_holding_by_panel ON panel_holding (catalogue, panel);
CREATE ${temporary} TABLE IF NOT EXISTS panel_sign_off (
  catalogue TEXT NOT NULL,
  panel INTEGER NOT NULL,
  version TEXT NOT NULL,
  date TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (catalogue, panel, version, date)
) STRICT, WITHOUT ROWID;
`;

const prepared = new WeakSet<DatabaseSync>();

/**
 * Creates the tables of panel states where they are missing: a file of an earlier version lacks them, and earlier
 * versions ignore them. A file that cannot be written gets empty ones for this connection.
 */
export function preparePanelStateTables(database: DatabaseSync): void {
  if (prepared.has(database)) return;
  try {
    database.exec(tables(''));
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode !== 8) throw error;
    database.exec(tables('TEMP'));
  }
  prepared.add(database);
}
