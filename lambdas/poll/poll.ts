import { ArchivePaused } from '../panels/archive.ts';
import { createPanelSource } from '../panels/panel-source.ts';
import { createRowSignOffs } from '../panels/row-sign-offs.ts';
import { createStateFacts } from '../panels/state-facts.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import { seenRows as ledgerOf, readFloor } from '../store/ledger.ts';
import type { Position } from '../store/position.ts';
import type { Stored } from '../store/store.ts';
import { begin } from './begin.ts';
import { bookkeepingAfter, bookkeepingOf, differenceOf } from './bookkeeping.ts';
import { checkCatalogue, takeOver } from './catalogue-of-mark.ts';
import { classifiedRows } from './classified-rows.ts';
import { createCorrelator } from './correlator.ts';
import type { LogPage } from './log-page.ts';
import { nextMark } from './next-mark.ts';
import { notBeforeOf } from './not-before.ts';
import { noteCoverage } from './note-coverage.ts';
import { createOlderCount, type OlderCount } from './older-count.ts';
import { createPageReader, OutOfTime } from './page-reader.ts';
import { PollError } from './poll-error.ts';
import type { PollOptions } from './poll-options.ts';
import { catalogueNow } from './present.ts';
import { publishChunk } from './publish-chunk.ts';
import { MOST_WAITS, newestOf, type Publishing, publishRows } from './publish-rows.ts';
import { expectedRows, isQuiet } from './quiet.ts';
import { rowsSince } from './read-back.ts';
import { createReport, type PollReport, type Report } from './report.ts';
import { searchOlderRows } from './search-older.ts';
import { unseenRows } from './unseen-rows.ts';
import { warnOfAnomalies, warnOfDifference, warnOfRollback } from './warnings.ts';

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

interface Before {
  /** Null before the first poll. */
  readonly position: Position | null;
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/**
 * Reads page 1 and begins where there is no position. Publishes the rows that are new or late, unless page 1 shows that
 * there are none. Then searches before the overlap, where rows showed up there.
 */
async function publishUnseenRows(
  run: PollOptions,
  { position: before, seen }: Before,
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
  report.read(first);
  const now = catalogueNow(first, instantOf(run.clock.now()));
  if (before) await warnOfAnomalies({ first, position: before, now }, run, report);
  let position = before ?? (await begin(run, { first, now, reader }));
  if (!before && run.from === undefined) return report.end('begun');

  const floor = readFloor(position, run.overlap);
  const reading = { ...publishingOf(run, report, now), first, floor, seen, counts, readPage };
  if (!isQuiet({ ...reading, position })) position = await publishNewRows(reading, position);
  if (run.searchRequest) {
    position = await run.store.update(position, bookkeepingOf(run.searchRequest, { ...reading, position }));
  }
  if (position.search) position = await searchBeforeOverlap(reading, position);
  if (run.notesCoverage) position = await noteCoverage(reading, position);
  report.keeps(position.older, position.search !== null);
  return report.end(report.activities > 0 ? 'published' : 'quiet');
}

/** What publishing needs: known states, facts of panels, and what a sweep published before. */
function publishingOf(run: PollOptions, report: Report, now: Instant): Publishing {
  const panelSource = createPanelSource({ ...run, onFailure: () => report.anomaly('panels-unlisted') });
  const catalogue = { name: run.name, url: run.catalogue.url };
  return {
    run,
    report,
    correlator: createCorrelator({
      catalogue,
      store: run.store,
      panelSource,
      ratingsBefore: run.ratingsBefore,
      stateFacts: run.states && createStateFacts(run.states),
      history: run.history,
      clock: run.clock,
      rowSignOffs: run.states && createRowSignOffs({ ...run, states: run.states }),
    }),
    now,
  };
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
  const classified = classifiedRows(unseen);
  const examined = { position: before, floor, now, counts };
  let foundInGap = false;
  let difference: number | null | undefined;
  return publishRows(reading, {
    rows: classified,
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
  report.keeps(position.older, true);
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
