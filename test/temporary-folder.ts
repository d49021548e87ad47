import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives all tests one temporary folder, and removes it after the last: no test leaves anything behind. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
