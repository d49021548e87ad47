import { defineConfig } from 'vitest/config';
import fast from './vitest.config.ts';

/** The long searches: many seeds, round trips, whole deployments. `.ci/run` runs them; `npm test` does not. */
export default defineConfig({
  ...fast,
  test: {
    ...fast.test,
    include: ['test/**/*.long.test.ts'],
    exclude: [],
    maxWorkers: 2,
    passWithNoTests: true,
    // Hundreds of kills take ten minutes where the machine does other work too.
    testTimeout: 1_800_000,
  },
});
