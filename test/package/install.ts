import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { succeed } from './processes.ts';

/** What `npm pack` says of a package. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
  /** The whole path of the file. */
  readonly tarball: string;
}

/** The checkout that this file lies in. */
export const checkout = fileURLToPath(new URL('../../', import.meta.url));

/** The files that git has or would take: what a clone of this state holds, with the dependencies that `npm ci` installs. */
export function bareCopy(folder: string): string {
  const files = succeed(checkout, ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'])
    .split('\0')
    .filter((file) => file !== '' && !/^(test|docs\/images)\//.test(file));
  assert.ok(files.length > 100);
  for (const file of files) cpSync(join(checkout, file), join(folder, file));
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Builds and packs the package of a folder into another one. */
export function pack(folder: string, destination: string): Packed {
  const printed = succeed(folder, ['npm', 'pack', '--json', '--pack-destination', destination]);
  const [packed] = JSON.parse(printed.replace(/^[^[]*/, '')) as readonly [Packed];
  return { ...packed, tarball: resolve(destination, packed.filename) };
}

/** Makes the folder of a project that has no dependency yet. */
export function emptyProject(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  return folder;
}

/** Installs packages with their production dependencies alone. Needs a registry, or a cache that holds them. */
export const install = (folder: string, ...packages: readonly string[]): string =>
  succeed(folder, [
    'npm',
    'install',
    '--omit=dev',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    ...packages,
  ]);

/** The folder of the package in a project that has installed it. */
export const installedIn = (project: string): string => join(project, 'node_modules', 'gene-panel-notifier');

/** Packs this checkout and installs it into an empty project below a folder. @returns the file that starts the command */
export function installedProgram(folder: string): string {
  const { tarball } = pack(bareCopy(join(folder, 'clone')), folder);
  const project = emptyProject(join(folder, 'project'));
  install(project, tarball);
  return join(installedIn(project), 'bin', 'gene-panel-notifier.js');
}
