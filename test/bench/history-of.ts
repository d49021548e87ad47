import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('./history-run.ts', import.meta.url));
let filled: { readonly folder: string; readonly events: number } | undefined;

/** A folder with a history of so many events, and the CPU time in milliseconds of each 1,000 that were appended to it now. */
interface FilledHistory {
  readonly folder: string;
  readonly appending: number;
}

/**
 * Fills a history. All races of a process share one, which only grows: a race that needs fewer events than another one
 * comes first. It is removed when the process ends.
 */
export async function historyOf(events: number): Promise<FilledHistory> {
  if (!filled) {
    const folder = mkdtempSync(join(tmpdir(), 'history-'));
    process.once('exit', () => rmSync(folder, { recursive: true }));
    filled = { folder, events: 0 };
  }
  const { folder, events: before } = filled;
  if (before >= events) return { folder, appending: Number.NaN };
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    'fill',
    folder,
    String(before),
    String(events),
  ]);
  filled = { folder, events };
  const { appending } = JSON.parse(stdout) as { readonly appending: number };
  return { folder, appending: appending / ((events - before) / 1_000) };
}
