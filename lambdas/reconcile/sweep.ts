import { ServiceError } from '../catalogue/http/service-error.ts';
import { comparePanel } from '../differences/compare.ts';
import { difference } from '../differences/difference.ts';
import { notBeforeOf } from '../poll/poll.ts';
import { aloneAnyway } from '../poll/poll-alone.ts';
import type { SearchRequest } from '../poll/poll-options.ts';
import { type Instant, instantOf, parseInstant } from '../run/instant.ts';
import { countIfDue, isCountDue } from './completeness.ts';
import {
  byPanel,
  eventsSince,
  type FollowedListings,
  followedTo,
  type ListedTwice,
  panelsOfListings,
  type Visibility,
} from './differences-of.ts';
import { factsOfSnapshot, withVersionsSeen } from './facts-of-snapshot.ts';
import type { KnownPanel } from './listed.ts';
import { acceptable, refusalOf, waitForLaterSweep } from './listing-guard.ts';
import { knownAfter, publishRecordedChunk, publishUnexplained } from './publish-unexplained.ts';
import {
  loadReading,
  noPages,
  ReadingInterrupted,
  type ReadListings,
  readListings,
  type StoredReading,
  saveReading,
} from './read-listings.ts';
import {
  createSweepReport,
  listingRequestsOfSweep,
  type Refusal,
  type SweepOptions,
  type SweepReport,
  type SweepRun,
} from './sweep-report.ts';
import { loadSweep, type StoredSweep, saveSweep } from './sweep-state.ts';

/** A quiet listing is stored again after a day, so that the facts of panels do not look old. */
const RENEW_MS = 24 * 60 * 60 * 1000;

/**
 * One sweep. It reads the listings of panels and regions, compares them with the stored ones, and publishes what
 * changed without a row in the activity log. The log is read after the listings, so that every row about a listed
 * change is known. A chunk is recorded before it is published, and the stored listing advances after it.
 *
 * @throws {CatalogueError | StateError | HistoryError | PublishError} when it cannot go on; the stored listing then
 *   still shows what was not published
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  const run = { ...options, report: createSweepReport() };
  const stored = await finishRecordedChunk(await loadSweep(run.documents), run);
  const { documents, clock } = run;
  let reading = await loadReading(documents, clock);
  if (reading.notBefore > clock.now()) return postpone(reading.notBefore, run);
  const { pages } = reading;
  const resumed = pages.panels.size + pages.regions.size > 0;
  try {
    // The listings contain what was published before they were read, and perhaps what was published meanwhile.
    if (stored && !resumed) await readLogFirst(run);
    const published = await run.state.published(stored?.readTo ?? 0);
    if (!resumed) reading = { ...reading, publishedTo: published.version };
    const { publishedTo } = reading;
    const requests = run.listingRequests ?? listingRequestsOfSweep;
    const listings = await readListings({ ...run, pages, requests });
    reading = { ...reading, notBefore: 0, pages: noPages() };
    if (resumed) reading = await saveReading(documents, clock, reading);
    const events = byPanel(published, publishedTo);
    const ended = await compareListings(stored, { ...listings, publishedTo, events }, run);
    if (stored && ended.outcome === 'refused') await keepVersionsSeen(stored, listings, run);
    return ended;
  } catch (error) {
    return await interrupt(error, reading, run);
  }
}

/** Ends a sweep for now: the catalogue accepts no request before then. */
function postpone(notBefore: number, { report }: SweepRun): SweepReport {
  report.note({ notBefore });
  return report.end('postponed');
}

/** Reads the log before the listings; what goes wrong then is said by the reading after them, where it matters. */
async function readLogFirst({ readLog, log }: SweepRun): Promise<void> {
  try {
    await readLog(null);
  } catch (error) {
    log.warn('The log could not be read before the listings; panels with new rows wait for the next sweep', {
      error,
    });
  }
}

