import type { BuildOptions } from 'esbuild';
import { moduleBundle } from '../lib/bundle.ts';

/** How the command line is bundled into `outdir`, with a file for each command that is loaded when it is called. */
export const commandLineBundle = (outdir: string) =>
  ({
    ...moduleBundle,
    target: 'node22.18',
    entryPoints: ['bin/main.ts'],
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
  }) as const satisfies BuildOptions;
