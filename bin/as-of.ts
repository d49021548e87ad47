import { leftOutSince } from '../lambdas/panels/sqlite-as-of.ts';
import { asOfOptions as declared, leftOutWords } from '../lambdas/questions/as-of.ts';
import type { Question } from '../lambdas/questions/question.ts';
import { formatInstant } from '../lambdas/run/instant.ts';
import { momentOf, orUsage } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { flag, text } from './declare-command.ts';
import { defaultState, openForReading } from './local/open-state.ts';

/** The options of commands that can answer as they would have answered at an earlier time. */
export const asOfOptions = {
  'as-of': text(
    declared['as-of'].takes,
    `${declared['as-of'].help}. A day is one of UTC, and the answer has the bytes that it had then. Without --catalogue, and of a stage for report and history only`,
  ),
  'left-out': flag(declared['left-out'].help.replace('as-of', '--as-of')),
};

interface Values {
  readonly 'as-of'?: string | undefined;
  readonly 'left-out'?: boolean | undefined;
  readonly state?: string | undefined;
  readonly stage?: string | undefined;
  readonly table?: string | undefined;
  readonly catalogue?: string | undefined;
}

/**
 * What a command uses of the process, at the time that `--as-of` gives.
 * @param isOfEvents whether events alone answer, of which the tables of a stage keep when each was recorded
 * @throws {UsageError} when that time cannot be read or is not over, or goes with another option that was given
 */
export function ioAsOf(
  values: Values,
  io: Io,
  { isOfEvents = false }: Pick<Question, 'isOfEvents'> = {},
): Io {
  const { 'as-of': given, 'left-out': sayLeftOut = false } = values;
  if (given === undefined) {
    if (sayLeftOut) throw new UsageError('--left-out goes with --as-of only');
    return io;
  }
  for (const option of ['stage', 'table'] as const) {
    if (values[option] === undefined) continue;
    if (!isOfEvents)
      throw new UsageError(
        `--as-of does not go with --${option} here: a table keeps when each event was recorded, and each state as it is now. Ask a folder that watch fills; state and compare also answer with --table from the history table, restored as it was then (point-in-time recovery)`,
      );
    if (sayLeftOut) throw new UsageError(`--left-out does not go with --${option}: a folder counts it`);
  }
  if (values.catalogue !== undefined)
    throw new UsageError('--as-of does not go with --catalogue: a catalogue answers as of now');
  const present = momentOf(io);
  const at = orUsage(() => declared['as-of'].read([given], present), '--as-of') ?? present.now;
  return { ...io, asOf: at, present: io.clock, clock: { ...io.clock, now: () => Number(at / 1000n) } };
}

/** Prints what an answer as of an earlier time leaves out, where `--left-out` asks for it. */
export function printLeftOut(values: Values, { asOf, stderr }: Io): void {
  if (asOf === undefined || !values['left-out']) return;
  const file = openForReading(values.state ?? defaultState);
  try {
    stderr.write(
      `Left out, because it was recorded after ${formatInstant(asOf)}: ${leftOutWords(leftOutSince(file, asOf))}.\n`,
    );
  } finally {
    file.close();
  }
}
