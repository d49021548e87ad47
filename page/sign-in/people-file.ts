import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { makeDirectory, makeOwnFile } from '../../lambdas/store/make-directory.ts';
import { transactionsOf } from '../../lambdas/store/sqlite-file.ts';
import { sqliteCall } from '../../lambdas/store/sqlite-problem.ts';
import { itemTable } from '../../lambdas/store/sqlite-schema.ts';

/** What errors call what is kept of people. */
export const PEOPLE = 'what the page keeps of people';

/** Partitions of what is kept of people. Each audit line lies in that of its month; each person's panels in one of their own. */
export const partitions = {
  sessions: 'sessions',
  used: 'used',
  visits: 'visits',
  people: 'people',
  tokens: 'tokens',
  panelsOf: (person: string) => `panels#${person}`,
  auditOf: (month: string) => `audit#${month}`,
} as const;

/** When an item may be forgotten, in seconds since the epoch. */
export const expiry = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

/** How long a statement waits for another process that writes, in milliseconds. */
const BUSY_MS = 10_000;

interface PeopleFile {
  readonly items: ItemStore;
  close(): void;
}

/**
 * Opens the file that holds what the page keeps of people, and creates it where it is missing, for this user alone.
 * @param now milliseconds since the epoch
 * @param folder kept in memory where absent
 * @throws {StateError} when it cannot be used
 */
export function openPeopleFile(now: () => number, folder?: string): PeopleFile {
  const path = folder === undefined ? ':memory:' : join(folder, 'people.sqlite');
  return sqliteCall(`Opening ${PEOPLE} in ${path}`, () => {
    if (folder !== undefined) {
      makeDirectory(folder);
      makeOwnFile(path);
    }
    const database = new DatabaseSync(path, { timeout: BUSY_MS });
    database.exec(`PRAGMA journal_mode = WAL; ${itemTable}`);
    const file = { database, path, transaction: transactionsOf(database, () => {}) };
    return { items: createSqliteItems(file, { what: PEOPLE, now }), close: () => database.close() };
  });
}
