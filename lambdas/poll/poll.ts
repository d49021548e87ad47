import type { Catalogue } from '../catalogue/client.ts';
import type { Clock } from '../clock/clock.ts';
import { earlier, formatInstant, type Instant, instantOf, later } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Log } from '../log/log.ts';
import type { Message } from '../publishing/message.ts';
import type { Publisher } from '../publishing/publisher.ts';
import { quarantine } from '../publishing/quarantine.ts';
import type { Chunk, Position, StateStore, Stored } from '../state/store.ts';
import { examine } from './anomalies.ts';
import { askedToWait } from './asked-to-wait.ts';
import { begin } from './begin.ts';
import { chunksOf, halvesOf } from './chunks.ts';
import { createCorrelator } from './correlator.ts';
import { type LogPage, logPage } from './log-page.ts';
import { PollError } from './poll-error.ts';
import { rowsSince } from './read-back.ts';
import { createReport, type PollReport, type Report } from './report.ts';
import { unseenRows } from './unseen-rows.ts';

/** What one poll of one catalogue needs. */
export interface Poll {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly store: StateStore;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly log: Log;
  /** How far behind the mark rows are looked for that the log shows late. */
  readonly overlap: Instant;
  /** Where a first run starts; without it, at the newest row, and nothing is told. */
  readonly from?: Instant;
  /** A first run learns ratings from rows since then, without telling them. */
  readonly learnSince?: Instant;
  /** Milliseconds since the epoch after which no further chunk is begun. */
  readonly deadline?: number;
  /** Sees each message once it was accepted. */
  readonly onPublished?: (messages: readonly Message[]) => void;
}

/**
 * One poll: reads the activity log back to the mark, turns the rows that were not told before into events,
 * and publishes them, oldest first, chunk by chunk. A chunk is recorded before it is published and the mark
 * moves after it, so that a run that dies anywhere loses nothing, and repeats at most one chunk, in the very
 * same words. Fails with a `CatalogueError`, `StateError`, `PublishError` or `PollError`; the mark then
 * stands behind all that was told.
 */
export async function poll(run: Poll): Promise<PollReport> {
  const report = createReport(run.clock.now);
  const stored = await run.store.load(run.overlap);
  if (stored) ofThisCatalogue(stored.position, run);
  const notBefore = stored?.position.notBefore ?? 0;
  if (notBefore > run.clock.now()) return report.postpone(notBefore);
  try {
    return await publishUnseenRows(run, stored, report);
  } catch (error) {
    const until = askedToWait(error);
    if (until === null) throw error;
    run.log.warn('A service asks to wait longer than this run lasts', {
      until: new Date(until).toISOString(),
    });
    const now = stored && (await run.store.load(run.overlap));
    if (!now) throw error;
    await run.store.postpone(now.position, until);
    return report.postpone(until);
  }
}

async function publishUnseenRows(run: Poll, stored: Stored | null, report: Report): Promise<PollReport> {
  const { store, catalogue, log } = run;
  const seen = new Set(stored?.seen);
  let position = stored?.position;
  if (position && stored?.pending) {
    await publish(stored.pending.messages, run, report);
    position = await store.advance(position, stored.pending);
    for (const key of stored.pending.rows.keys) seen.add(key);
  }

  const readPage = async (number: number): Promise<LogPage | null> => {
    const page = await catalogue.activities(number);
    return page && logPage(page);
  };
  const first = await readPage(1);
  if (!first) throw emptyLog(position);
  const now = first.serverTime ?? instantOf(run.clock.now());
  report.saw(first);
  if (!position) {
    position = await begin(run, { first, now, readPage });
    if (run.from === undefined) return report.end('begun');
  } else examine({ first, position, now, log, report });

  const floor = later(position.mark - run.overlap, position.start);
  const correlator = createCorrelator(run);
  const news = unseenRows(rowsSince({ readPage, first, floor, log }), { seen, mark: position.mark });
  for await (const { entries, hold } of chunksOf(news, now)) {
    const limit = hold === null ? now : earlier(now, hold);
    const chunks = [entries];
    for (let rows = chunks.shift(); rows; rows = chunks.shift()) {
      if (run.deadline !== undefined && run.clock.now() >= run.deadline) return report.end('out-of-time');
      const correlated = await correlator.correlate(rows);
      const next = { mark: later(position.mark, earlier(correlated.rows.newest, limit)), count: first.count };
      const chunk: Chunk = { ...correlated, next };
      if (rows.length > 1 && !store.holds(chunk)) {
        chunks.unshift(...halvesOf(rows));
        continue;
      }
      position = await store.record(position, chunk);
      await publish(chunk.messages, run, report);
      position = await store.advance(position, chunk);
      correlator.learn(chunk.known);
      await noteShapes(chunk, run);
      report.told(rows);
    }
  }
  return report.end(report.activities > 0 ? 'told' : 'quiet');
}

/** Unknown wordings are counted for a maintainer; a count that is lost loses no event. */
async function noteShapes({ messages, rows }: Chunk, { store, log }: Poll): Promise<void> {
  const shapes = new Map<string, number>();
  for (const { topic, body } of messages) {
    if (topic !== 'unclassified') continue;
    const { shape } = (JSON.parse(body) as PanelEvent<'activity.unclassified'>).data.change;
    if (shape !== undefined) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  if (shapes.size === 0) return;
  log.warn('Wordings of the log are not known yet', { shapes: Object.fromEntries(shapes) });
  await store.countShapes(shapes, rows.newest);
}

/** A place in one catalogue's log says nothing of another's: rows behind it would never be told. */
function ofThisCatalogue({ source, mark }: Position, { name, catalogue: { url } }: Poll): void {
  if (source === null || source === url) return;
  throw new PollError(
    'CATALOGUE_CHANGED',
    `Reading the place in the log of "${name}": it was begun for ${source}, and this run is to read ${url}. Nothing was told. Give each catalogue a name of its own; if this one has moved, a new name too, and let it start from ${formatInstant(mark)}.`,
  );
}

function emptyLog(position: Position | undefined): PollError {
  return new PollError(
    'LOG_EMPTY',
    position
      ? 'Reading the activity log: it is empty, although it had rows before. Nothing was told and the mark is where it was. Is the catalogue being restored, or the access lost?'
      : 'Reading the activity log: it is empty, so that there is no newest row to start from. Check the address, or give a time to start from (--from).',
  );
}

/** What SNS refuses for its content is told as unclassified, so that a person sees it and nothing waits for it. */
async function publish(
  messages: readonly Message[],
  { publisher, onPublished, log }: Poll,
  report: Report,
): Promise<void> {
  const rejections = await publisher.publish(messages);
  const rejected = new Set(rejections.map(({ message }) => message.id));
  const replacements = rejections.map(quarantine);
  for (const { message, code, reason } of await publisher.publish(replacements)) {
    log.error('An event was refused, and its replacement too', { id: message.id, code, reason });
  }
  const published = [...messages.filter(({ id }) => !rejected.has(id)), ...replacements];
  report.published(published, rejections.length);
  onPublished?.(published);
}
