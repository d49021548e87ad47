import { readFileSync } from 'node:fs';
import { systemClock } from '../lambdas/clock/clock.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { nearest } from './nearest.ts';
import { stopSignal } from './stop-signal.ts';
import { printable } from './terminal-text.ts';

/** The subcommands; each is loaded only when it is called. */
const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  classify: () => import('./commands/classify.ts'),
  poll: () => import('./commands/poll.ts'),
  watch: () => import('./commands/watch.ts'),
  subscriptions: () => import('./commands/subscriptions.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  token: () => import('./commands/token.ts'),
  api: () => import('./commands/api.ts'),
  doctor: () => import('./commands/doctor.ts'),
};

const NAME = 'gene-panel-notifier';

/** Runs the command that the process's arguments name, and sets the exit code. */
export async function main(): Promise<void> {
  // Whoever read the output has seen enough.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? 0 : 1);
    });
  }
  const { stdin, stdout, stderr, env } = process;
  let stop: AbortSignal | undefined;
  process.exitCode = await run(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    env,
    clock: systemClock,
    // Only a command that asks for the signal outlives the first Ctrl-C.
    get signal() {
      stop ??= stopSignal(process, systemClock);
      return stop;
    },
  });
}

/** Runs one command line and gives its exit code: 0 done, 1 failed, 2 called wrongly. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--version' || name === '-V') {
    io.stdout.write(`${version()}\n`);
    return 0;
  }
  if (name === 'help' && rest[0] !== undefined) return run([rest[0], '--help'], io);
  if (name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(await overview());
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const near = nearest(name, Object.keys(commands));
    const meant = near ? `Did you mean ${near}? ` : '';
    tell(
      io,
      `${NAME}: there is no command "${name}". ${meant}Commands: ${Object.keys(commands).join(', ')}.`,
    );
    return 2;
  }
  const { command } = await load();
  if (rest.includes('--help') || rest.includes('-h')) {
    io.stdout.write(`${command.usage.trim()}\n`);
    return 0;
  }
  try {
    return await command.run(rest, io);
  } catch (error) {
    if (error instanceof UsageError) {
      tell(io, `${NAME} ${name}: ${error.message}`, `See: ${NAME} ${name} --help`);
      return 2;
    }
    if (io.env.DEBUG && error instanceof Error) tell(io, ...(error.stack ?? error.message).split('\n'));
    else tell(io, `${NAME} ${name}: ${describe(error)}`);
    return 1;
  }
}

/** Messages hold names of files, arguments and pieces of input: nothing of it is for the terminal to obey. */
function tell({ stderr }: Io, ...lines: readonly string[]): void {
  for (const line of lines) stderr.write(`${printable(line)}\n`);
}

async function overview(): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const width = Math.max(...loaded.map(({ command }) => command.name.length));
  const lines = loaded.map(({ command }) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `${NAME}: typed events from the activity log of a gene panel catalogue

Usage: ${NAME} <command> [options]

Commands:
${lines.join('\n')}

Options:
  --help     show this, or the help of a command (${NAME} poll --help, or help poll)
  --version  show the version
`;
}

/** An error as a person wants it: what failed and what to do. Only a fault of this program needs its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` [${error.code}]` : '';
  const expected = error.name !== 'Error' && error.name !== 'TypeError' && error.name !== 'RangeError';
  return expected || code
    ? `${error.message}${code}`
    : `${error.message} (a fault of this program; DEBUG=1 shows where)`;
}

function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
