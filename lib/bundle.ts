import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
} as const satisfies BuildOptions;

/** How ECMAScript modules are bundled. Identifiers keep their names, so that a stack trace can be read. */
export const moduleBundle = {
  ...common,
  format: 'esm',
  banner: {
    js: "import{createRequire as createRequireForBundle}from'node:module';const require=createRequireForBundle(import.meta.url);",
  },
} as const satisfies BuildOptions;

/**
 * How a function's code is bundled; the stack, the size gate and the bench all take it from here. It is CommonJS:
 * where an ECMAScript module imports node:http, Node also loads fetch and WebSocket, and that takes a third of the
 * time in which a function loads.
 */
export const plainBundle = { ...common, format: 'cjs' } as const satisfies BuildOptions;

const own = (file: string): string => fileURLToPath(new URL(`../lambdas/${file}`, import.meta.url));

/** The same without what is loaded at every cold start and never used in Lambda. */
export const leanBundle = {
  ...plainBundle,
  alias: {
    '@aws-sdk/credential-provider-node': own('run/environment-only.ts'),
    '@aws-sdk/endpoint-cache': own('store/no-endpoint-cache.ts'),
    '@smithy/core/event-streams': own('store/no-event-streams.ts'),
    'node:http2': own('catalogue/http/no-http2.ts'),
  },
  // What Node's own build of undici says, to leave out the experimental parser.
  define: { esbuildDetection: 'true' },
  // What undici asks for on processors without SIMD, and for bodies that are forms: those here are text.
  external: ['../llhttp/llhttp-wasm.js', '../web/*'],
  // The code of the page reads its own address where nothing names its files; its function names them.
  logOverride: { 'empty-import-meta': 'silent' },
} as const satisfies BuildOptions;
