import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable with the folder for what tests make; what a program leaves beside it is found. */
export const ofTests = 'FOLDERS_OF_TESTS';

const FOLDER_OF_TESTS = 'of-tests';

/** The variables that `os.tmpdir()` reads, on each operating system. */
const variables = ['TMPDIR', 'TEMP', 'TMP'];

/**
 * aws-cdk-lib writes each app's output here and never removes it; Node keeps compiled code here. SQLite takes its temporary
 * files from the folder as soon as it has opened them: one stays where a test kills the program just in between. Chromium
 * leaves the folder of the socket by which it would know that it runs twice.
 */
const isToolOutput = (name: string): boolean =>
  name.startsWith('cdk.out') ||
  name === 'node-compile-cache' ||
  name.startsWith('etilqs_') ||
  name.startsWith('.org.chromium.') ||
  name === FOLDER_OF_TESTS;

/**
 * Makes a temporary folder for a run of the tests and removes it at the end.
 * @throws {Error} at the end, when a program that a test ran left a file there
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-test-'));
  for (const name of variables) process.env[name] = folder;
  process.env[ofTests] = join(folder, FOLDER_OF_TESTS);
  mkdirSync(process.env[ofTests]);
  return () => {
    const left = readdirSync(folder).filter((name) => !isToolOutput(name));
    rmSync(folder, { recursive: true });
    if (left.length === 0) return;
    throw new Error(
      `Tests left ${left.join(', ')} in the temporary folder. What a test makes lies in a folder that newFolder() gives; what a program makes, it removes.`,
    );
  };
}
