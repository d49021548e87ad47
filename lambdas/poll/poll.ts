import { ServiceError } from '../catalogue/http/service-error.ts';
import { classifyRow } from '../classifier/classify.ts';
import { correlate, createKnownStates } from '../classifier/correlation/correlate.ts';
import { ArchivePaused } from '../panels/archive.ts';
import { earlier, formatInstant, type Instant, instantOf, later } from '../run/instant.ts';
import {
  type Gap,
  type LedgerRow,
  seenRows as ledgerOf,
  type Position,
  readFloor,
} from '../store/position.ts';
import type { Chunk, Stored } from '../store/store.ts';
import { CLOCK_SKEW, warnOfAnomalies, warnOfDifference, warnOfRollback } from './anomalies.ts';
import type { RowChunk } from './chunks.ts';
import { createCorrelator } from './correlator.ts';
import {
  createOlderCount,
  createPageReader,
  type LogPage,
  type OlderCount,
  OutOfTime,
  PollError,
} from './log-page.ts';
import type { PollOptions } from './poll-options.ts';
import {
  emptyChunk,
  ledgerRow,
  MOST_WAITS,
  newestOf,
  type Publishing,
  publishChunk,
  publishRows,
} from './publish-rows.ts';
import { rowsSince } from './read-back.ts';
import { createReport, type PollReport, type Report } from './report.ts';
import { bookkeepingAfter, bookkeepingOf, differenceOf, searchOlderRows } from './search-older.ts';
import { expectedRows, isQuiet, unseenRows } from './unseen-rows.ts';

/**
 * One poll. It reads the activity log back to the mark, turns the rows that were not published before into events,
 * and publishes them, oldest first, chunk by chunk. A chunk is recorded before it is published, and the mark advances
 * after it. So a run that dies anywhere loses nothing, and repeats at most one chunk, byte for byte.
 *
 * @throws {CatalogueError | StateError | PublishError | HistoryError | PollError} when it cannot go on; every row up to the
 *   mark is then published
 */
export async function poll(run: PollOptions): Promise<PollReport> {
  const report = createReport(run.clock.now);
  const stored = await run.store.load(run.overlap);
  if (stored) checkCatalogue(stored.position, run);
  const notBefore = stored?.position.notBefore ?? 0;
  if (notBefore > run.clock.now()) return report.postpone(notBefore);
  try {
    if (stored?.rollback) warnOfRollback(stored, stored.rollback, run, report);
    const finished = stored && (await finishRecordedChunk(stored, run, report));
    const position = finished && (await takeOver(finished, run));
    return await publishUnseenRows(run, { position, seen: seenRows(stored) }, report);
  } catch (error) {
    if (error instanceof OutOfTime || error instanceof ArchivePaused) return report.end('out-of-time');
    const until = notBeforeOf(error);
    if (until === null) throw error;
    return await postpone(error, until, { run, report, stored });
  }
}

/** Publishes the chunk that an earlier run recorded and may not have published, exactly as recorded. */
async function finishRecordedChunk(
  { position, pending, rollback }: Stored,
  run: PollOptions,
  report: Report,
): Promise<Position> {
  // The write makes the state current again.
  if (!pending) return rollback ? run.store.update(position, {}) : position;
  await publishChunk(pending, position, { run, report });
  const advanced = await run.store.advance(position, pending);
  // A recorded chunk does not state which rows were late.
  report.finished({ activities: pending.rows.length, late: 0, newest: newestOf(pending) });
  return advanced;
}

/** The rows that were published, with those of the recorded chunk. */
function seenRows(stored: Stored | null): ReadonlyMap<string, Instant | null> {
  return new Map([...(stored?.seen ?? []), ...ledgerOf(stored?.pending?.rows ?? [])]);
}

/**
 * Reads page 1 and begins where there is no position. Publishes the rows that are new or late, unless page 1 shows that
 * there are none. Then searches before the overlap, where rows showed up there.
 */
