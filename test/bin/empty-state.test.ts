import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { runCommand } from './run-command.ts';

test('doctor says that nothing is known of the completeness of a state without a catalogue', async () => {
  const state = await mkdtemp(join(tmpdir(), 'empty-state-'));
  onTestFinished(() => rm(state, { recursive: true }));
  openStateFile(state).close();
  const { stdout } = await runCommand(['doctor', '--completeness', '--state', state]);
  expect(stdout).toContain('has no catalogue: nothing has been read yet');
});
