import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofTests } from './temporary-folder.ts';

/** An empty folder; it is removed at the end of the run, so that a test need not. */
export function newFolder(): string {
  return mkdtempSync(join(process.env[ofTests] ?? tmpdir(), 'folder-'));
}
