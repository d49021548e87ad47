import assert from 'node:assert/strict';
import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const catalogueAddress = /https?:\/\/[\w.:[\]]+\/api\/v1\//;
export const pageAddress = /http:\/\/127\.0\.0\.1:\d+\//;

export function run(cwd: string, command: readonly string[], options: SpawnSyncOptions = {}): Ran {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', ...options });
  return { status, stdout: String(stdout), stderr: String(stderr) };
}

/** Runs a program that must succeed. @returns what it printed */
export function succeed(cwd: string, command: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr } = run(cwd, command, options);
  assert.equal(status, 0, `${command.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Where and how a server runs, and which of the addresses that it prints is wanted. */
interface Serving {
  readonly address: RegExp;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a server, with all that it starts, until `use` ends. */
export async function whileServing(
  command: readonly string[],
  { address, cwd, env = process.env }: Serving,
  use: (url: string) => void | Promise<void>,
): Promise<void> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd, env, detached: true });
  try {
    const url = await new Promise<string>((found, fail) => {
      let printed = '';
      const read = (chunk: Buffer): void => {
        printed += chunk.toString();
        const url = address.exec(printed)?.[0];
        if (url !== undefined) found(url);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('exit', (code) => fail(new Error(`The server ended with ${code}:\n${printed}`)));
    });
    await use(url);
  } finally {
    child.removeAllListeners('exit');
    // npx and the shell that it starts pass no signal on: the group of all of them gets it.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  }
}
