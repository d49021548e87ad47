import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` runs for each mutant: the fast ones, without chance. */
export default defineConfig({
  test: {
    include: ['test/classifier/{corpus,look-alikes,builders,linearity}.test.ts'],
    testTimeout: 20_000,
  },
});
