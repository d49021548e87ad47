import { existsSync, readFileSync } from 'node:fs';
import { nearest } from '../lambdas/filters/nearest.ts';
import { allQuestions as questions } from '../lambdas/questions/all.ts';
import type { Group } from '../lambdas/questions/question.ts';
import { type Clock, systemClock } from '../lambdas/run/clock.ts';
import { printable } from '../lambdas/run/text.ts';
import {
  boundHeap,
  boundYoungObjects,
  type Command,
  explainAwsError,
  type Io,
  UsageError,
  unwritable,
} from './command.ts';

/** The subcommands as the overview groups them, each with its line there. */
const summaries = {
  'Every day': {
    watch: 'poll a catalogue at an interval, and show its events in the terminal and on a page',
    page: 'serve the page with what watch or the deployed notifier keeps',
  },
  'Beside them': {
    poll: 'read what is new in a catalogue once (log, listings, states), and print the events',
    verify: 'prove what was published, by the archive of the catalogue',
    relay: 'serve what is kept of a catalogue as the catalogue does, also as of a day',
    messages: 'list, send, drop or move messages that were not sent; dead letters of a deployed stage',
    replay: 'publish events of the history again: print them, or send them to a queue, function or topic',
    doctor: 'check connections, credentials, rights, channels and clock, and say what to do',
    sandbox: 'serve a made-up catalogue, or saved pages, to test against',
    api: 'read and write the interpretation API as a registered system; request a token',
  },
  More: {
    classify: 'print the events of saved rows: a dry run',
    subscriptions: 'show which messages a subscription would have sent',
    mark: 'show how far the log was published, or move that mark',
    backup: 'copy state and history into one file, while they are in use',
  },
} as const satisfies Readonly<Record<Group, Readonly<Record<string, string>>>>;

type Load = () => Promise<{ readonly command: Command }>;
type Name = { readonly [Of in Group]: keyof (typeof summaries)[Of] }[Group];

/** Each is loaded only when it is called. */
const commands: Readonly<Record<Name, Load>> = {
  watch: () => import('./commands/watch.ts'),
  page: () => import('./commands/page.ts'),
  poll: () => import('./commands/poll.ts'),
  verify: () => import('./commands/verify.ts'),
  relay: () => import('./commands/relay.ts'),
  messages: () => import('./commands/messages.ts'),
  replay: () => import('./commands/replay.ts'),
  doctor: () => import('./commands/doctor.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  api: () => import('./commands/api.ts'),
  classify: () => import('./commands/classify.ts'),
  subscriptions: () => import('./commands/subscriptions.ts'),
  mark: () => import('./commands/mark.ts'),
  backup: () => import('./commands/backup.ts'),
};

const parts: Readonly<Record<string, Load>> = {
  'api token': async () => ({ command: (await import('./commands/api.ts')).token }),
  'messages queues': () => import('./commands/queues.ts'),
  ...Object.fromEntries(
    (['decide', 'comment', 'assign', 'read'] as const).map((verb) => [
      `worklist ${verb}`,
      async () => ({ command: (await import('./commands/worklist.ts'))[verb] }),
    ]),
  ),
};

const loads: Readonly<Record<string, Load>> = {
  ...commands,
  ...Object.fromEntries(
    Object.entries(questions).map(([name, load]) => [
      name,
      async () => {
        const [{ commandOf }, { question }] = await Promise.all([import('./ask.ts'), load()]);
        return { command: commandOf(question) };
      },
    ]),
  ),
  ...parts,
};

/** What people use every day, in the order in which they meet it. */
const everyDay = ['watch', 'page', 'history', 'report', 'state', 'impact', 'worklist'];
const placeOf = (name: string): number =>
  everyDay.includes(name) ? everyDay.indexOf(name) : everyDay.length;
const names: readonly string[] = Object.keys(loads)
  .filter((name) => !Object.hasOwn(parts, name))
  .toSorted((one, other) => placeOf(one) - placeOf(other));

const commandCalled = async (name: string): Promise<Command | null> =>
  Object.hasOwn(loads, name) ? ((await loads[name]?.())?.command ?? null) : null;

const NAME = 'gene-panel-notifier';

/** The help of the program, and of each command and part by its name: what the build writes into `helps.json`. */
export const helps: ReadonlyMap<string, () => Promise<string>> = new Map([
  [NAME, overview],
  ...[...names, ...Object.keys(parts)].map(
    (name) => [name, async () => `${(await commandCalled(name))?.usage.trim()}\n`] as const,
  ),
]);

/** To load a command takes several times as long as to print what the build wrote down. The checkout has no such file. */
async function helpOf(name: string): Promise<string | null> {
  const help = helps.get(name);
  if (!help) return null;
  const file = new URL('./helps.json', import.meta.url);
  const built: Readonly<Record<string, string>> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  return built[name] ?? help();
}

const endless: ReadonlySet<string> = new Set(['watch', 'page', 'relay', 'sandbox']);

/** Runs the command that the process's arguments name, and sets the exit code. */
export async function main(): Promise<void> {
  for (const [name, stream] of [
    ['standard output', process.stdout],
    ['standard error', process.stderr],
  ] as const) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The program that read the pipe, such as head, has ended. A service has to be started again then.
      if (error.code === 'EPIPE') process.exit(endless.has(process.argv[2] ?? '') ? 1 : 0);
      if (stream === process.stdout) process.stderr.write(`${NAME}: ${describe(unwritable(name, error))}\n`);
      process.exit(1);
    });
  }
  const { stdout, stderr, env } = process;
  let stop: AbortSignal | undefined;
  const io: Io = {
    // Made when it is asked for: it takes milliseconds.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    clock: systemClock,
    // Only a command that asks for the signal outlives the first Ctrl-C.
    get signal() {
      stop ??= stopSignal(process, systemClock);
      return stop;
    },
    writerThread: new URL(
      import.meta.url.endsWith('.ts') ? './local/chunk-writer-thread.ts' : './local/chunk-writer-thread.js',
      import.meta.url,
    ),
  };
  // Bounded before, the engine would collect what it loads again and again.
  process.exitCode = await run(process.argv.slice(2), io, (name) =>
    Object.hasOwn(questions, name) ? boundYoungObjects() : boundHeap(),
  );
}

