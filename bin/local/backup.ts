import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant } from '../../lambdas/run/instant.ts';
import { positionSchema } from '../../lambdas/store/json-schemas.ts';
import { makeDirectory } from '../../lambdas/store/make-directory.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import { markAsBackup } from '../../lambdas/store/sqlite-place.ts';
import { sqliteProblem } from '../../lambdas/store/sqlite-problem.ts';
import { LocalStateError } from './state-error.ts';

/** What a backup holds. */
interface Backup {
  readonly events: number;
  readonly marks: readonly { readonly catalogue: string; readonly mark: string }[];
}

/**
 * Copies a state file as it is at this moment, while others write to it, and checks the copy. A copy that fails leaves
 * nothing behind.
 * @throws {LocalStateError} when the file is there already, or cannot be written
 */
export function writeBackup({ database }: StateFile, file: string, clock: Pick<Clock, 'now'>): Backup {
  const path = resolve(file);
  if (existsSync(path)) {
    throw new LocalStateError(
      `Writing the backup ${file}: it is there already. Nothing was changed. Name a file that does not exist.`,
    );
  }
  const partial = `${path}.partial`;
  try {
    makeDirectory(dirname(path));
    // For its owner alone from the beginning; SQLite writes into an empty file.
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (cause) {
    throw backupError(file, cause);
  }
  try {
    database.prepare('VACUUM INTO ?').run(partial);
    const backup = checked(partial, new Date(clock.now()).toISOString());
    renameSync(partial, path);
    return backup;
  } catch (cause) {
    rmSync(partial, { force: true });
    throw backupError(file, cause);
  }
}

function checked(path: string, madeAt: string): Backup {
  const database = new DatabaseSync(path);
  try {
    markAsBackup({ database }, madeAt);
    const [found] = Object.values(database.prepare('PRAGMA quick_check').get() ?? {});
    if (found !== 'ok') throw new Error(`the copy is damaged (${String(found)})`);
    return {
      events: Number(database.prepare('SELECT count(*) AS events FROM event').get()?.events ?? 0),
      marks: database
        .prepare('SELECT catalogue, position FROM position ORDER BY catalogue')
        .all()
        .map(({ catalogue, position }) => ({
          catalogue: String(catalogue),
          mark: formatInstant(positionSchema.parse(JSON.parse(String(position))).mark),
        })),
    };
  } finally {
    database.close();
  }
}

function backupError(file: string, cause: unknown): LocalStateError {
  const { seen } = sqliteProblem(cause);
  return new LocalStateError(
    `Writing the backup ${file}: ${seen}. Nothing is left of it, and the state is unchanged. Name another file, or correct that first.`,
    { cause },
  );
}