/** Ends a sweep that cannot read the listings to their end, and keeps the pages that it read for the next one. */
async function interrupt(error: unknown, reading: StoredReading, run: SweepRun): Promise<SweepReport> {
  const { documents, clock, log, report } = run;
  const until = notBeforeOf(error);
  const interrupted = error instanceof ReadingInterrupted;
  if (!interrupted && !(error instanceof ServiceError)) throw error;
  const { panels, regions } = reading.pages;
  if (panels.size + regions.size > 0 || until !== null) {
    await saveReading(documents, clock, { ...reading, notBefore: until ?? 0 });
  }
  const pagesRead = { panels: panels.size, regions: regions.size };
  if (until !== null) {
    log.warn(
      'The catalogue asks to wait longer than this sweep lasts; the next one goes on from these pages',
      {
        until: new Date(until).toISOString(),
        ...pagesRead,
      },
    );
    return postpone(until, run);
  }
  if (!interrupted) throw error;
  log.warn(
    'The listings are longer than one sweep may read; the next one goes on from these pages',
    pagesRead,
  );
  return report.end('interrupted');
}

async function compareListings(
  stored: StoredSweep | null,
  listings: FollowedListings,
  run: SweepRun,
): Promise<SweepReport> {
  const { report } = run;
  report.note({ panels: listings.panels.length, regions: listings.regionCount });
  if (!stored) return await keepBaseline(listings, run);

  const refusal = refusalOf({ stored, listings }, run.shrunkenPercent);
  if (refusal && !(run.accept && acceptable.has(refusal))) return refuse(refusal, listings, run);
  if (refusal === 'renumbered') return await keepBaseline(listings, run, stored.version);
  const { snapshot } = stored;
  const found = panelsOfListings(snapshot, listings).filter((panel) => {
    const { id, before, after, differs } = panel;
    const events = eventsSince(snapshot.panels.get(id), listings.events.get(id));
    if (differs || events.length === 0) return differs;
    return comparePanel({ before, events, after, via: 'listing' }).differences.length > 0;
  });
  report.note({ changedPanels: found.length });
  if (found.length === 0) return await endQuietly(stored, listings, run);
  const { awaited: before = [] } = stored;
  const appeared = found.flatMap(({ id, visibility }) =>
    visibility === 'new' ? [{ id, differences: [difference('panel.published', { via: 'listing' })] }] : [],
  );
  const wait = await waitForLaterSweep(appeared, { stored, listings }, run);
  if (wait) return wait;
  explainRows(found, run);
  const log = await run.readLog(searchRequestOf(found, before));
  if (!log.complete) return report.end('log-unread');
  // Changes made while a panel was hidden are reported from the log, once their rows are found.
  const returned = found.filter(({ visibility }) => visibility === 'returned').map(({ id }) => id);
  const awaited = log.searching && returned.length > 0 ? returned : undefined;
  const compared = { stored: { ...stored, awaited }, listings };
  const { alone = aloneAnyway } = run;
  return await alone((keep) => publishUnexplained(found, compared, { ...run, keep }));
}

/** Ends a sweep whose listing cannot be trusted; the stored one stays. */
function refuse(
  refusal: Refusal,
  { panels, regionCount }: ReadListings,
  { log, report }: SweepRun,
): SweepReport {
  log.warn('The listing of the panels is not trusted; nothing is concluded from it', {
    refusal,
    panels: panels.length,
    regions: regionCount,
  });
  return report.end('refused', refusal);
}

/** Lets the proofs read what a listing shows of the versions of panels, although it is not trusted. */
async function keepVersionsSeen(
  { snapshot }: StoredSweep,
  listings: ReadListings,
  { state }: SweepRun,
): Promise<void> {
  const known = await state.listing();
  const seen = known && withVersionsSeen(known, snapshot, listings);
  if (seen) await state.saveListing(seen);
}

/** Logs which panels explain that the log has more rows, or fewer. */
function explainRows(found: readonly ListedTwice[], { log }: SweepRun): void {
  const named = (wanted: Visibility): readonly string[] =>
    found.flatMap(({ visibility, known: { panel } }) =>
      visibility === wanted ? [`${panel.name} (${panel.id})`] : [],
    );
  const [returned, appeared, vanished] = [named('returned'), named('new'), named('vanished')];
  if (returned.length + appeared.length > 0) {
    log.info('Panels appeared, and their rows in the log; those that were not published are searched', {
      returned,
      new: appeared,
    });
  }
  if (vanished.length > 0) log.info('Panels vanished, and their rows from the log', { vanished });
}

