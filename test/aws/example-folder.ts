import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Packs the package and makes a folder whose `node_modules` holds it, as it would be installed, beside the packages of
 * the checkout.
 *
 * @param parent where the folder is made
 * @throws {Error} when `npm pack` or `tar` fails
 */
export function folderForExamples(parent: string): string {
  const folder = join(parent, 'examples');
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync('node_modules'))
    symlinkSync(resolve('node_modules', name), join(modules, name));
  const packed = must('npm', ['pack', '--json', '--pack-destination', parent]);
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ readonly filename: string }];
  const installed = join(modules, 'gene-panel-notifier');
  mkdirSync(installed);
  must('tar', ['-xzf', join(parent, filename), '-C', installed, '--strip-components=1']);
  // The CDK looks for the lock file of the packages that it bundles.
  cpSync('package-lock.json', join(folder, 'package-lock.json'));
  return folder;
}

/** Copies an example, and changes its settings as a user would. Returns its folder. */
export function copyExample(
  folder: string,
  name: string,
  changes: Readonly<Record<string, unknown>>,
): string {
  const copy = join(folder, name);
  cpSync(join('examples', name), copy, { recursive: true });
  const file = join(copy, 'settings.json');
  const settings: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  const unknown = Object.keys(changes).filter((key) => !(key in settings));
  if (unknown.length > 0) throw new Error(`examples/${name}/settings.json has no ${unknown.join(', ')}`);
  writeFileSync(file, JSON.stringify({ ...settings, ...changes }));
  return copy;
}

function must(command: string, parameters: readonly string[]): string {
  const { status, error, stdout, stderr } = spawnSync(command, parameters, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return stdout;
  throw new Error(`Running ${command} ${parameters.join(' ')}: ${error?.message ?? stderr.slice(-2000)}`);
}
