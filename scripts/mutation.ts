import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/**
 * `npm run mutation -- poll` makes small changes to the files of `lambdas/poll` that the table names, one change at a
 * time, and runs the folder's tests against each. `npm run mutation -- lambdas/poll/tie-reader.ts:50-70` tries another file or
 * a few lines; without a name, all folders are tried. Results are kept in `reports/mutation`, and what did not change is
 * not tried again, unless with `--force`.
 */

interface Folder {
  /** The files that are tried; others are tried by their names (CONTRIBUTING.md). */
  readonly files: string;
  /** The test files that run against each change, without the tests that are tagged as slow. */
  readonly tests: readonly string[];
  /** The least score, in per cent: a little below the measured one. */
  readonly leastScore: number;
}

const folders: Readonly<Record<string, Folder>> = {
  correlation: {
    files: '{pairs,subject,chunk-states,correlate}.ts',
    tests: ['test/classifier/correlation/*.test.ts', 'test/poll/{chunks,waiting}.test.ts'],
    leastScore: 94,
  },
  poll: {
    files: '{chunks,publish-rows,log-page,read-back,tie-reader,poll,search-older}.ts',
    tests: ['test/poll/*.test.ts'],
    leastScore: 92,
  },
  publishing: {
    files: '{message,publisher}.ts',
    tests: ['test/publishing/*.test.ts'],
    leastScore: 92,
  },
  store: {
    files: '{position,dynamodb-position,items,dynamodb}.ts',
    tests: ['test/store/*.test.ts'],
    leastScore: 87,
  },
  classifier: {
    files: '*.ts',
    tests: ['test/classifier/{builders,corpus,fixed-lists,linearity,look-alikes}.test.ts'],
    leastScore: 84,
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
  const { files, tests, leastScore } = folders[folder] as Folder;
  // For `vitest.mutation.config.ts`, in the process that runs the tests.
  process.env.MUTATION_TESTS = tests.join(' ');
  const report = `reports/mutation/${folder}`;
  await new Stryker({
    mutate: [file ?? `lambdas/${folder}/${files}`],
    force: values.force,
    incrementalFile: `${report}.incremental.json`,
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    thresholds: { high: 95, low: 85, break: file ? null : leastScore },
  }).runMutationTest();
}
