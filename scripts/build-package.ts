import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { functionBundles } from '../lib/bundle.ts';
import { prebuiltFolder } from '../lib/bundled-function.ts';
import { bundleCommandLine, writeHelps, writeManifest } from './command-line-bundle.ts';
import { schemasByType } from './event-schemas.ts';
import { eventTypes } from './event-types.ts';

/**
 * Builds what the package holds into `dist/`: its entry points as JavaScript with their declarations, with the modules
 * that these import, what browsers load, the JSON Schemas of each type of event, and bundles of the command line and of each
 * function of `lambdas`. `npm pack` and `npm publish` call it; the
 * checkout itself runs its sources.
 */

rmSync('dist', { recursive: true, force: true });
await compile();
writeManifest('dist');
await buildCommandLine();
await writeHelps('dist/bin');
cpSync('page/browser', 'dist/page/browser', { recursive: true });
writeSchemas();
await bundleFunctions();

async function compile(): Promise<void> {
  // Editors show the comments of declarations; those of the code would only make the package larger.
  for (const emitted of [['--removeComments', '--declaration', 'false'], ['--emitDeclarationOnly']]) {
    const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json', ...emitted], {
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0)
      throw new Error('The sources do not compile. Run npm run types and correct what it names');
  }
  writeFileSync('dist/consumer/event-types.d.ts', await eventTypes());
  // The compiler leaves the extension .ts in declarations, which only other sources may import.
  for (const file of globSync('dist/**/*.d.ts')) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import) ?\(?['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'));
  }
}

function writeSchemas(): void {
  mkdirSync('dist/schemas/envelopes', { recursive: true });
  for (const [path, schema] of schemasByType()) {
    writeFileSync(join('dist/schemas', path), `${JSON.stringify(schema)}\n`);
  }
}

/**
 * Few files, since each file that is loaded costs time: `dist/bin/main.js`, one for each command, and what they share.
 * Their maps name the sources in the stack traces that `DEBUG=1` prints.
 */
async function buildCommandLine(): Promise<void> {
  const { inputs } = await bundleCommandLine('dist/bin', {
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [mapOwnSources()],
  });
  const bound = Object.keys(inputs).filter(
    (file) => !/^required:|node_modules\//.test(file) && readFileSync(file, 'utf8').includes('import.meta'),
  );
  if (bound.sort().join() === 'bin/main.ts,page/layout.ts') return;
  throw new Error(
    `These modules read their own address: ${bound.join(', ')}. A bundle moves modules to dist/bin: only what bin/main.ts and page/layout.ts read lies in the same place from there. Import the file instead, or pass its address from bin/main.ts`,
  );
}

async function bundleFunctions(): Promise<void> {
  const entries = globSync('lambdas/functions/*/handler.ts').map((entry) => entry.replaceAll('\\', '/'));
  if (entries.length === 0)
    throw new Error('No lambdas/functions/*/handler.ts was found. Run this at the top of the repository');
  mkdirSync('dist/functions', { recursive: true });
  writeFileSync('dist/functions/package.json', '{ "type": "commonjs" }\n');
  for (const entry of entries) {
    for (const options of functionBundles(entry, join('dist', prebuiltFolder(entry))))
      await build({ ...options, logLevel: 'warning' });
  }
}

/** Leaves the lines of other packages out of the source maps, which are then a third of the size. */
function mapOwnSources(): Plugin {
  const map = { version: 3, sources: [''], mappings: 'AAAA' };
  const comment = `//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`;
  return {
    name: 'map-own-sources',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => ({
        contents: `${readFileSync(path, 'utf8')}\n${comment}`,
        loader: 'js',
      })),
  };
}
