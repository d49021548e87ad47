import { formatInstant, type Instant, instantOf, later } from '../clock/instant.ts';
import { createWithoutListed } from '../history/without-listed.ts';
import { createPanelSource } from '../panels/panel-source.ts';
import { toMessage } from '../publishing/to-message.ts';
import { seenRows as ledgerOf, readFloor } from '../state/ledger.ts';
import type { Chunk, Position, SetBack, Stored } from '../state/store.ts';
import { anomaliesOf } from './anomalies.ts';
import { askedToWait } from './asked-to-wait.ts';
import { expectedRows, isAtRest } from './at-rest.ts';
import { begin } from './begin.ts';
import { chunksOf, type EndOfRows, halvesOf } from './chunks.ts';
import { classifiedRows } from './classified-rows.ts';
import { createCorrelator } from './correlator.ts';
import { countShapes } from './count-shapes.ts';
import { ledgerRow } from './ledger-row.ts';
import { nextMark } from './next-mark.ts';
import { createPageReader, OutOfTime } from './page-reader.ts';
import { PollError } from './poll-error.ts';
import type { PollOptions } from './poll-options.ts';
import { publishChunk } from './publish-chunk.ts';
import { rowsSince } from './read-back.ts';
import { createReport, type PollReport, type Report } from './report.ts';
import { shortenedChunk } from './shortened-chunk.ts';
import { unseenRows } from './unseen-rows.ts';

/**
 * One poll: reads the activity log back to the mark, turns the rows that were not published before into events,
 * and publishes them, oldest first, chunk by chunk. A chunk is recorded before it is published and the mark
 * advances after it: a run that dies anywhere loses nothing, and repeats at most one chunk, byte for byte.
 * @throws {CatalogueError | StateError | PublishError | HistoryError | PollError} when it cannot go on; the mark is then behind
 *   everything that was published.
 */
export async function poll(run: PollOptions): Promise<PollReport> {
  const report = createReport(run.clock.now);
  const stored = await run.store.load(run.overlap);
  if (stored) checkCatalogue(stored.position, run);
  const notBefore = stored?.position.notBefore ?? 0;
  if (notBefore > run.clock.now()) return report.postpone(notBefore);
  try {
    if (stored?.setBack) warnOfSetBack(stored, stored.setBack, run, report);
    const position = stored && (await finishRecordedChunk(stored, run, report));
    return await publishUnseenRows(run, { position, seen: seenRows(stored) }, report);
  } catch (error) {
    if (error instanceof OutOfTime) return report.end('out-of-time');
    const until = askedToWait(error);
    if (until === null) throw error;
    return await postpone(error, until, { run, report, stored });
  }
}

/** A chunk that an earlier run recorded and may not have published comes first, as it was recorded. */
async function finishRecordedChunk(
  { position, pending, setBack }: Stored,
  run: PollOptions,
  report: Report,
): Promise<Position> {
  // The write makes the state current again.
  if (!pending) return setBack ? run.store.note(position, {}) : position;
  await publishChunk(pending, position, { run, report });
  const advanced = await run.store.advance(position, pending);
  // What is recorded does not say which rows were late.
  report.finished({ activities: pending.rows.length, late: 0, newest: newestOf(pending) });
  return advanced;
}

function seenRows(stored: Stored | null): ReadonlyMap<string, Instant | null> {
  return new Map([...(stored?.seen ?? []), ...ledgerOf(stored?.pending?.rows ?? [])]);
}

interface Before {
  /** Null before the first poll. */
  readonly position: Position | null;
  readonly seen: ReadonlyMap<string, Instant | null>;
}

