import { expect, test } from 'vitest';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { runCommand } from './run-command.ts';

test('doctor says that nothing is known of the completeness of a state without a catalogue', async () => {
  const state = newFolder();
  openStateFile(state).close();
  const { stdout } = await runCommand(['doctor', '--completeness', '--state', state]);
  expect(stdout).toContain('has no catalogue: nothing has been read yet');
});
