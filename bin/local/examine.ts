import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { LocalStateError } from './state-error.ts';

/** Says that there was a table: LevelDB drops what it cannot read of its newest file, and that may be all. */
const markOf = (directory: string): string => join(directory, 'used');

/** To be called once there is a table in a state directory. */
export const noteTable = (directory: string): Promise<void> => writeFile(markOf(directory), '');

/**
 * Reads the files of a state directory's table through. Fails with a `LocalStateError` where they are damaged: dynalite
 * would end the process, or begin an empty table.
 */
export async function examineTable(directory: string, table: string): Promise<void> {
  const files = new ClassicLevel<string, Uint8Array>(join(directory, 'table'), { valueEncoding: 'view' });
  let found = false;
  try {
    await files.open();
    for await (const [key] of files.iterator()) found ||= key === `table~${table}`;
  } catch (cause) {
    const { message } =
      cause instanceof Error && cause.cause instanceof Error ? cause.cause : (cause as Error);
    throw damaged(directory, message, cause);
  } finally {
    await files.close();
  }
  if (!found && existsSync(markOf(directory))) throw damaged(directory, 'the table is gone');
}

function damaged(directory: string, seen: string, cause?: unknown): LocalStateError {
  return new LocalStateError(
    `Opening the state in ${directory}: its files are damaged (${seen}). Nothing was told. Restore a copy of the directory, or remove it and begin again with --from and the time of the last event.`,
    { cause },
  );
}
