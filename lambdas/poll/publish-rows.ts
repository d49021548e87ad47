import { isDeepStrictEqual } from 'node:util';
import { isPlaced, type LogRow } from '../catalogue/log-row.ts';
import { type ClassifiedRow, classifyRow } from '../classifier/classify.ts';
import { chunksOfAll } from '../classifier/correlation/pairs.ts';
import { isSilent } from '../differences/difference.ts';
import type { PanelEvent } from '../events/schemas.ts';
import {
  CALL_BYTES,
  type Message,
  messageOfBody,
  publishOrQuarantine,
  toMessage,
} from '../publishing/message.ts';
import { formatInstant, type Instant, instantOf, later } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { type LedgerRow, type Position, settledUntil } from '../store/position.ts';
import { type Chunk, eventsIn, type Rollback, type StateStore } from '../store/store.ts';
import { warnOfRollback } from './anomalies.ts';
import { chunksOf, type EndOfRows, halvesOf, type RowChunk } from './chunks.ts';
import { type Correlator, mayBeCovered } from './correlator.ts';
import { OutOfTime } from './log-page.ts';
import type { PollOptions } from './poll-options.ts';
import type { Batch } from './read-back.ts';
import type { Report } from './report.ts';

/** What publishing needs, for all rows of one poll. */
export interface Publishing {
  readonly run: PollOptions;
  readonly report: Report;
  readonly correlator: Correlator;
  /** The catalogue's own time. */
  readonly now: Instant;
}

interface RowsToPublish {
  /** Rows that were not published, oldest first. */
  readonly rows: AsyncIterable<Batch>;
  readonly position: Position;
  /** Whether rows may be left for a later poll, because a paired row may still be missing. */
  readonly mayWait: boolean;
  /** The position's fields once these rows of a chunk are published; `end` is null before the last rows. */
  readonly next: (
    rows: readonly ClassifiedRow[],
    chunk: Pick<RowChunk, 'watermarkLimit' | 'count' | 'end'>,
    position: Position,
  ) => Promise<Chunk['next']>;
}

/**
 * Classifies rows, splits them into chunks and correlates the rows of each chunk. Records its events, publishes them, and then advances
 * the mark. Returns the last position. While that happens, the rows of the next chunk are read, and while those of a page are
 * classified, the next page is. They are correlated in their turn: what a sweep finds until then counts for them.
 * @throws {OutOfTime} when the deadline is near; what was published stays published.
 */
export async function publishRows(
  { run, report, correlator, now }: Publishing,
  { rows: batches, position: before, mayWait, next }: RowsToPublish,
): Promise<Position> {
  let position = before;
  /** Up to here, earlier runs may have published what this one reads. */
  let coveredBefore = before.covered;
  const kept = createKeptHistory(run);
  const settled = async (
    rows: readonly ClassifiedRow[],
    chunk: Pick<RowChunk, 'watermarkLimit' | 'count' | 'end'>,
  ): Promise<Chunk['next']> => {
    const fields = await next(rows, chunk, position);
    const covered = run.history && coveredAt(fields.mark, position);
    return { ...fields, ...(covered !== undefined && { covered }) };
  };
  const publish = async (chunk: Chunk): Promise<void> => {
    position = await run.store.record(position, chunk);
    await publishChunk(chunk, position, { run, report });
    position = await run.store.advance(position, chunk);
  };
  /** What was published before is not recorded: sweeps and proofs have followed it, and a run that dies reads its rows again. */
  const publishAgain = async (bodies: readonly string[]): Promise<void> => {
    if (bodies.length === 0) return;
    const published = await publishOrQuarantine(bodies.map(messageOfBody), run);
    report.published(published);
    run.onPublished?.(published);
  };
  let compared = false;
  const chunks = ahead((stop) => {
    const read = ahead(() => classified(batches), stop);
    return chunksOf(read, { now, mayWait, chunkRows: run.store.chunkRows });
  });
  for await (const batch of chunks) {
    const { rows, end } = batch;
    if (end) reportWaiting(end, run, report);
    if (rows.length > 0 && !compared) {
      compared = true;
      const difference = await kept.difference(position);
      if (difference) warnOfRollback({ position, pending: null }, difference, run, report);
    }
    const parts = [...chunksOfAll(rows, run.store.chunkRows)];
    for (let part = parts.shift(); part; part = parts.shift()) {
      if (run.deadline !== undefined && run.clock.now() >= run.deadline) throw new OutOfTime();
      const { events, learnt, repeated } = await correlator.correlate(part, coveredBefore);
      const isLast = parts.length === 0;
      const whole: Chunk = {
        messages: await kept.withFirstBodies(
          events.map((event) => toMessage(event)),
          part.map(({ at }) => at),
        ),
        rows: part.map(ledgerRow),
        ...learnt,
        // The count is of all rows of the chunk.
        next: await settled(part, isLast ? batch : { ...batch, count: null, end: null }),
      };
      const fits = run.store.canRecord(whole);
      if (!fits && part.length > 1) {
        parts.unshift(...halvesOf(part));
        continue;
      }
      const chunk = fits ? whole : shortenedChunk(whole, events, run.store);
      await publishAgain(repeated);
      await publish(chunk);
      coveredBefore ??= position.covered;
      correlator.learn({ events, learnt });
      await countShapes(chunk, run);
      report.finished({
        activities: part.length,
        late: part.filter(({ late }) => late).length,
        newest: newestOf(chunk),
      });
    }
    if (end && rows.length === 0) {
      const after = await settled([], batch);
      if (after.mark > position.mark && run.history) {
        // The history covers the log up to the mark.
        await publish(emptyChunk(after));
      } else if (!isDeepStrictEqual({ ...position, ...after }, position))
        position = await run.store.update(position, after);
    }
  }
  return position;
}