async function publishUnseenRows(
  run: PollOptions,
  { position: before, seen }: Pick<ReadingLog, 'seen'> & { readonly position: Position | null },
  report: Report,
): Promise<PollReport> {
  const reader = createPageReader(run);
  const counts = createOlderCount();
  const readPage = async (number: number): Promise<LogPage | null> => {
    const page = await reader.read(number);
    if (page) counts.add(page);
    return page;
  };
  const first = await readPage(1);
  if (!first) throw emptyLog(before);
  report.facts.count = first.count;
  const now = catalogueNow(first, instantOf(run.clock.now()));
  if (before) await warnOfAnomalies({ first, position: before, now }, run, report);
  let position = before ?? (await begin(run, { first, now, readPage: reader.read }));
  if (!before && run.from === undefined) return report.end('begun');

  const floor = readFloor(position, run.overlap);
  const correlator = createCorrelator(run, report);
  const reading = { run, report, correlator, now, first, floor, seen, counts, readPage };
  if (!isQuiet({ ...reading, position })) position = await publishNewRows(reading, position);
  if (run.searchRequest) {
    position = await run.store.update(position, bookkeepingOf(run.searchRequest, { ...reading, position }));
  }
  if (position.search) position = await searchBeforeOverlap(reading, position);
  if (run.notesCoverage) position = await noteCoverage(reading, position);
  report.keeps(position);
  return report.end(report.facts.activities > 0 ? 'published' : 'quiet');
}

/** The most pages that one poll may request for a search before the overlap. */
const SEARCH_PAGES = 10;

interface ReadingLog extends Publishing {
  readonly first: LogPage;
  readonly floor: Instant;
  readonly seen: ReadonlyMap<string, Instant | null>;
  readonly counts: OlderCount;
  readonly readPage: (number: number) => Promise<LogPage | null>;
}

/**
 * Reads the rows since the overlap, drops those that the ledger has, classifies the others, and publishes their
 * events chunk by chunk; the mark advances after each chunk.
 */
async function publishNewRows(reading: ReadingLog, before: Position): Promise<Position> {
  const { run, report, now, first, floor, seen, counts, readPage } = reading;
  const { gap } = before;
  const expected = expectedRows({ ...reading, position: before });
  const read = rowsSince({ readPage, first, floor, seen, gap, expected, log: run.log });
  const unseen = unseenRows(read, { seen, mark: before.mark, now, first });
  const examined = { position: before, floor, now, counts };
  let foundInGap = false;
  let difference: number | null | undefined;
  return publishRows(reading, {
    rows: unseen,
    position: before,
    mayWait: before.waits < MOST_WAITS,
    next: async (rows, chunk, position) => {
      foundInGap ||= rows.some(({ at }) => at === gap?.at);
      const next = nextMark(rows, { ...chunk, position, now, newestRow: first.newest, foundInGap });
      if (!chunk.end) return { ...next, older: position.older ?? firstCount(floor, counts) };
      if (difference === undefined) {
        difference = await differenceOf(examined, run.store);
        if (difference) warnOfDifference(difference, run, report);
      }
      const { mark } = next;
      return { ...next, ...bookkeepingAfter(difference, { ...examined, mark, overlap: run.overlap }) };
    },
  });
}

/** Publishes rows that showed up before the overlap, until the pages or the time of this poll are used up. */
async function searchBeforeOverlap(reading: ReadingLog, position: Position): Promise<Position> {
  const { run, report } = reading;
  report.keeps(position);
  try {
    return await searchOlderRows({ ...reading, position, pages: run.searchPages ?? SEARCH_PAGES });
  } catch (error) {
    // The log was read to its end; the search goes on with the next poll.
    if (error instanceof OutOfTime) return position;
    throw error;
  }
}

/** The rows before the overlap as they are counted first. */
function firstCount(before: Instant, counts: OlderCount): Position['older'] {
  const count = counts.before(before);
  return count === null ? null : { before, count, surfaced: 0, vanished: 0 };
}

