import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { leanBundle } from '../lib/bundle.ts';
import { prebuiltFolder } from '../lib/function-code.ts';

/**
 * Builds what the package holds into `dist/`: each module as JavaScript with its declarations, and each function
 * of `lambdas` as one bundle. `npm pack` and `npm publish` call it; the checkout itself runs its sources.
 */

const shipped = ['bin', 'consumer', 'lambdas', 'lib', 'sandbox'];

rmSync('dist', { recursive: true, force: true });
compile();
copyOtherFiles();
writeVersion();
await bundleFunctions();

function compile(): void {
  const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error('The sources do not compile. Run npm run types and correct what it names');
  // The compiler leaves the extension .ts in declarations, which only other sources may import.
  for (const file of globSync('dist/**/*.d.ts')) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import) ?\(?['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'));
  }
}

/** Files that a module reads at run time, such as a style sheet. */
function copyOtherFiles(): void {
  for (const folder of shipped) {
    for (const file of globSync(`${folder}/**/*.*`)) {
      if (/\.(ts|js)$/.test(file)) continue;
      mkdirSync(dirname(join('dist', file)), { recursive: true });
      copyFileSync(file, join('dist', file));
    }
  }
}

/** The command line reads its version one folder above its own. */
function writeVersion(): void {
  const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('dist/package.json', `${JSON.stringify({ name, version, type, private: true })}\n`);
}

async function bundleFunctions(): Promise<void> {
  const entries = globSync('lambdas/*/handler.ts').map((entry) => entry.replaceAll('\\', '/'));
  if (entries.length === 0)
    throw new Error('No lambdas/*/handler.ts was found. Run this at the top of the repository');
  for (const entry of entries) {
    const outfile = join('dist', prebuiltFolder(entry), 'index.mjs');
    await build({ ...leanBundle, entryPoints: [entry], outfile, logLevel: 'warning' });
  }
}
