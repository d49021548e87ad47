import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import { defaultOverlapMinutes } from '../lambdas/functions/poll/settings.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../lambdas/panels/settings.ts';
import type { Instant } from '../lambdas/run/instant.ts';
import { longestOverlapMinutes } from '../lambdas/store/overlap.ts';
import { accessOptions } from './access.ts';
import { readCatalogue, readDuration, readName, readPastTime } from './arguments.ts';
import type { Io } from './command.ts';
import { type OptionValues, text } from './declare-command.ts';
import { filterOptions } from './filter-options.ts';
import type { LocalNotifierOptions } from './local/notifier-parts.ts';
import { defaultState } from './local/open-state.ts';
import { outputOptions } from './output.ts';

const paceOption = text(
  'SECONDS',
  `the least time between two requests for states of panels: 10, or 2m (default: ${defaultArchivePace.secondsBetween})`,
);

/**
 * How often the archive of a catalogue is asked, where the option says so. A catalogue on this machine is not shared.
 * @throws {UsageError} when the text is no length of time
 */
export function readPace(text: string | undefined, url: string): { readonly archivePace?: ArchivePace } {
  if (text === undefined) return {};
  const secondsBetween = readDuration('--pace', text, { unit: 's', min: 0, max: 3600 }) / 1000;
  const usual = isLoopback(new URL(url).hostname) ? ownArchivePace : defaultArchivePace;
  return { archivePace: { ...usual, secondsBetween } };
}

const readOverlap = (text: string): Instant =>
  BigInt(
    Math.round(readDuration('--overlap', text, { unit: 'm', min: 0, max: longestOverlapMinutes }) * 1000),
  );

/** The options of every command that reads a catalogue and keeps what it finds. */
export const catalogueOptions = {
  catalogue: text('URL', 'the catalogue, with or without /api/v1/'),
  original: text(
    'URL',
    'where --catalogue is a relay: the catalogue that it serves, so that events have the same ids (docs/guides/relay.md)',
  ),
  state: text('DIR', `the folder of state and history (default: ${defaultState})`),
  name: text(
    'NAME',
    "the name of the catalogue in events and state (default: its host): letters, digits, '.', '_', '-'",
  ),
  overlap: text(
    'MINUTES',
    'how far before the mark to look for rows that the log shows late: 30, 90s or 2h',
    String(defaultOverlapMinutes),
  ),
  pace: paceOption,
  ...accessOptions,
};

/** The options that every command which polls a catalogue has. */
export const pollOptions = {
  ...catalogueOptions,
  from: text(
    'TIME',
    'first poll only: publish every change since then (2026-01-31, 2026-01-31T12:00:00Z, or 90d for the last 90 days). What panels held then is read from the archive of the catalogue: by the poll where a row lacks the rating before, and as a whole by --only states or watch',
  ),
  'learn-since': text(
    'TIME',
    'first poll only: read the ratings of older rows without publishing them, so that the first events state the rating before',
  ),
  ...outputOptions,
  ...filterOptions,
};

/** What the filter of a command that polls does not do. */
export const filterNote = 'A filter limits what is printed; the history keeps every event.';

type CatalogueValues = OptionValues<typeof catalogueOptions>;
type PollValues = OptionValues<typeof pollOptions>;

/**
 * What the options say about the state and how far to look back.
 * @throws {UsageError} when a value is not one that its option takes
 */
export function readCatalogueOptions({
  state = defaultState,
  name,
  original,
  overlap,
}: CatalogueValues): Required<Pick<LocalNotifierOptions, 'overlap'>> & {
  readonly name?: string;
  readonly original?: string;
  readonly state: string;
} {
  return {
    ...(original !== undefined && { original: readCatalogue('--original', original) }),
    ...(name !== undefined && { name: readName('--name', name) }),
    state,
    overlap: readOverlap(overlap),
  };
}

/**
 * What the options say about the state, where to start and how far to look back.
 * @throws {UsageError} when a value is not one that its option takes
 */
export function readPollOptions(
  values: PollValues,
  { clock }: Io,
): Pick<LocalNotifierOptions, 'name' | 'original' | 'state' | 'overlap' | 'from' | 'learnSince'> {
  const { from, 'learn-since': learnSince } = values;
  return {
    ...readCatalogueOptions(values),
    ...(from !== undefined && { from: readPastTime('--from', from, clock) }),
    ...(learnSince !== undefined && { learnSince: readPastTime('--learn-since', learnSince, clock) }),
  };
}
