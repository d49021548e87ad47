import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import fast from './vitest.config.ts';

/** The test files that take longest, without the slow tests. */
const longest = [
  'chunks',
  'unplaced-rows',
  'requests',
  'search-older',
  'large-rows',
  'items',
  'dynamodb',
  'message',
];

/** The first failing test ends a run, so the quick files come first. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Vitest knows it as an option of its command line only, but takes it here as well. */
const withoutSlowTests = { tagsFilter: ['!slow'] };

/** The tests that `npm run mutation` runs for each change: those that the folder names, but for the slow ones. */
export default defineConfig({
  ...fast,
  test: {
    ...fast.test,
    ...withoutSlowTests,
    include: (process.env.MUTATION_TESTS ?? 'test/**/*.test.ts').split(' '),
    sequence: { sequencer: QuickestFirst },
    globalSetup: [],
  },
});
