import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { AwsEnvironment } from './cdk.ts';

/** How a command ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a person does, in an environment that names nothing but AWS. */
export function runCommand(
  parameters: readonly string[],
  aws: AwsEnvironment,
  folder: string = resolve('.'),
): Promise<Ended> {
  const program = resolve('bin/gene-panel-notifier.js');
  const env = { ...aws, PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp' };
  return new Promise((end) => {
    execFile(process.execPath, [program, ...parameters], { cwd: folder, env }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      end({ exitCode, stdout, stderr });
    });
  });
}