async function* classified(batches: AsyncIterable<Batch>): AsyncGenerator<Batch<ClassifiedRow>> {
  for await (const { rows, ...batch } of batches) yield { ...batch, rows: rows.map(classifyRow) };
}

/** A row as the ledger keeps it; without a time where the row has none of its own. */
export function ledgerRow(row: LogRow | ClassifiedRow): LedgerRow {
  return { key: row.key, at: isPlaced(row) ? row.at : null };
}

/** After rows have waited for this many polls in a row, they are published although a paired row may be missing. */
export const MOST_WAITS = 3;

function reportWaiting({ waiting, unpaired }: EndOfRows, { log }: PollOptions, report: Report): void {
  report.facts.waiting = waiting;
  if (waiting > 0)
    log.info('Rows wait for the next poll, because a paired row may be missing', { rows: waiting });
  if (unpaired > 0) {
    log.warn('Rows are published although a paired row may be missing: polls waited for it in vain', {
      rows: unpaired,
      polls: MOST_WAITS,
    });
  }
}

/** The time of the chunk's newest row. */
export function newestOf({ rows }: Pick<Chunk, 'rows'>): Instant {
  return rows.map(({ at }) => at ?? 0n).reduce(later, 0n);
}

/**
 * The items of a source in order, each made while the one before is used: at most one is made ahead. An error of the source
 * comes after the items before it. A reader that stops early drops what was made ahead: the signal that `start` gets is aborted,
 * and the source has ended before the reader goes on, so that no request outlives a poll. `outer` ends it too.
 */
export async function* ahead<Item>(
  start: (stop: AbortSignal) => AsyncIterable<Item>,
  outer?: AbortSignal,
): AsyncGenerator<Item> {
  const stopping = new AbortController();
  const stop = outer ? AbortSignal.any([stopping.signal, outer]) : stopping.signal;
  const items = start(stop)[Symbol.asyncIterator]();
  const begin = (): ReturnType<typeof items.next> => {
    const next = items.next();
    // It may fail before the reader asks for it, or when no one asks for it any more.
    next.catch(() => {});
    return next;
  };
  try {
    let next = begin();
    for (let item = await next; !item.done; item = await next) {
      stop.throwIfAborted();
      next = begin();
      yield item.value;
    }
  } finally {
    stopping.abort();
    await items.return?.();
  }
}

