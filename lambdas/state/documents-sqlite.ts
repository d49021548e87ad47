import type { Documents } from './documents.ts';
import type { StateFile } from './sqlite-file.ts';
import { sqliteProblem } from './sqlite-problem.ts';
import { StateError } from './state-error.ts';

/** The documents of one catalogue in the file of a local run. */
export function createSqliteDocuments(
  { database, path, transaction }: StateFile,
  catalogue: string,
): Documents {
  const attempt = <Value>(action: 'Reading' | 'Writing', name: string, work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof StateError) throw cause;
      const { code, seen, remedy } = sqliteProblem(cause);
      throw new StateError(
        code,
        `${action} the ${name} of catalogue "${catalogue}" in ${path}: ${seen}. ${remedy}`,
        { cause },
      );
    }
  };
  return {
    async load(name) {
      return attempt('Reading', name, () => {
        const found = database
          .prepare('SELECT version, body FROM document WHERE catalogue = ? AND name = ?')
          .get(catalogue, name);
        return found ? { version: Number(found.version), body: String(found.body) } : null;
      });
    },
    async save(name, version, body) {
      return attempt('Writing', name, () =>
        transaction(() => {
          const there =
            database
              .prepare('SELECT version FROM document WHERE catalogue = ? AND name = ?')
              .get(catalogue, name)?.version ?? 0;
          if (there !== version) {
            throw new StateError(
              'STATE_CONFLICT',
              `Writing the ${name} of catalogue "${catalogue}" in ${path}: another run has replaced version ${version} by ${there}. This run stops; nothing is lost, because the other one continues.`,
            );
          }
          database
            .prepare(
              'INSERT INTO document (catalogue, name, version, body) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue, name) DO UPDATE SET version = excluded.version, body = excluded.body',
            )
            .run(catalogue, name, version + 1, body);
          return version + 1;
        }),
      );
    },
  };
}
