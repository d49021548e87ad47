import { leftOutSince } from '../lambdas/panels/sqlite-as-of.ts';
import { formatInstant, type Instant, minutes } from '../lambdas/run/instant.ts';
import { counted } from '../lambdas/words/counted.ts';
import { readMoment, readPastTime } from './arguments.ts';
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
  const asOf = /^\d{4}-\d\d-\d\d$/.test(given)
    ? endOfDay(given, io)
    : readPastTime('--as-of', given, io.clock);
  return { ...io, asOf, clock: { ...io.clock, now: () => Number(asOf / 1000n) } };
}

const DAY = minutes(24 * 60);

/** The last instant of a day. */
function endOfDay(day: string, { clock }: Io): Instant {
  const end = readMoment('--as-of', day, { clock }) + DAY - 1n;
  if (end <= BigInt(clock.now()) * 1000n) return end;
  throw new UsageError(`--as-of ${JSON.stringify(day)}: that day is not over; give a time of it that is`);
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