/** Publishes the chunk that an earlier run recorded and may have published, exactly as recorded. */
async function finishRecordedChunk(stored: StoredSweep | null, run: SweepRun): Promise<StoredSweep | null> {
  if (!stored?.pending) return stored;
  const { alone = aloneAnyway } = run;
  const sent = await alone(() => publishRecordedChunk(stored, run, true));
  return sent.stored;
}

/** Stores a listing with which the next sweep compares its own: the first one, or one that a person accepted. */
async function keepBaseline(listings: FollowedListings, run: SweepRun, version = 0): Promise<SweepReport> {
  const { report } = run;
  if (!listings.complete || listings.panels.length === 0) {
    return report.end('refused', listings.complete ? 'empty' : 'incomplete');
  }
  const panels = listings.panels.map((panel): readonly [number, KnownPanel] => [
    panel.id,
    { panel, regions: [...(listings.regions.get(panel.id) ?? [])] },
  ]);
  const snapshot = { listedAt: listings.listedAt, panels: new Map(panels) };
  const completeness = await countIfDue(undefined, snapshot, run);
  const readTo = listings.publishedTo;
  await saveSweep(run.documents, { version, snapshot, readTo, pending: null, completeness });
  await run.state.saveListing(factsOfSnapshot(snapshot));
  const { listedAt } = listings;
  const mark = (await run.state.load(0n))?.position.mark;
  // What a version shows that is newer than the newest row which was read may be what a later row says.
  const isRead = ({ panel }: KnownPanel): boolean =>
    mark === undefined || (parseInstant(panel.versionCreated) ?? mark) <= mark;
  const known = [...snapshot.panels.values()].filter(isRead);
  await run.state.learn(knownAfter({ panels: known, messages: [], listedAt, asOf: readTo }));
  return report.end('baseline');
}

async function endQuietly(
  stored: StoredSweep,
  listings: FollowedListings,
  run: SweepRun,
): Promise<SweepReport> {
  const { listedAt } = listings;
  const isOld = listedAt - stored.snapshot.listedAt >= RENEW_MS;
  // What waited is listed as before: a later sweep that sees it again is the first one.
  const waited = (stored.held ?? []).length > 0;
  if (waited || isOld || isCountDue(stored.completeness, listedAt)) {
    const followed = followedTo({ stored, listings });
    const { snapshot } = followed;
    const completeness = await countIfDue(stored.completeness, snapshot, run);
    await saveSweep(run.documents, { ...followed, completeness, held: undefined });
    await run.state.saveListing(factsOfSnapshot(snapshot));
  }
  return run.report.end('quiet');
}

/** A row that was written shortly before a panel was hidden may not have been read either. */
const MARGIN: Instant = instantOf(60 * 60 * 1000);

/**
 * The search of the log after panels appeared or vanished; null where none did. A panel that came back shows, unless its
 * rows are searched already, the rows that were written since it was listed last. Of a panel that is
 * new, every row showed up. A panel that vanished takes its rows with it, which can hide that other rows showed up.
 */
function searchRequestOf(found: readonly ListedTwice[], awaited: readonly number[]): SearchRequest | null {
  const returned = found.filter(({ id, visibility }) => visibility === 'returned' && !awaited.includes(id));
  const newPanels = found.some(({ visibility }) => visibility === 'new');
  const vanished = found.some(({ visibility }) => visibility === 'vanished');
  if (returned.length === 0 && !newPanels && !vanished) return null;
  const hiddenSince = returned.flatMap(({ since }) => (since === null ? [] : [since]));
  return {
    since: hiddenSince.length === 0 ? null : instantOf(Math.min(...hiddenSince)) - MARGIN,
    newPanels,
    explains: { more: returned.length > 0, fewer: vanished },
  };
}
