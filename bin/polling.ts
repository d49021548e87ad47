import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import { compileFilter, type Filter } from '../lambdas/filters/filter.ts';
import { defaultOverlapMinutes } from '../lambdas/functions/settings.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../lambdas/panels/settings.ts';
import type { Publisher } from '../lambdas/publishing/message.ts';
import { readPastTime } from '../lambdas/questions/options.ts';
import { printable } from '../lambdas/run/text.ts';
import { namedPlaceOf } from '../lambdas/store/history/sqlite.ts';
import { createSqlitePages } from '../lambdas/store/history/sqlite-pages.ts';
import { namesIn, unknownNames } from '../lambdas/store/history/unknown-names.ts';
import { longestOverlapMinutes } from '../lambdas/store/overlap.ts';
import type { StateFile } from '../lambdas/store/sqlite-file.ts';
import { accessOptions, openAccess } from './access.ts';
import { catalogueAddress, catalogueName, duration, required } from './arguments.ts';
import type { Io } from './command.ts';
import { type OptionValues, text, value } from './declare-command.ts';
import { filterOptions } from './history-options.ts';
import { type LocalNotifier, type LocalNotifierOptions, startLocalNotifier } from './local/notifier.ts';
import { defaultState } from './local/open-state.ts';
import { type EventOutput, eventOf, outputOptions, type PrintedEvent } from './output.ts';
import { logLines } from './terminal.ts';

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

/** What the options say about the state, where to start and how far to look back. */
export const readPollOptions = ({
  state = defaultState,
  name,
  original,
  overlap,
  from,
  'learn-since': learnSince,
}: Partial<OptionValues<typeof pollOptions>> & CatalogueValues) => ({
  ...{ name, original, state, overlap, from, learnSince },
});

/** A catalogue that is polled once, with the state of the options. */
type OpenCatalogue = Awaited<ReturnType<typeof openCatalogue>>;

/**
 * Opens the catalogue that the options name.
 * @throws {UsageError} when it is missing, or a value is not one that its option takes
 */
export async function openCatalogue(values: CatalogueValues, io: Io) {
  const url = required('--catalogue URL', values.catalogue);
  const log = logLines(io);
  const access = await openAccess(values, io, log);
  return { ...readPollOptions(values), ...readPace(values.pace, url), ...access, url, log, io };
}

interface RunOnceOptions extends Omit<LocalNotifierOptions, keyof OpenCatalogue> {
  /** Closed in the end. */
  readonly publisher: PrintPublisher;
}

/** Starts a notifier, lets it work, and closes it. Returns the exit code of `work`, or 130 where the run was stopped. */
export async function runOnce(
  { close, ...catalogue }: OpenCatalogue,
  options: RunOnceOptions,
  work: (notifier: LocalNotifier) => Promise<number>,
): Promise<number> {
  const { io } = catalogue;
  let notifier: LocalNotifier | undefined;
  try {
    notifier = await startLocalNotifier({ ...catalogue, ...options });
    return await work(notifier);
  } catch (error) {
    if (error !== io.signal.reason) throw error;
    io.stderr.write('stopped; nothing is lost: the same command continues from here\n');
    return 130;
  } finally {
    await notifier?.close();
    options.publisher.close();
    await close();
  }
}

interface PrintPublisher extends Publisher {
  readonly printed: number;
  /** Names of a filter find all events of a panel or gene, by the names that this file has. To be called before a run. */
  follow(file: StateFile): void;
  /**
   * Prints the events of this run that a name finds which was learned after they were published: a renaming is published
   * after the events under the old name. To be called after a poll.
   * @throws {HistoryError | OutputError} when the events cannot be read or written
   */
  printMissed(): Promise<void>;
  /** Closes what it prints to. */
  close(): void;
}

const AT_ONCE = 1_000;

/** Creates a publisher that prints. An event counts as published once it is written. A filter limits what is printed. */
export function createPrintPublisher(output: EventOutput, filter: Filter = {}): PrintPublisher {
  const all = Object.keys(filter).length === 0;
  const asksNames = filter.panels !== undefined || filter.genes !== undefined;
  let followed: { readonly file: StateFile; readonly begin: number } | undefined;
  let matches = compileFilter(filter);
  let revision = '';
  /** The names by which all events of the run were looked at. */
  let complete = '';
  const printed = new Set<string>();
  let count = 0;

  const readNames = async (): Promise<void> => {
    if (!followed || !asksNames) return;
    const place = namedPlaceOf(followed.file);
    const names = await namesIn(place);
    // The listing gives names of panels, the events those of genes too.
    const now = `${names.revision} ${(await place.history.names()).revision}`;
    if (now === revision) return;
    revision = now;
    matches = compileFilter(filter, names);
  };
  const print = async (events: readonly PrintedEvent[]): Promise<void> => {
    await output.write(events);
    count += events.length;
    if (asksNames) for (const each of events) printed.add(eventOf(each).id);
  };

  return {
    get printed() {
      return count;
    },
    follow(file) {
      followed = { file, begin: createSqlitePages(file).lastAppended() };
    },
    async publish(messages) {
      if (messages.length > 0) await readNames();
      await print(all ? messages : messages.filter((message) => matches(eventOf(message))));
      return [];
    },
    async printMissed() {
      await readNames();
      if (!followed || revision === complete) return;
      complete = revision;
      const pages = createSqlitePages(followed.file);
      const last = pages.lastAppended();
      for (let after = followed.begin; after < last; after += AT_ONCE) {
        const upTo = Math.min(after + AT_ONCE, last);
        const missed = pages
          .appended(after, upTo, AT_ONCE)
          .filter(({ id, event }) => !printed.has(id) && matches(event))
          .flatMap((placed) => pages.bodyAt(placed) ?? []);
        await print(missed.map((body) => ({ body, event: JSON.parse(body) })));
      }
    },
    close: output.close,
  };
}

/**
 * Says, after a poll, which names of the filter neither the catalogue's listing nor any event has.
 * @throws {HistoryError | StateError} when the state file cannot be read
 */
export async function sayUnknownNames(
  { file, filter, printed }: { readonly file: StateFile; readonly filter: Filter; readonly printed: number },
  { stderr }: Io,
): Promise<void> {
  if (Object.keys(filter).length === 0) return;
  for (const { sentence } of await unknownNames(namedPlaceOf(file), filter, { found: printed })) {
    stderr.write(`${printable(sentence)}\n`);
  }
}
