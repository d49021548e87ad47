import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant } from '../../lambdas/run/instant.ts';
import { counted, printable } from '../../lambdas/run/text.ts';
import { makeDirectory } from '../../lambdas/store/own-files.ts';
import { positionSchema } from '../../lambdas/store/position.ts';
import { markAsBackup, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { sqliteProblem } from '../../lambdas/store/state-error.ts';
import { LocalStateError, UsageError } from '../command.ts';
import { declareWithOperands, type Run, text } from '../declare-command.ts';
import { defaultState, openForReading } from '../local/open-state.ts';

const options = { state: text('DIR', 'the folder to copy', defaultState) };

const run: Run<typeof options> = async (values, operands, io) => {
  const [file, ...others] = operands;
  if (file === undefined || others.length > 0) {
    throw new UsageError(
      `saw ${counted(operands.length, 'operand')}; expected the FILE to write, and nothing else`,
    );
  }
  const state = openForReading(values.state);
  try {
    const { events, marks } = writeBackup(state, file, io.clock);
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    const published = marks.map(({ catalogue, mark }) => `"${catalogue}" published up to ${mark}`);
    io.stderr.write(
      `${printable([`${file}: ${megabytes} MB, ${counted(events, 'event')}`, ...published].join(', '))}\n`,
    );
    return 0;
  } finally {
    state.close();
  }
};

export const command = declareWithOperands({
  name: 'backup',
  synopsis: ['FILE [options]'],
  about: [
    'Copies state and history of a folder into one new file, while watch and polls go on. The copy is checked, can be read by its owner alone, and never replaces a file.',
    'To restore it, stop watch, put the file into an empty folder as notifier.sqlite, and start watch with that folder as --state. The first poll says that the state was restored, and publishes again, with the same ids, what was published since the backup.',
  ],
  options,
  exitCodes: '0 done, 1 failed (nothing was written), 2 wrong arguments',
  examples: ['$0 backup /backup/notifier-2026-11-22.sqlite --state /var/lib/gene-panel-notifier'],
  run,
});

interface Backup {
  readonly events: number;
  readonly marks: readonly { readonly catalogue: string; readonly mark: string }[];
}

/**
 * Copies a state file as it is at this moment, while others write to it, and checks the copy. A copy that fails leaves
 * nothing behind.
 * @throws {LocalStateError} when the file is there already, or cannot be written
 */
function writeBackup({ database }: StateFile, file: string, clock: Pick<Clock, 'now'>): Backup {
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