/**
 * The time before which a service (the catalogue or its identity provider) accepts no request, in milliseconds since
 * the epoch; null for any other error.
 */
export function notBeforeOf(error: unknown): number | null {
  return error instanceof ServiceError && error.condition === 'NOT_BEFORE' ? error.notBefore : null;
}

interface Postponing {
  readonly run: PollOptions;
  readonly report: Report;
  readonly stored: Stored | null;
}

/** Keeps the time before which a service accepts no request; a catalogue without a position fails instead. */
async function postpone(
  error: unknown,
  until: number,
  { run, report, stored }: Postponing,
): Promise<PollReport> {
  run.log.warn('A service asks to wait longer than this run lasts', { until: new Date(until).toISOString() });
  const now = stored && (await run.store.load(run.overlap));
  if (!now) throw error;
  // What another run has recorded meanwhile must stay.
  if (!now.pending) await run.store.update(now.position, { notBefore: until });
  return report.postpone(until);
}

/** The error for a log without rows; `position` is null before the first poll. */
function emptyLog(position: Position | null): PollError {
  return new PollError(
    'LOG_EMPTY',
    position
      ? 'Reading the activity log: it is empty, although it had rows before. Nothing was published and the mark is unchanged. Is the catalogue being restored, or the access lost?'
      : 'Reading the activity log: it is empty, so there is no newest row to start from. Check the address, or give a time to start from (--from).',
  );
}

/**
 * Writes the first position in a log: at `from`, or else at the newest row, so that no existing row is published.
 * Rows since `learnSince` are read for the ratings that they state, and are not published.
 * @throws {PollError} `START_WRONG` when a start is in the future
 */
async function begin(
  run: PollOptions,
  { first, now, readPage }: Pick<ReadingLog, 'first' | 'now' | 'readPage'>,
): Promise<Position> {
  refuseFuture(run, now);
  const newest = earlier(first.newest, now);
  const mark = run.from ?? newest;
  const start = run.from ?? newest - run.overlap;
  const floor = run.learnSince !== undefined && run.learnSince < start ? run.learnSince : start;
  const known = createKnownStates();
  const finished: LedgerRow[] = [];
  let counted: number | null = null;
  if (run.from === undefined || floor < start) {
    const unknown = { expected: null, seen: new Map<string, Instant>(), gap: null };
    const reading = rowsSince({ ...unknown, readPage, first, floor, log: run.log });
    for await (const { rows, count } of reading) {
      const old = rows.filter(({ at }) => run.from === undefined || at < run.from);
      const context = { catalogue: { name: run.name, url: run.catalogue.url }, listing: null };
      known.learn(correlate(old.map(classifyRow), known, context).learnt);
      finished.push(...old.filter(({ at }) => at >= start).map(ledgerRow));
      if (old.length < rows.length) break;
      counted = count;
    }
  }
  const count = run.from === undefined ? counted : null;
  return run.store.begin({ mark, start, count, source: run.catalogue.url }, finished, known);
}

/** Refuses a start in the future: until then, no row would be published. */
function refuseFuture({ name, from, learnSince }: PollOptions, now: Instant): void {
  for (const [what, at] of [
    ['publish', from],
    ['learn ratings', learnSince],
  ] as const) {
    if (at === undefined || at <= now + CLOCK_SKEW) continue;
    throw new PollError(
      'START_WRONG',
      `Beginning to read the log of "${name}": the poll would ${what} since ${formatInstant(at)}, which is in the future: the time of the catalogue is ${formatInstant(now)}. Nothing was written. Is the year right?`,
    );
  }
}

/**
 * Refuses a position of another catalogue: it means nothing in the log of this one.
 *
 * @throws {PollError} `CATALOGUE_CHANGED`
 */
