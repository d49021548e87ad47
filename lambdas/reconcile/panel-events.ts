import { readLogRows } from '../catalogue/log-row.ts';
import { classifyLog } from '../classifier/classify.ts';
import { correlate, createKnownStates } from '../classifier/correlation/correlate.ts';
import { chunksOfAll } from '../classifier/correlation/pairs.ts';
import { isDisagreement } from '../events/kinds.ts';
import { OPEN_TRANSACTION } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { withoutCorrected } from '../events/summary.ts';
import { createRatingsBefore, type RatingsBefore } from '../panels/ratings-before.ts';
import { type Instant, instantOf } from '../run/instant.ts';
import { StateError } from '../store/state-error.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';

/** The log could not be read to its end, so that nothing is concluded. */
export class LogUnread extends Error {
  override readonly name = 'LogUnread';
}

/** The events by which the versions of a panel are explained. */
export type PanelEvents = ReturnType<typeof createPanelEvents>;

/** The events of the panels of one catalogue; those of one panel at a time are kept in memory. */
export function createPanelEvents(run: ProofOptions, book: ProofBook) {
  const { archive, states, history, state, clock, log, overlap } = run;
  const ratingsBefore = createRatingsBefore({ states, log });
  /** When the log was last read to its end, in milliseconds since the epoch. */
  let logReadAt = 0;
  let start: Instant | undefined;
  let known: { readonly panelId: number; readonly events: readonly PanelEvent[] } | null = null;
  /** Null where the catalogue does not serve the rows of the panel. */
  let earlier: { readonly panelId: number; readonly events: readonly PanelEvent[] | null } | null = null;

  let asked: { readonly panelId: number; readonly rows: readonly unknown[] | null } | null = null;
  /** Every row of the panel's own log, newest first; null where the catalogue does not serve them. */
  const rowsOf = async (panelId: number): Promise<readonly unknown[] | null> => {
    if (asked?.panelId !== panelId) asked = { panelId, rows: await archive.rows(panelId) };
    return asked.rows;
  };

  /** Once a day where the catalogue does not serve them. */
  const servedRows = async (panelId: number): Promise<readonly unknown[] | null> => {
    if (book.areRowsUnserved(panelId)) return null;
    const rows = await rowsOf(panelId);
    if (!rows) await book.noteRowsUnserved(panelId);
    return rows;
  };

  /** Since when the log is followed; now where it is not followed yet. */
  const followedSince = async (): Promise<Instant> => {
    start ??= (await run.state.load(overlap))?.position.start ?? instantOf(clock.now());
    return start;
  };

  /** What the poller published of late, by panel: an index of the history may lag behind. */
  let recent: ReadonlyMap<number, readonly PanelEvent[]> | null = null;

  const readRecent = async (): Promise<ReadonlyMap<number, readonly PanelEvent[]>> => {
    const { version, events } = await state.published(book.record.publications.before);
    book.followPublications(version);
    return Map.groupBy(
      events.map(({ event }) => event),
      ({ data }) => data.panel?.id ?? 0,
    );
  };

  const published = async (panelId: number): Promise<readonly PanelEvent[]> => {
    if (known?.panelId === panelId) return known.events;
    recent ??= await readRecent();
    // The last events without a row are kept beside the position, too.
    const silent = (await state.silent([panelId])).get(panelId) ?? [];
    const all = new Map([...silent, ...(recent.get(panelId) ?? [])].map((event) => [event.id, event]));
    const query = { catalogue: run.name, filter: { panels: [panelId] }, order: 'oldest' as const };
    for await (const event of history.find(query)) if (!isDisagreement(event)) all.set(event.id, event);
    const events = withoutCorrected([...all.values()]);
    known = { panelId, events };
    return events;
  };

  return {
    /** The events of a panel, as far as they are known, without those that were corrected. */
    async of(panelId: number): Promise<readonly PanelEvent[]> {
      const events = await published(panelId);
      return earlier?.panelId === panelId ? [...(earlier.events ?? []), ...events] : events;
    },
    /** Whether an event of a panel was published, and is not from before the log was followed. */
    isPublished: ({ id }: PanelEvent): boolean => !earlier?.events?.some((event) => event.id === id),
    /**
     * Reads the log, unless it was read at or after an instant.
     * @throws {LogUnread} where it could not be read to its end
     */
    async readLogSince(instant: Instant): Promise<void> {
      if (instantOf(logReadAt) >= instant) return;
      const { complete } = await run.readLog().catch(unreadWhereAnotherReads);
      if (!complete) throw new LogUnread('The log could not be read to its end');
      logReadAt = clock.now();
      known = null;
      recent = null;
    },
    /**
     * Adds the events of rows that were written before the log was followed, where a version may be explained by them.
     * @param from what happened before is of no interest
     * @returns `unknown` where there may be such rows, and the catalogue does not serve the rows of a panel
     * @throws {ArchivePaused} where no request may be sent
     */
    async addEarlier(panelId: number, from: Instant): Promise<'complete' | 'unknown'> {
      if (from >= (await followedSince()) + overlap + OPEN_TRANSACTION) return 'complete';
      if (earlier?.panelId !== panelId) {
        const rows = await servedRows(panelId);
        const catalogue = { name: run.name, url: run.url };
        const own = { rows: rows ?? [], published: await published(panelId), catalogue, ratingsBefore };
        earlier = { panelId, events: rows && (await earlierEvents(own)) };
      }
      return earlier.events ? 'complete' : 'unknown';
    },
    rows: rowsOf,
    followedSince,
    /** Forgets what it read: something was published. */
    forget(): void {
      known = null;
      recent = null;
    },
  };
}

/** Another run publishes at the same time: it reads what this one would have read. */
function unreadWhereAnotherReads(error: unknown): { readonly complete: false } {
  if (error instanceof StateError && error.code === 'STATE_CONFLICT') return { complete: false };
  throw error;
}

interface EarlierRows {
  /** The rows of one panel, as the catalogue serves them. */
  readonly rows: readonly unknown[];
  /** Events of the panel that were published. */
  readonly published: readonly PanelEvent[];
  readonly catalogue: { readonly name: string; readonly url: string };
  /** The ratings that kept states show before a row. */
  readonly ratingsBefore: RatingsBefore;
}

/**
 * The events of rows that no published event holds, oldest first: those from before the log was followed. They explain
 * versions of that time, and are never published.
 */
async function earlierEvents({
  rows,
  published,
  catalogue,
  ratingsBefore,
}: EarlierRows): Promise<readonly PanelEvent[]> {
  const keys = new Set(readLogRows(published.flatMap(({ data }) => data.activities)).map(({ key }) => key));
  const earlier = classifyLog(rows).filter(({ key }) => !keys.has(key));
  const known = createKnownStates();
  const events: PanelEvent[] = [];
  for (const chunk of chunksOfAll(earlier)) {
    const ratingBefore = await ratingsBefore(chunk, { entities: known.entities, silent: new Map() });
    const correlated = correlate(chunk, known, { catalogue, listing: null, ratingBefore });
    known.learn(correlated.learnt);
    events.push(...correlated.events);
  }
  return events;
}
