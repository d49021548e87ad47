import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleCommandLine, writeHelps, writeManifest } from '../../scripts/command-line-bundle.ts';

/** Writes the command line into a folder as the package holds it. @returns the file that starts it */
export async function packagedProgram(folder: string): Promise<string> {
  await bundleCommandLine(join(folder, 'dist', 'bin'));
  await writeHelps(join(folder, 'dist', 'bin'));
  writeManifest(join(folder, 'dist'));
  await cp('page/browser', join(folder, 'dist', 'page', 'browser'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  const launcher = join(folder, 'bin', 'gene-panel-notifier.mjs');
  await copyFile('bin/gene-panel-notifier.js', launcher);
  return launcher;
}