function checkCatalogue({ source }: Position, { name, movedFrom, catalogue: { url } }: PollOptions): void {
  if (source === url || source === movedFrom) return;
  throw new PollError(
    'CATALOGUE_CHANGED',
    `Reading the position in the log of "${name}": it belongs to ${source}, but this run would read ${url}. Nothing was published. If the catalogue has moved: gene-panel-notifier mark --name ${name} --moved-to ${url} (for a deployment, the setting movedFrom). Otherwise give each catalogue a name of its own.`,
  );
}

/** The position, which belongs to the new address of a catalogue that moved. */
async function takeOver(
  position: Position,
  { store, movedFrom, catalogue, log }: PollOptions,
): Promise<Position> {
  const { source } = position;
  if (movedFrom === undefined || source !== movedFrom || source === catalogue.url) return position;
  log.info('The catalogue has moved; the mark goes on at its new address', {
    from: source,
    to: catalogue.url,
  });
  return store.update(position, { source: catalogue.url });
}

interface Advance extends Pick<RowChunk, 'watermarkLimit' | 'count' | 'end'> {
  readonly position: Position;
  /** The catalogue's own time: the mark never passes it. */
  readonly now: Instant;
  /** The newest row of the log when this poll began. */
  readonly newestRow: Instant;
  /** Whether this poll found a new row in the gap of the position. */
  readonly foundInGap: boolean;
}

/** The mark, count, gap and waits of the position once these rows are published. */
export function nextMark(
  rows: readonly { readonly at: Instant }[],
  { position, now, watermarkLimit, count, end, newestRow, foundInGap }: Advance,
): Chunk['next'] {
  const limit = watermarkLimit === null ? now : earlier(now, watermarkLimit);
  const readAll = end?.waiting === 0;
  const newest = rows.map(({ at }) => at).reduce(later, readAll ? newestRow : 0n);
  const mark = later(position.mark, earlier(newest, limit));
  const { gap, waits } = position;
  if (!end) return { mark, count: count ?? position.count, gap, waits };
  return {
    mark,
    count,
    gap: nextGap(gap, watermarkLimit, foundInGap),
    waits: end.waiting > 0 ? waits + 1 : 0,
  };
}

function nextGap(before: Gap | null, at: Instant | null, found: boolean): Gap | null {
  if (at === null) return null;
  return { at, polls: before?.at === at && !found ? before.polls + 1 : 0 };
}

/** What was read is written down once it is this much more than before. */
const NOTED_AFTER: Instant = instantOf(30 * 60_000);

/**
 * Notes that the log was read up to now, although it had no new row: a quiet weekend then differs from one that was not
 * read. Not while rows wait for their pair, or a row may have been missed.
 * @returns the position after it
 */
async function noteCoverage(
  { run, report, now }: Pick<Publishing, 'run' | 'report' | 'now'>,
  position: Position,
): Promise<Position> {
  const { mark, count, waits, gap, covered = mark } = position;
  if (!run.history || gap !== null || waits > 0 || now - later(mark, covered) < NOTED_AFTER) return position;
  const nothing = emptyChunk({ mark, count, waits, gap, covered: now });
  const recorded = await run.store.record(position, nothing);
  await publishChunk(nothing, recorded, { run, report });
  return run.store.advance(recorded, nothing);
}

/** The `Date` header has whole seconds, and is written before the rows are read. */
const ROUNDED: Instant = instantOf(2_000);

/**
 * The present time of the catalogue: its `Date` header, or else this machine's clock. Where the newest row is later than
 * the header, a cache or proxy wrote the header, and the row is right, unless it is later than this machine's clock too.
 */
function catalogueNow({ serverTime, newest }: Pick<LogPage, 'serverTime' | 'newest'>, own: Instant): Instant {
  if (serverTime === null) return own;
  const isStale = newest > serverTime + ROUNDED && newest <= own + CLOCK_SKEW;
  return isStale ? later(own, newest) : serverTime;
}
