import { defineConfig } from 'vitest/config';
import fast from './vitest.config.ts';

/** The fast tests against a catalogue that serves its lists alone, apart from those that are about what its archive says. */
export default defineConfig({
  ...fast,
  test: {
    ...fast.test,
    include: ['bin', 'catalogue/identity', 'filters', 'reconcile'].map(
      (folder) => `test/${folder}/**/*.test.ts`,
    ),
    exclude: [
      '**/*.long.test.ts',
      ...[
        'as-of',
        'compare-states',
        'compare-versions',
        'gene-identity',
        'impact',
        'planted-faults',
        'poll-turn',
        'sign-offs',
        'state',
        'state-fields',
        'verify',
      ].map((about) => `test/bin/${about}.test.ts`),
    ],
    setupFiles: ['test/lists-only.ts'],
  },
});
