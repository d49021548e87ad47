import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { helps } from '../bin/main.ts';
import { moduleBundle } from '../lib/bundle.ts';

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

/**
 * How the command line is bundled into `outdir`, with a file for each command that is loaded when it is called, and
 * one for the thread that writes backlogs.
 */
export const commandLineBundle = (outdir: string) =>
  ({
    ...moduleBundle,
    target: 'node22.19',
    entryPoints: ['bin/main.ts', 'bin/local/chunk-writer-thread.ts'],
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
    plugins: [requireHttp],
  }) as const satisfies BuildOptions;

/** Writes the helps of the commands beside their bundle, which then prints them without loading a command. */
export async function writeHelps(outdir: string): Promise<void> {
  const texts = [...helps].map(async ([name, help]) => [name, await help()] as const);
  const built = Object.fromEntries(await Promise.all(texts));
  writeFileSync(join(outdir, 'helps.json'), `${JSON.stringify(built)}\n`);
}
