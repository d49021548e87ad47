import { join } from 'node:path';
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
    // Called where something is required: of a hundred parts hardly one requires anything.
    js: "import{createRequire as createRequireForBundle}from'node:module';const require=id=>createRequireForBundle(import.meta.url)(id);",
  },
} as const satisfies BuildOptions;

/**
 * How a function's code is bundled; the stack, the size gate and the bench all take it from here. It is CommonJS:
 * where an ECMAScript module imports node:http, Node also loads fetch and WebSocket, and that takes a third of the
 * time in which a function loads.
 */
export const plainBundle = { ...common, format: 'cjs' } as const satisfies BuildOptions;

const own = (file: string): string => fileURLToPath(new URL(`../lambdas/${file}`, import.meta.url));

/** In place of Node's HTTP/2, for undici. */
export const noHttp2 = own('catalogue/http/no-http2.ts');

/** What requests whose bodies are text never need of undici. */
export const leanUndici = {
  // What Node's own build of undici says, to leave out the experimental parser.
  define: { esbuildDetection: 'true' },
  // What undici asks for where a body is a form.
  external: ['../web/*'],
} as const satisfies BuildOptions;

/** The same without what is loaded at every cold start and never used in Lambda. */
export const leanBundle = {
  ...plainBundle,
  ...leanUndici,
  alias: {
    '@aws-sdk/credential-provider-node': own('run/lean-sdk.ts'),
    '@aws-sdk/endpoint-cache': own('run/lean-sdk.ts'),
    '@smithy/core/event-streams': own('run/lean-sdk.ts'),
    'node:http2': noHttp2,
  },
  // What undici asks for on processors without SIMD, too.
  external: ['../llhttp/llhttp-wasm.js', ...leanUndici.external],
  // The code of the page reads its own address where nothing names its files; its function names them.
  logOverride: { 'empty-import-meta': 'silent' },
} as const satisfies BuildOptions;

/** Packages that functions load at need: each lies in a file of its own, which costs nothing where it is not loaded. */
const atNeed: Readonly<Record<string, readonly string[]>> = {
  'lambdas/functions/notify/handler.ts': ['nodemailer', 'feed', '@aws-sdk/client-s3', '@aws-sdk/client-sqs'],
};

/**
 * How the files of a function are bundled into a folder: `index.js`, and a file for each package that it loads at need.
 * @param entry the module that exports `handler`, relative to the top of the repository
 */
export function functionBundles(entry: string, folder: string): readonly BuildOptions[] {
  const packages = atNeed[entry] ?? [];
  const fileOf = (name: string): string => `./${name.replaceAll(/[@/]+/g, '-').replace(/^-/, '')}.js`;
  const files = Object.fromEntries(packages.map((name) => [name, fileOf(name)]));
  const index: BuildOptions = {
    ...leanBundle,
    alias: { ...leanBundle.alias, ...files },
    external: [...leanBundle.external, ...Object.values(files)],
    entryPoints: [entry],
    outfile: join(folder, 'index.js'),
  };
  const others = packages.map((name) => ({
    ...leanBundle,
    entryPoints: [name],
    outfile: join(folder, fileOf(name)),
  }));
  return [index, ...others];
}
