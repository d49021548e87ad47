import { type Instant, minutes } from '../lambdas/clock/instant.ts';
import { defaultOverlapMinutes } from '../lambdas/poll/settings.ts';
import { longestOverlapMinutes } from '../lambdas/state/overlap.ts';
import { accessUsage } from './access.ts';
import { readName, readNumber, readPastTime } from './arguments.ts';
import type { Io } from './command.ts';
import { filterOptions, filterUsage } from './filter-options.ts';
import { identityOptions } from './identity/identity-options.ts';
import type { LocalNotifierOptions } from './local/notifier.ts';
import { defaultState, stateUsage } from './local/open-state.ts';
import { outputOptions, outputUsage } from './output.ts';

export const overlapOption = { type: 'string', default: String(defaultOverlapMinutes) } as const;

export const overlapUsage = `  --overlap MINUTES    how far before the mark to look for rows that the log shows late (default: ${defaultOverlapMinutes})`;

/** @throws {UsageError} when the text is no number of minutes, or more than the longest overlap */
export const readOverlap = (text: string): Instant =>
  minutes(readNumber('--overlap', text, { min: 0, max: longestOverlapMinutes }));

/** The options that every command which polls a catalogue has. */
export const pollOptions = {
  catalogue: { type: 'string' },
  state: { type: 'string' },
  name: { type: 'string' },
  from: { type: 'string' },
  'learn-since': { type: 'string' },
  overlap: overlapOption,
  ...outputOptions,
  ...filterOptions,
  ...identityOptions,
} as const;

export const pollUsage = `${stateUsage}
  --name NAME          the name of the catalogue in events and state (default: its host): letters, digits, '.', '_', '-'
  --from TIME          first poll only: publish every change since then (2026-01-31, 2026-01-31T12:00:00Z, or 90d for the
                       last 90 days)
  --learn-since TIME   first poll only: read the ratings of older rows without publishing them, so that the first
                       events state the rating before
${overlapUsage}

${outputUsage}

${filterUsage}
  A filter limits what is printed; the history keeps every event.

${accessUsage}`;

interface Values {
  readonly state?: string | undefined;
  readonly name?: string | undefined;
  readonly from?: string | undefined;
  readonly 'learn-since'?: string | undefined;
  readonly overlap: string;
}

/**
 * What the options say about the state, where to start and how far to look back.
 * @throws {UsageError} when a value is not one that its option takes
 */
export function readPollOptions(
  values: Values,
  { clock }: Io,
): Pick<LocalNotifierOptions, 'name' | 'state' | 'overlap' | 'from' | 'learnSince'> {
  const { state = defaultState, name, from, overlap } = values;
  const learnSince = values['learn-since'];
  return {
    ...(name !== undefined && { name: readName('--name', name) }),
    state,
    overlap: readOverlap(overlap),
    ...(from !== undefined && { from: readPastTime('--from', from, clock) }),
    ...(learnSince !== undefined && { learnSince: readPastTime('--learn-since', learnSince, clock) }),
  };
}
