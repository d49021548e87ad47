import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a second and more: they run last, and only while no other test has detected the mutant. */
const slowest = ['items', 'message', 'large-rows', 'requests', 'chunks', 'dynamodb'];

/** Quick files first, as the first failing test ends a run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** The tests that `npm run mutation` runs for each mutant: the fast ones of the mutated folders, without chance. */
export default defineConfig({
  test: {
    include: ['test/{classifier,poll,state,publishing,correlation}/**/*.test.ts'],
    exclude: [
      '**/*.long.test.ts',
      'test/classifier/{round-trip,samples,totality}.test.ts',
      'test/poll/{handler,simulation}.test.ts',
    ],
    sequence: { sequencer: QuickestFirst },
    testTimeout: 120_000,
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
