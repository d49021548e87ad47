import { leftOutSince } from '../lambdas/panels/sqlite-as-of.ts';
import { endOfDay, formatInstant, instantOf } from '../lambdas/run/instant.ts';
import { counted } from '../lambdas/words/counted.ts';
import { readPastTime } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { flag, text } from './declare-command.ts';
import { defaultState, openForReading } from './local/open-state.ts';

/** The options of commands that can answer as they would have answered at an earlier time. */
export const asOfOptions = {
  'as-of': text(
    'DAY',
    'answer as at the end of this day (UTC), or at this time, byte for byte: what came to light later is left out. Of a folder only, and without --catalogue',
  ),
  'left-out': flag('with --as-of: also print how much came to light later and is left out'),
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
 * @throws {UsageError} when that time cannot be read or is not over, or goes with another option that was given
 */
export function ioAsOf(values: Values, io: Io): Io {
  const { 'as-of': given, 'left-out': sayLeftOut = false } = values;
  if (given === undefined) {
    if (sayLeftOut) throw new UsageError('--left-out goes with --as-of only');
    return io;
  }
  for (const option of ['stage', 'table'] as const)
    if (values[option] !== undefined)
      throw new UsageError(
        `--as-of does not go with --${option}: the tables of a stage do not keep when each state was read. Ask a folder that watch fills`,
      );
  if (values.catalogue !== undefined)
    throw new UsageError('--as-of does not go with --catalogue: a catalogue answers as of now');
  const end = endOfDay(given);
  if (end !== null && end > instantOf(io.clock.now()))
    throw new UsageError(`--as-of ${JSON.stringify(given)}: that day is not over; give a time of it that is`);
  const asOf = end ?? readPastTime('--as-of', given, io.clock);
  return { ...io, asOf, clock: { ...io.clock, now: () => Number(asOf / 1000n) } };
}

/** Prints what an answer as of an earlier time leaves out, where `--left-out` asks for it. */
export function printLeftOut(values: Values, { asOf, stderr }: Io): void {
  if (asOf === undefined || !values['left-out']) return;
  const file = openForReading(values.state ?? defaultState);
  try {
    const { events, late, versions, signOffs } = leftOutSince(file, asOf);
    stderr.write(
      `Left out, because it was recorded after ${formatInstant(asOf)}: ${counted(events, 'event')}, ${late} of them about the time before; readings of ${counted(versions, 'panel version')}; ${counted(signOffs, 'sign-off')} listed or withdrawn.\n`,
    );
  } finally {
    file.close();
  }
}
