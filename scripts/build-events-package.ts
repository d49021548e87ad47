import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { eventTypes } from './event-types.ts';

/**
 * Builds the package `gene-panel-events` into `consumer/dist`: one module and one declaration for each entry of its
 * `exports`, with the modules that the entries share and an example of each event. `npm pack` and `npm publish` call it.
 */

const top = fileURLToPath(new URL('../', import.meta.url));
const folder = join(top, 'consumer');
const dist = join(folder, 'dist');
const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const entries = Object.values(exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.types.replace('./dist/', '').replace('.d.ts', '')],
);

rmSync(dist, { recursive: true, force: true });
await build({
  entryPoints: entries.map((entry) => join(folder, `${entry}.ts`)),
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
copyDeclarations(await compileDeclarations());
copyExamples();
copyFileSync(join(top, 'LICENSE'), join(folder, 'LICENSE'));

function copyExamples(): void {
  const names = globSync('gene-panel.*.json', { cwd: join(top, 'docs/examples') });
  if (names.length === 0) throw new Error('docs/examples holds no event. Run npm run docs');
  mkdirSync(join(dist, 'examples'));
  for (const name of names) copyFileSync(join(top, 'docs/examples', name), join(dist, 'examples', name));
}

/** The folder with the declarations of all modules that the entries reach. */
async function compileDeclarations(): Promise<string> {
  const out = join(dist, 'declarations');
  const { status } = spawnSync(
    join(top, 'node_modules/.bin/tsc'),
    [
      ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'],
      ...['--rootDir', top, '--outDir', out, '--target', 'es2024', '--lib', 'es2024', '--module', 'nodenext'],
      ...['--types', 'node', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'],
      ...entries.map((entry) => join(folder, `${entry}.ts`)),
    ],
    { stdio: ['ignore', 2, 2], shell: process.platform === 'win32', cwd: top },
  );
  if (status !== 0)
    throw new Error('The sources do not compile. Run npm run types and correct what it names');
  writeFileSync(join(out, 'consumer/event-types.d.ts'), await eventTypes());
  return out;
}

/** Copies the declarations of the entries, and those that they import, under the names that Node resolves. */
function copyDeclarations(from: string): void {
  const wanted = entries.map((entry) => join('consumer', `${entry}.d.ts`));
  for (const file of wanted) {
    const text = readFileSync(join(from, file), 'utf8').replaceAll(
      /((?:from|import) ?\(?['"]\.[^'"]+)\.ts(['"])/g,
      '$1.js$2',
    );
    for (const [, path = ''] of text.matchAll(/(?:from|import) ?\(?['"](\.[^'"]+)\.js['"]/g)) {
      const other = `${join(dirname(file), path)}.d.ts`;
      if (!wanted.includes(other)) wanted.push(other);
    }
    const target = join(dist, file.replace(/^consumer[\\/]/, ''));
    mkdirSync(dirname(target), { recursive: true });
    // The folder consumer becomes the top.
    writeFileSync(
      target,
      file.startsWith('consumer') ? text.replaceAll("'../lambdas/", "'./lambdas/") : text,
    );
  }
  rmSync(from, { recursive: true });
}
