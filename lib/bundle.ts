import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/**
 * How a function's code is bundled; the stack, the size gate and the bench all take it from here.
 *
 * Identifiers keep their names, since they cost no load time and a stack trace in the logs can be read.
 */
export const plainBundle = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  banner: {
    js: "import{createRequire as createRequireForBundle}from'node:module';const require=createRequireForBundle(import.meta.url);",
  },
} as const satisfies BuildOptions;

/** The same without what is loaded at every cold start and never used in Lambda. */
export const leanBundle = {
  ...plainBundle,
  alias: {
    '@aws-sdk/credential-provider-node': fileURLToPath(
      new URL('../lambdas/aws-credentials/environment-only.ts', import.meta.url),
    ),
  },
} as const satisfies BuildOptions;