/** Reads, drops what was published, classifies, splits into chunks; and publishes each chunk. */
async function publishUnseenRows(
  run: PollOptions,
  { position: before, seen }: Before,
  report: Report,
): Promise<PollReport> {
  const reader = createPageReader(run);
  const first = await reader.read(1);
  if (!first) throw emptyLog(before);
  report.read(first);
  const now = first.serverTime ?? instantOf(run.clock.now());
  if (before) warnOfAnomalies({ first, position: before, now }, run, report);
  let position = before ?? (await begin(run, { first, now, reader }));
  if (!before && run.from === undefined) return report.end('begun');

  const floor = readFloor(position, run.overlap);
  const examined = { first, position, floor, seen };
  if (isAtRest(examined)) return report.end(report.activities > 0 ? 'published' : 'quiet');
  const { gap } = position;
  const expected = expectedRows(examined);
  const read = rowsSince({ readPage: reader.read, first, floor, seen, gap, expected, log: run.log });
  const unseen = unseenRows(read, { seen, mark: position.mark });
  const classified = classifiedRows(unseen);
  const correlator = createCorrelator({
    catalogue: { name: run.name, url: run.catalogue.url },
    store: run.store,
    panelSource: createPanelSource({ ...run, onFailure: () => report.anomaly('panels-unlisted') }),
  });
  const withoutListed = run.history && createWithoutListed({ history: run.history, facts: run.store });
  const newestRow = first.newest;
  let foundInGap = false;
  for await (const batch of chunksOf(classified, { now, mayWait: position.waits < MOST_WAITS })) {
    const { rows, end } = batch;
    foundInGap ||= rows.some(({ at }) => at === gap?.at);
    if (end) reportWaiting(end, run, report);
    const parts = rows.length > 0 ? [rows] : [];
    for (let part = parts.shift(); part; part = parts.shift()) {
      if (run.deadline !== undefined && run.clock.now() >= run.deadline) return report.end('out-of-time');
      const { events: stated, learnt } = await correlator.correlate(part);
      const events = withoutListed ? await withoutListed(stated) : stated;
      const isLast = parts.length === 0;
      const whole: Chunk = {
        messages: events.map((event) => toMessage(event)),
        rows: part.map(ledgerRow),
        ...learnt,
        next: nextMark(part, { ...batch, end: isLast ? end : null, position, now, newestRow, foundInGap }),
      };
      if (part.length > 1 && !run.store.holds(whole)) {
        parts.unshift(...halvesOf(part));
        continue;
      }
      const chunk = shortenedChunk(whole, events, run.store);
      position = await run.store.record(position, chunk);
      await publishChunk(chunk, position, { run, report });
      position = await run.store.advance(position, chunk);
      correlator.learn(learnt);
      await countShapes(chunk, run);
      report.finished({
        activities: part.length,
        late: part.filter(({ late }) => late).length,
        newest: newestOf(chunk),
      });
    }
    if (end && rows.length === 0) {
      const next = nextMark([], { ...batch, position, now, newestRow, foundInGap });
      if (changes(position, next)) position = await run.store.note(position, next);
    }
  }
  return report.end(report.activities > 0 ? 'published' : 'quiet');
}

/** After this many polls in a row that held rows back, they are published although a paired row may be missing. */
const MOST_WAITS = 3;

function reportWaiting({ waiting, unpaired }: EndOfRows, { log }: PollOptions, report: Report): void {
  report.waiting(waiting);
  if (waiting > 0)
    log.info('Rows wait for the next poll, because a paired row may be missing', { rows: waiting });
  if (unpaired > 0) {
    log.warn('Rows are published although a paired row may be missing: polls waited for it in vain', {
      rows: unpaired,
      polls: MOST_WAITS,
    });
  }
}

/** Whether a position would say something else. */
function changes({ mark, count, gap, waits }: Position, next: Chunk['next']): boolean {
  return (
    mark !== next.mark ||
    count !== next.count ||
    waits !== next.waits ||
    gap?.at !== next.gap?.at ||
    gap?.polls !== next.gap?.polls
  );
}

/** The time of the chunk's newest row. */
function newestOf({ rows }: Pick<Chunk, 'rows'>): Instant {
  return rows.map(({ at }) => at ?? 0n).reduce(later, 0n);
}

/** Says what a restored state means, before anything is published from it. */
function warnOfSetBack(
  { position, pending }: Stored,
  { found, mark }: SetBack,
  { name, log }: PollOptions,
  report: Report,
): void {
  report.anomaly('state-set-back');
  log.error(
    `The state of catalogue "${name}" is older than one that was in use. Every row that the log shows after its mark is published again, with the same event ids; an event may say less of what was before.`,
    {
      anomaly: 'state-set-back',
      found,
      mark: formatInstant(position.mark),
      ...(mark !== null && { markInUse: formatInstant(mark) }),
      recordedEvents: pending?.messages.length ?? 0,
    },
  );
}

function warnOfAnomalies(
  examined: Parameters<typeof anomaliesOf>[0],
  { log }: PollOptions,
  report: Report,
): void {
  for (const { name, message, seen } of anomaliesOf(examined)) {
    report.anomaly(name);
    log.warn(message, { anomaly: name, ...seen });
  }
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
  if (!now.pending) await run.store.note(now.position, { notBefore: until });
  return report.postpone(until);
}

/** A position in one catalogue's log means nothing in the log of another. */
function checkCatalogue({ source, mark }: Position, { name, catalogue: { url } }: PollOptions): void {
  if (source === null || source === url) return;
  throw new PollError(
    'CATALOGUE_CHANGED',
    `Reading the position in the log of "${name}": it was begun for ${source}, and this run is to read ${url}. Nothing was published. Give each catalogue a name of its own. If this one has moved, give it a new name too, and start from ${formatInstant(mark)}.`,
  );
}

function emptyLog(position: Position | null): PollError {
  return new PollError(
    'LOG_EMPTY',
    position
      ? 'Reading the activity log: it is empty, although it had rows before. Nothing was published and the mark is unchanged. Is the catalogue being restored, or the access lost?'
      : 'Reading the activity log: it is empty, so there is no newest row to start from. Check the address, or give a time to start from (--from).',
  );
}
