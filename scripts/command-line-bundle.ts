import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { helps } from '../bin/main.ts';
import { leanUndici, moduleBundle, noHttp2 } from '../lib/bundle.ts';

/**
 * Requires node:http in place of importing it: where an ES module imports it, Node makes every export of it, and with
 * them fetch and WebSocket, a third of the time in which a command starts.
 */
const requireHttp: Plugin = {
  name: 'require node:http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'required' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

/** Requests are sent with HTTP/1.1 alone; the page's server compares what it gets with Node's own classes of HTTP/2. */
const undiciWithoutHttp2: Plugin = {
  name: 'undici without node:http2',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path: noHttp2 } : undefined,
    ),
};

/**
 * How the command line is bundled into `outdir`, with a file for each command that is loaded when it is called, and
 * one for the thread that writes backlogs.
 */
export const commandLineBundle = (outdir: string) =>
  ({
    ...moduleBundle,
    ...leanUndici,
    target: 'node22.19',
    entryPoints: ['bin/main.ts', 'bin/local/chunk-writer-thread.ts'],
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
    plugins: [requireHttp, undiciWithoutHttp2],
  }) as const satisfies BuildOptions;

/** Writes the helps of the commands beside their bundle, which then prints them without loading a command. */
export async function writeHelps(outdir: string): Promise<void> {
  const texts = [...helps].map(async ([name, help]) => [name, await help()] as const);
  const built = Object.fromEntries(await Promise.all(texts));
  writeFileSync(join(outdir, 'helps.json'), `${JSON.stringify(built)}\n`);
}

/**
 * Writes what says the version, which the command line reads one folder above its own, and that the files are ECMAScript modules: Node
 * would try each of them as CommonJS first.
 */
export function writeManifest(folder: string): void {
  const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, type, private: true })}\n`);
}