/**
 * Runs one command line and returns its exit code: 0 done, 1 failed, 2 wrong arguments, 3 a name is unknown.
 * @param onLoaded called with the name of the command once it is loaded, before its work begins
 */
export async function run(
  args: readonly string[],
  io: Io,
  onLoaded: (name: string) => void = () => {},
): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--version' || name === '-V') {
    io.stdout.write(`${version()}\n`);
    return 0;
  }
  if (name === 'help' && rest[0] !== undefined) return run([...rest, '--help'], io, onLoaded);
  const part = `${name} ${rest[0]}`;
  const [called, given] = Object.hasOwn(parts, part) ? [part, rest.slice(1)] : [name, rest];
  const isOverview = ['--help', '-h', 'help'].includes(name);
  const help =
    isOverview || given.includes('--help') || given.includes('-h')
      ? await helpOf(isOverview ? NAME : called)
      : null;
  if (help !== null) {
    io.stdout.write(help);
    return 0;
  }
  const command = await commandCalled(called);
  if (!command) {
    const near = nearest(name, names);
    const meant = near ? `Did you mean ${near}? ` : '';
    report(io, `${NAME}: there is no command "${name}". ${meant}Commands: ${names.join(', ')}.`);
    return 2;
  }
  return runWith(command, given, { io, onLoaded });
}

async function runWith(
  command: Command,
  args: readonly string[],
  { io, onLoaded }: { readonly io: Io; readonly onLoaded: (name: string) => void },
): Promise<number> {
  const { name } = command;
  onLoaded(name);
  try {
    return await command.run(args, io);
  } catch (error) {
    if (error instanceof UsageError) {
      report(io, `${NAME} ${name}: ${error.message}`, `See: ${NAME} ${name} --help`);
      return error.exitCode;
    }
    if (io.env.DEBUG && error instanceof Error) report(io, ...(error.stack ?? error.message).split('\n'));
    else report(io, ...linesOf(error, `${NAME} ${name}: ${describe(error)}`));
    return 1;
  }
}

/** Of settings, each wrong key has a line of its own. */
const linesOf = (error: unknown, message: string): readonly string[] =>
  error instanceof Error && error.name === 'SettingsError' ? message.split('\n') : [message];

/** Messages quote file names, arguments and input, whose control characters must not reach the terminal. */
function report({ stderr }: Io, ...lines: readonly string[]): void {
  for (const line of lines) stderr.write(`${printable(line)}\n`);
}

async function overview(): Promise<string> {
  const asked = await Promise.all(Object.values(questions).map((load) => load()));
  const width = Math.max(...names.map((name) => name.length));
  const parts = Object.entries(summaries).map(([group, commands]) => {
    const lines = [
      ...Object.entries<string>(commands),
      ...asked.flatMap(({ question: { name, sentence, group: where } }) =>
        where === group ? [[name, sentence] as const] : [],
      ),
    ];
    const ordered = lines.toSorted(([one], [other]) => placeOf(one) - placeOf(other));
    const texts = ordered.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
    return `${group}:\n${texts.join('\n')}\n`;
  });
  return `${NAME}: typed events from the activity log of a gene panel catalogue

Usage: ${NAME} <command> [options]

${parts.join('\n')}
Options:
  --help     show this, or the help of a command (${NAME} poll --help, or help poll)
  --version  show the version
`;
}

/** The message of an error, with its code. Only a fault of this program needs its stack, which DEBUG=1 prints. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const ofAws = explainAwsError(error);
  if (ofAws !== null) return `${ofAws}${code}`;
  const expected = error.name !== 'Error' && error.name !== 'TypeError' && error.name !== 'RangeError';
  return expected || code
    ? `${error.message}${code}`
    : `${error.message} (a fault of this program; DEBUG=1 shows where)`;
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? ` [${error.code}]` : '';

function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** The person pressed Ctrl-C, or the process got SIGTERM. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * One press can arrive twice: the terminal signals the launcher and the program it launched, and the launcher
 * passes the signal on; timeout(1) and systemd do the same.
 */
const ONE_PRESS_MS = 500;

/**
 * Aborted, with `Stopped`, by the first SIGINT or SIGTERM that the process gets from now on. The next one ends the
 * process at once, which loses nothing that was published.
 */
export function stopSignal(
  process: Pick<NodeJS.Process, 'on' | 'off' | 'kill' | 'pid'>,
  clock: Pick<Clock, 'now'>,
): AbortSignal {
  const stop = new AbortController();
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (since === undefined) {
      since = clock.now();
      stop.abort(new Stopped(`stopped by ${signal}`));
    } else if (clock.now() - since >= ONE_PRESS_MS) {
      process.off(signal, onSignal);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return stop.signal;
}
