import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Ran {
  readonly code: number | null;
  /** What it printed, on either stream. */
  readonly output: string;
}

interface Terminal {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What was typed before into the same terminal. */
  readonly before?: readonly string[];
  /** What is typed after the line. */
  readonly stdin?: string;
}

/** Types a line into bash; what serves is stopped as by Ctrl-C when it says that it serves. */
export function typeCommand(line: string, { cwd, env, before = [], stdin = '' }: Terminal): Promise<Ran> {
  const serves = /^npx gene-panel-notifier (?:watch|page(?!.* --end)|relay(?! --export)|sandbox)/.test(line);
  // A program opens /dev/stdin of a file, and not of the socket that a pipe of Node is.
  const typed = join(cwd, '.typed');
  writeFileSync(typed, stdin);
  const input = openSync(typed, 'r');
  // A program opens /dev/stdout of a pipe of the shell, and not of the socket that a pipe of Node is.
  const last = serves
    ? `exec ${line}`
    : line.includes('/dev/stdout')
      ? `set -o pipefail; ${line} | cat`
      : line;
  const child = spawn('bash', ['-c', [...before, last].join('\n')], {
    cwd,
    env,
    stdio: [input, 'pipe', 'pipe'],
  });
  closeSync(input);
  let output = '';
  let isStopped = false;
  const read = (chunk: Buffer): void => {
    output += chunk;
    if (!serves || isStopped || !/^(?:A poll every|Serving)/m.test(output)) return;
    isStopped = true;
    child.kill('SIGINT');
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  return new Promise((ran) => child.on('close', (code) => ran({ code, output })));
}

/** How a command of a page may end over data that does not have every name, version and day of the pages. */
export function endsAsShown({ code, output }: Ran): boolean {
  if (/^\s+at .+:\d+:\d+/m.test(output)) return false;
  if (code === 3)
    return /^No .+ (?:is called|has|was)|has no version|was not read|was read|is not kept|first/m.test(
      output,
    );
  if (code === 1)
    return /^There is no message ID:|^The settings have no such channel|^\d+ versions: .* unproven$/m.test(
      output,
    );
  return code === 0 || code === 4;
}