/** Counts the unknown wordings of a chunk, for a maintainer. A lost count loses no event. */
async function countShapes(
  { messages, next }: Chunk,
  { store, log }: Pick<PollOptions, 'store' | 'log'>,
): Promise<void> {
  const shapes = new Map<string, number>();
  for (const { topic, body } of messages) {
    if (topic !== 'unclassified') continue;
    const { shape } = (JSON.parse(body) as PanelEvent<'activity.unclassified'>).data.change;
    if (shape !== undefined) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  if (shapes.size === 0) return;
  log.warn('The log has wordings that are unknown', { shapes: Object.fromEntries(shapes) });
  await store.countShapes(shapes, next.mark);
}

/** Messages are not cut below this many bytes: the messages of one row then fit into any store. */
const SHORTEST_MESSAGE = 8_192;

/**
 * A chunk that is too large to be recorded, with its messages cut as short as needed: the texts in them end early,
 * and `textTruncated` says so. For a chunk of one row, which cannot be split.
 */
function shortenedChunk(
  chunk: Chunk,
  events: readonly PanelEvent[],
  store: Pick<StateStore, 'canRecord'>,
): Chunk {
  let shortened = chunk;
  for (let bytes = CALL_BYTES / 2; bytes >= SHORTEST_MESSAGE && !store.canRecord(shortened); bytes /= 2) {
    const limit = bytes;
    shortened = { ...chunk, messages: events.map((event) => toMessage(event, limit)) };
  }
  return shortened;
}

/** The shortest time for which events can be kept: what is older may have expired. */
const KEPT_AT_LEAST = instantOf(30 * 24 * 60 * 60 * 1000);

/** The history as it is when this poll begins to publish; without a history, nothing differs. */
function createKeptHistory({ history, name, clock }: PollOptions) {
  let end: Promise<Instant | null> | undefined;
  const endOf = (of: NonNullable<typeof history>): Promise<Instant | null> => {
    end ??= of.coverage().then((periods) => {
      const own = periods.filter(({ catalogue }) => catalogue === name).map(({ until }) => until);
      return own.length === 0 ? null : own.reduce(later);
    });
    return end;
  };
  return {
    /** Why state and history do not belong together, where one of them was restored without the other; else null. */
    async difference({ covered, mark }: Position): Promise<Rollback | null> {
      if (covered === undefined || !history) return null;
      const until = await endOf(history);
      if (until === covered || (until === null && covered < instantOf(clock.now()) - KEPT_AT_LEAST))
        return null;
      if (until !== null && until > covered) {
        return {
          found: `The history goes on after the state: it holds events up to ${formatInstant(until)}, and this state wrote events up to ${formatInstant(covered)}. The state was restored without the history, or to an earlier time.`,
          mark: later(until, mark),
        };
      }
      return {
        found: `The history ends before the state: it holds events up to ${until === null ? 'no time at all' : formatInstant(until)}, and this state wrote events up to ${formatInstant(covered)}. The history was restored without the state, or to an earlier time: the events between are missing in it. "mark --set" with the earlier time publishes and keeps them again.`,
        mark: null,
      };
    },
    /** Messages with the bodies that the history keeps under their ids: what was published once is published alike. */
    async withFirstBodies(
      messages: readonly Message[],
      times: readonly Instant[],
    ): Promise<readonly Message[]> {
      if (!history) return messages;
      const until = await endOf(history);
      if (until === null || !times.some((at) => mayBeCovered(at, until))) return messages;
      const bodies = await history.bodiesOf(messages);
      return messages.map((message) => firstOf(message, bodies));
    },
  };
}

/** A message with the body that is kept under its id. */
function firstOf(message: Message, bodies: Awaited<ReturnType<History['bodiesOf']>>): Message {
  const body = bodies.get(message.id);
  if (body === undefined || body === message.body) return message;
  return messageOfBody(body);
}

/** Up to which instant the history holds events, once those up to a new mark are appended. */
function coveredAt(mark: Instant, before: Position): Instant | undefined {
  return mark > before.mark ? later(mark, before.covered ?? mark) : before.covered;
}

/**
 * A chunk without rows, which moves the position alone. It is recorded as others are, so that a run that dies repeats both: state and
 * history always agree.
 */
export const emptyChunk = (next: Chunk['next']): Chunk => ({
  ...{ messages: [], rows: [], entities: new Map(), panels: new Map(), next },
});

/**
 * Publishes the messages of a recorded chunk, and appends the published ones to the history, before the mark advances.
 * After a crash both are repeated, and the history keeps each event once.
 * @throws {PublishError} when a topic does not take what is left.
 * @throws {HistoryError} when the history cannot be written.
 */
export async function publishChunk(
  { messages, next }: Chunk,
  { mark }: Position,
  { run, report }: Pick<Publishing, 'run' | 'report'>,
): Promise<void> {
  const { name, store, publisher, history, onPublished, log } = run;
  // A row that shows up later adds nothing to what was found before rows of this chunk.
  const found = messages.filter(({ body }) => body.includes('"via":"snapshot"'));
  const silent = found.length > 0 ? eventsIn(found).filter(({ data: { change } }) => isSilent(change)) : [];
  const byPanel = Map.groupBy(silent, ({ data: { panel } }) => panel?.id ?? 0);
  const nothing = { ratings: new Map(), versions: new Map(), at: mark, asOf: 0 };
  if (silent.length > 0) await store.learn({ ...nothing, origin: 'snapshot', silent: byPanel });
  const published = await publishOrQuarantine(messages, { publisher, log });
  report.published(published);
  await history?.append(published, { catalogue: name, since: mark, until: settledUntil(next) });
  onPublished?.(published);
}
