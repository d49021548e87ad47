import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The fast tests. `vitest.long.config.ts` runs the long searches. */
export default defineConfig({
  resolve: {
    // The examples import the package by its name, as its users do.
    alias: [
      { find: /^gene-panel-notifier$/, replacement: source('lib/index.ts') },
      { find: /^gene-panel-notifier\/consumer$/, replacement: source('consumer/notifier.ts') },
      { find: /^gene-panel-notifier\/impact$/, replacement: source('consumer/impact.ts') },
      { find: /^gene-panel-notifier\/interpretation$/, replacement: source('consumer/interpretation.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts'],
    globalSetup: ['test/temporary-folder.ts'],
    // A guard against hanging, never a verdict: a loaded machine may take as long as it needs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Files share the modules that they load, which halves the CPU time. Spies and variables end with their test.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    // One process loads each module once: a sixth less CPU time than two.
    maxWorkers: 1,
    tags: [{ name: 'slow', description: 'Takes more than a second; mutation testing leaves it out.' }],
  },
});
