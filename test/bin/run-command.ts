import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../../bin/command.ts';
import { run } from '../../bin/main.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { systemClock } from '../../lambdas/run/clock.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly stdin?: string;
  /** Whether what is printed goes to a terminal. */
  readonly isTerminal?: boolean;
  readonly env?: Io['env'];
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Called with each part of what is printed. */
  readonly onOutput?: (part: string) => void;
  /** Called with each text on standard error. */
  readonly onMessage?: (text: string) => void;
}

/** The words of a command line as people type it; a value in it is one word, a list a word for each of its own. */
export const words = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): readonly string[] =>
  texts.flatMap((text, place) => [
    ...text.split(/\s+/).filter(Boolean),
    ...[values[place] ?? []].flat().map(String),
  ]);

/** Runs a command line within this process, with streams of its own. */
export async function runCommand(args: readonly string[], given: Running = {}): Promise<Ran> {
  const {
    stdin = '',
    isTerminal = false,
    env = {},
    clock = systemClock,
    signal = new AbortController().signal,
  } = given;
  const [stdout, stderr] = [collected(isTerminal), collected(isTerminal)];
  stdout.on('data', (chunk: Buffer) => given.onOutput?.(chunk.toString()));
  stderr.on('data', (chunk: Buffer) => given.onMessage?.(chunk.toString()));
  const code = await run(args, { stdin: Readable.from([stdin]), stdout, stderr, env, clock, signal });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collected(isTTY: boolean): PassThrough & { text(): string } {
  const chunks: string[] = [];
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return Object.assign(stream, { ...(isTTY && { isTTY }), text: () => chunks.join('') });
}
