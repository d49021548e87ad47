import type { BuildOptions, Plugin } from 'esbuild';
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
