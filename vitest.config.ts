import { defineConfig } from 'vitest/config';

const stacks = 'test/lib/**/*.test.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: ['test/temporary-folder.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'all', include: ['test/**/*.test.ts'], exclude: [stacks] },
      },
      {
        extends: true,
        test: {
          name: 'lib',
          include: [stacks],
          // The CDK takes seconds to load: the tests of the stack share one process, and what it synthesised.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          // This limit only ends a test that hangs, however slow the machine.
          testTimeout: 600_000,
        },
      },
    ],
  },
});
