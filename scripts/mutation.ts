import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/**
 * `npm run mutation -- poll` makes small changes to the code of `lambdas/poll`, one at a time, and runs the folder's
 * tests against each. `npm run mutation -- lambdas/poll/tie.ts:50-70` tries a few lines; without a name, all folders
 * are tried. Results are kept in `reports/mutation`, and what did not change is not tried again, unless with `--force`.
 */

interface Folder {
  /** The test files that run against each change, without the tests that are tagged as slow. */
  readonly tests: readonly string[];
  /** The least score, in per cent: a little below the measured one. */
  readonly leastScore: number;
}

const folders: Readonly<Record<string, Folder>> = {
  correlation: {
    tests: ['test/correlation/*.test.ts', 'test/poll/{chunks,waiting}.test.ts'],
    leastScore: 80,
  },
  poll: { tests: ['test/poll/*.test.ts'], leastScore: 80 },
  publishing: { tests: ['test/publishing/*.test.ts'], leastScore: 80 },
  state: { tests: ['test/state/*.test.ts'], leastScore: 80 },
  classifier: {
    tests: ['test/classifier/{builders,corpus,grammar,linearity,look-alikes}.test.ts'],
    leastScore: 80,
  },
};

const { values, positionals } = parseArgs({
  options: { force: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = (positionals.length > 0 ? positionals : Object.keys(folders)).map((name) => {
  const [, folder = name, file] = /^lambdas\/(\w+)\/(.+)$/.exec(name) ?? [];
  return { folder, file: file && name };
});
const unknown = wanted.filter(({ folder }) => !(folder in folders));
if (unknown.length > 0) {
  const all = Object.keys(folders).join(', ');
  process.stderr.write(
    `No tests are chosen for ${unknown.map(({ folder }) => folder).join(', ')}. Folders: ${all}.\n`,
  );
  process.exit(2);
}

for (const { folder, file } of wanted) {
  const { tests, leastScore } = folders[folder] as Folder;
  // For `vitest.mutation.config.ts`, in the process that runs the tests.
  process.env.MUTATION_TESTS = tests.join(' ');
  const report = `reports/mutation/${folder}`;
  await new Stryker({
    mutate: [file ?? `lambdas/${folder}/**/*.ts`],
    force: values.force,
    incrementalFile: `${report}.incremental.json`,
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    thresholds: { high: 95, low: 85, break: file ? null : leastScore },
  }).runMutationTest();
}
