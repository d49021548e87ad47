import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import { defaultOverlapMinutes } from '../lambdas/functions/settings.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../lambdas/panels/settings.ts';
import { readPastTime } from '../lambdas/questions/options.ts';
import { longestOverlapMinutes } from '../lambdas/store/overlap.ts';
import { accessOptions } from './access.ts';
import { catalogueAddress, catalogueName, duration } from './arguments.ts';
import { type OptionValues, text, value } from './declare-command.ts';
import { filterOptions } from './history-options.ts';
import type { LocalNotifierOptions } from './local/notifier.ts';
import { defaultState } from './local/open-state.ts';
import { outputOptions } from './output.ts';

/** How often the archive of a catalogue is asked, where `--pace` says so. A catalogue on this machine is not shared. */
export function readPace(pace: number | undefined, url: string): { readonly archivePace?: ArchivePace } {
  if (pace === undefined) return {};
  const usual = isLoopback(new URL(url).hostname) ? ownArchivePace : defaultArchivePace;
  return { archivePace: { ...usual, secondsBetween: pace / 1000 } };
}

const overlapLength = duration({ unit: 'm', min: 0, max: longestOverlapMinutes });

/** The options of every command that reads a catalogue and keeps what it finds. */
export const catalogueOptions = {
  catalogue: value('URL', 'the catalogue, with or without /api/v1/', catalogueAddress),
  original: value(
    'URL',
    'where --catalogue is a relay: the catalogue that it serves, so that events have the same ids (docs/guides/relay.md)',
    catalogueAddress,
  ),
  state: text('DIR', `the folder of state and history (default: ${defaultState})`),
  name: value(
    'NAME',
    "the name of the catalogue in events and state (default: its host): letters, digits, '.', '_', '-'",
    catalogueName,
  ),
  overlap: value(
    'MINUTES',
    'how far before the mark to look for rows that the log shows late: 30, 90s or 2h',
    (text, moment) => BigInt(Math.round(overlapLength(text, moment) * 1000)),
    String(defaultOverlapMinutes),
  ),
  pace: value(
    'SECONDS',
    `the least time between two requests for states of panels: 10, or 2m (default: ${defaultArchivePace.secondsBetween})`,
    duration({ unit: 's', min: 0, max: 3600 }),
  ),
  ...accessOptions,
};

/** The options that every command which polls a catalogue has. */
export const pollOptions = {
  ...catalogueOptions,
  from: value(
    'TIME',
    'first poll only: publish every change since then (2026-01-31, 2026-01-31T12:00:00Z, or 90d for the last 90 days). What panels held then is read from the archive of the catalogue: by the poll where a row lacks the rating before, and as a whole by --only states or watch',
    readPastTime,
  ),
  'learn-since': value(
    'TIME',
    'first poll only: read the ratings of older rows without publishing them, so that the first events state the rating before',
    readPastTime,
  ),
  ...outputOptions,
  ...filterOptions,
};

/** What the filter of a command that polls does not do. */
export const filterNote = 'A filter limits what is printed; the history keeps every event.';

type CatalogueValues = OptionValues<typeof catalogueOptions>;
type PollValues = OptionValues<typeof pollOptions>;

/** What the options say about the state, and how far to look back for rows. */
export const readCatalogueOptions = ({ state = defaultState, name, original, overlap }: CatalogueValues) => ({
  ...{ name, original, state, overlap },
});

/** What the options say about the state, where to start and how far to look back. */
export const readPollOptions = (
  values: PollValues,
): Pick<LocalNotifierOptions, 'name' | 'original' | 'state' | 'overlap' | 'from' | 'learnSince'> => ({
  ...readCatalogueOptions(values),
  from: values.from,
  learnSince: values['learn-since'],
});
