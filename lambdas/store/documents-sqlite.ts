import { createDocuments, type Documents } from './documents.ts';
import { createSqliteItems } from './items-sqlite.ts';
import type { StateFile } from './sqlite-file.ts';

/** The documents of one catalogue in the file of a local run. They never expire. */
export function createSqliteDocuments(file: StateFile, catalogue: string): Documents {
  const what = `the documents of catalogue "${catalogue}"`;
  return createDocuments(createSqliteItems(file, { what, now: () => 0 }), { catalogue });
}
