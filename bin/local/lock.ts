import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalStateError } from './state-error.ts';

/** Locks of this process; a number in a file alone may be that of an earlier process. */
const held = new Set<string>();

/**
 * Keeps a state directory to one process; gives the function that lets it go. A lock whose process is gone,
 * because it was killed, is taken over.
 */
export async function lock(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock');
  for (let tries = 0; ; tries++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      held.add(path);
      return () => {
        held.delete(path);
        return rm(path, { force: true });
      };
    } catch (cause) {
      if (tries > 0 || (cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      const holder = Number(await readFile(path, 'utf8'));
      if (held.has(path) || (holder !== process.pid && isRunning(holder))) {
        throw new LocalStateError(
          `Opening the state in ${directory}: process ${holder} is using it. Wait for it to end, or choose another directory with --state.`,
          { cause },
        );
      }
      await rm(path, { force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
