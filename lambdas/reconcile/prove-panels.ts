import { CatalogueError } from '../catalogue/http/access.ts';
import { versionsBetween } from '../events/order.ts';
import { idsOfFollowed } from '../filters/followed-panels.ts';
import { ArchivePaused } from '../panels/archive.ts';
import { type ArchiveRecord, loadArchiveRecord } from '../panels/archive-record.ts';
import { withLastStates } from '../panels/panel-state-store.ts';
import { isAhead, lastReached } from '../panels/panel-versions.ts';
import {
  type HiddenPanel,
  loadProofs,
  type ProofRecord,
  provenPercent,
  saveProofs,
  type UnprovenVersion,
  whyUnproven,
} from '../panels/proof-record.ts';
import type { VersionSummary } from '../panels/version-state.ts';
import { DAY_MS } from '../run/clock.ts';
import type { Listing } from '../store/listing.ts';
import { StateError } from '../store/state-error.ts';
import { areDoubtful, mayBecomeDoubtful } from './doubtful.ts';
import { createPanelEvents, LogUnread } from './panel-events.ts';
import { proveFromStart, provePanel } from './panel-prover.ts';
import { createProofBook, finishRecorded, isListedBefore } from './proof-book.ts';
import type { ProofOptions, ProofReport } from './proof-options.ts';
import { isDueAgain } from './prove-kept.ts';
import { readSignedOffStates } from './signed-off-states.ts';
import type { Proving } from './version-prover.ts';
import { createVersionReader } from './version-reader.ts';

/** A run, with what it begins with. */
interface Begun extends ProofOptions {
  /** The panels as they were listed last; null where they never were. */
  readonly listing: Listing | null;
  /** The newest version of each panel that was kept before the run. */
  readonly kept: ReadonlyMap<number, VersionSummary>;
}

/**
 * One run over the states of all panels. Panels that were never read are read as they are now: the baseline. Versions
 * that began since are read from the archive and compared with the state before and the events in between; what no
 * event leads to is published with `via: snapshot`. Then the earlier signed-off versions are read. The run ends where
 * nothing is left, or where no request may be sent.
 *
 * @throws {CatalogueError | StateError | HistoryError | PublishError} when it cannot go on; the next run does
 */
export async function provePanels(given: ProofOptions): Promise<ProofReport> {
  const options = { ...given, states: withLastStates(given.states) };
  const recorded = await finishRecorded(await loadProofs(options.documents), options);
  const { requests } = options.archive;
  const requestsSince = (): number => options.archive.requests - requests;
  const listing = await options.state.listing();
  const kept = new Map((await options.states.panels()).map((summary) => [summary.panelId, summary]));
  const run: Begun = { ...options, listing, kept };
  const record = await nameUnread(recorded, run);
  const due = duePanels(record, run.clock.now());
  const first = run.first && listing ? idsOfFollowed(run.first, listing.panels) : new Set<number>();
  const order = run.fromStart ?? readingOrder({ listing, kept, first, due });
  const unlisted = await unlistedPanels(run);
  const book = createProofBook(run, await withHidden(record, unlisted, run), unlisted);
  const waiting = await waitingPanels(order, run);
  const panels = listing?.panels.size ?? 0;
  const proving: Proving & Begun = {
    ...run,
    book,
    events: createPanelEvents(run, book),
    reader: createVersionReader({ ...run, book }),
    // Versions of years ago differ by more than those of a day.
    manyMayDiffer: () => !run.fromStart && mayBecomeDoubtful(book.record.compared, waiting, panels),
  };
  let left = order.length;
  const end = async (paused: Pick<ProofReport, 'outcome' | 'why' | 'until'>): Promise<ProofReport> => ({
    ...paused,
    ...book.counts,
    statesOff: isOff(await loadArchiveRecord(run.documents)),
    requests: requestsSince(),
    // The catalogue lists panels that it does not show, or answered an error for them.
    panelsLeft: paused.outcome === 'done' ? await panelsUnread(run) : left,
    refused: !run.fromStart && areDoubtful(book.record.compared, panels),
    ...reportOf(book.record, run.clock.now()),
  });
  const onRead = (panelId: number, panelsLeft: number): void => {
    left = panelsLeft;
    // One that was read and not compared yet may still differ.
    const isOwn = (one: UnprovenVersion): boolean => one.panelId === panelId && one.retryAt === 0;
    if (!book.record.unproven.some(isOwn)) waiting.delete(panelId);
    run.onProgress?.({ panelId, panelsLeft, requests: requestsSince() });
    run.signal?.throwIfAborted();
  };
  try {
    run.signal?.throwIfAborted();
    if (run.fromStart) {
      await readFromStart(run.fromStart, proving, onRead);
    } else {
      await proveEachPanel(order, proving, onRead);
      const onVersion = (versionsLeft: number): void =>
        run.onSignedOffProgress?.({ versionsLeft, requests: requestsSince() });
      await readSignedOffStates({ ...run, first, onRead: onVersion });
    }
  } catch (error) {
    if (error instanceof LogUnread) return end({ outcome: 'log-unread', why: error.message, until: null });
    if (!(error instanceof ArchivePaused)) throw error;
    return end({ outcome: 'paused', why: error.pause, until: error.until });
  }
  return end({ outcome: 'done', why: null, until: null });
}

/** Panels of which a version is to be asked for again. */
const duePanels = ({ unproven, unconfirmed }: ProofRecord, now: number): ReadonlySet<number> =>
  new Set([
    ...unproven.flatMap(({ panelId, retryAt }) => (retryAt > 0 && retryAt <= now ? [panelId] : [])),
    ...unconfirmed.flatMap((one) => (isDueAgain(one, now) ? [one.panelId] : [])),
    // Its rows are asked for once a day.
    ...unproven.flatMap(({ panelId, why }) => (why === whyUnproven.rowsUnserved ? [panelId] : [])),
  ]);

/** The record without the hidden panels that something has shown since: they may have got versions, and be hidden again. */
async function withHidden(
  record: ProofRecord,
  unlisted: readonly HiddenPanel[],
  { documents }: Begun,
): Promise<ProofRecord> {
  const hiddenPanels = record.hiddenPanels.filter(({ panelId, shownAt }) =>
    unlisted.some((one) => one.panelId === panelId && one.shownAt === shownAt),
  );
  // A run that notes nothing else would forget that it was shown.
  const isListedAgain = hiddenPanels.length < record.hiddenPanels.length;
  return isListedAgain ? saveProofs(documents, { ...record, hiddenPanels }) : record;
}

const isOff = ({ answered, off }: ArchiveRecord): boolean => answered && off !== null;

/** How many panels are listed of which no state is kept yet. */
async function panelsUnread({ states, listing, kept }: Begun): Promise<number> {
  const unread = [...(listing?.panels ?? [])].filter(
    ([id, { versions }]) => versions.length > 0 && !kept.has(id),
  );
  if (unread.length === 0) return 0;
  const since = new Set((await states.panels()).map(({ panelId }) => panelId));
  return unread.filter(([id]) => !since.has(id)).length;
}

/** Names the versions that panels certainly had since the last one that was reached: a proof counts them before it reads them. */
async function nameUnread(
  record: ProofRecord,
  { documents, states, clock, listing, kept }: Begun,
): Promise<ProofRecord> {
  const unread: UnprovenVersion[] = [];
  for (const [panelId, { name: panelName = '', versions }] of listing?.panels ?? []) {
    const [newest, last] = [versions[0], kept.get(panelId)];
    // The panel itself denied what the listing shows.
    if (listing && isListedBefore(record, panelId, listing)) continue;
    if (!newest || !last || (last.version === newest.version && !isAhead(last))) continue;
    const all = isAhead(last) ? await states.versions(panelId) : [last];
    const reached = lastReached(all);
    if (!reached || reached.validFrom >= newest.at) continue;
    for (const version of versionsBetween(reached.version, newest.version)) {
      const isThis = (one: UnprovenVersion): boolean => one.panelId === panelId && one.version === version;
      const known = record.unproven.find(isThis);
      const since = known?.since ?? clock.now();
      if (known?.why !== undefined && known.why !== whyUnproven.unread) continue;
      unread.push({ panelId, panelName, version, since, why: whyUnproven.unread, retryAt: 0 });
    }
  }
  const others = record.unproven.filter(({ why }) => why !== whyUnproven.unread);
  if (unread.length === 0 && others.length === record.unproven.length) return record;
  return saveProofs(documents, { ...record, unproven: [...others, ...unread] });
}

/** The panels with a version that has not been compared yet: this run reads it, or an earlier one did. */
async function waitingPanels(
  order: readonly number[],
  { listing, kept, states }: Begun,
): Promise<Set<number>> {
  const waiting = new Set<number>();
  for (const panelId of order) {
    const [own, listed] = [kept.get(panelId), listing?.panels.get(panelId)?.versions[0]];
    if (!own || !listed) continue;
    if (isAhead(own) && !lastReached(await states.versions(panelId))) continue;
    if (own.proof.kind === 'unproven' || own.version !== listed.version) waiting.add(panelId);
  }
  return waiting;
}

/** The panels that are kept and not listed, each with when a row or a listing showed it last. */
async function unlistedPanels({ listing, kept, state }: Begun): Promise<readonly HiddenPanel[]> {
  const unlisted = listing ? [...kept.keys()].filter((panelId) => !listing.panels.has(panelId)) : [];
  if (unlisted.length === 0) return [];
  const known = await state.panels(unlisted);
  return unlisted.map((panelId) => ({ panelId, shownAt: known.get(panelId)?.at ?? 0n, retryAt: 0 }));
}

function reportOf(
  record: ProofRecord,
  now: number,
): Pick<ProofReport, 'unproven' | 'unprovenForADay' | 'oldestUnproven' | 'percent'> {
  // Nothing was ever read: the catalogue serves no states, or the baseline is about to begin.
  if (record.since === null) return { oldestUnproven: null, unproven: 0, unprovenForADay: 0, percent: null };
  const [oldestUnproven = null] = record.unproven.toSorted((one, other) => one.since - other.since);
  return {
    oldestUnproven,
    unproven: record.unproven.length,
    unprovenForADay: record.unproven.filter(({ since }) => now - since >= DAY_MS).length,
    percent: provenPercent(record),
  };
}

/** Called after each panel, with how many are left. */
type OnRead = (panelId: number, panelsLeft: number) => void;

/**
 * Reads and proves every version of panels. The states of a super panel follow from those of its panels, so that these are
 * read too, and the super panels are proven last.
 * @throws {ArchivePaused | LogUnread} where that has to wait
 */
async function readFromStart(panels: readonly number[], proving: Proving, onRead: OnRead): Promise<void> {
  const wanted = new Set(panels);
  const superPanels: number[] = [];
  let read = 0;
  // A set is gone through with what is added to it meanwhile.
  for (const panelId of wanted) {
    await proveFromStart(panelId, proving);
    const held = (await proving.states.versions(panelId)).flatMap(({ childPanels }) => childPanels);
    if (held.length > 0) superPanels.push(panelId);
    for (const id of held) wanted.add(id);
    read += 1;
    onRead(panelId, wanted.size - read);
  }
  for (const panelId of superPanels) await provePanel(panelId, proving);
}

interface Panels extends Pick<Begun, 'listing' | 'kept'> {
  /** Panels to read first. */
  readonly first: ReadonlySet<number>;
  /** Panels of which a version is asked for again. */
  readonly due: ReadonlySet<number>;
}

/**
 * Ids of the panels with something to read or to prove: new versions before the baseline, subscribed panels before
 * others, and super panels last, because the states of their panels explain theirs. Of the panels that were never read,
 * the one whose version is newest comes first: its rows came last, and more may follow.
 */
export function readingOrder({ listing, kept, first, due }: Panels): readonly number[] {
  // A panel that is not listed any more may have got versions before: the archive may still serve them.
  const hidden = listing ? [...kept.keys()].filter((id) => !listing.panels.has(id)) : [];
  const listed = [...(listing?.panels ?? [])].flatMap(([id, { versions }]) => {
    const own = kept.get(id);
    const [listedLast] = versions;
    const isDone =
      own !== undefined &&
      own.version === listedLast?.version &&
      own.validFrom >= listedLast.at &&
      own.proof.kind !== 'unproven';
    const newest = own === undefined ? (versions[0]?.at ?? 0n) : 0n;
    return isDone && !due.has(id) ? [] : [{ id, own, newest, isSuper: (own?.childPanels.length ?? 0) > 0 }];
  });
  const rank = ({ id, own, isSuper }: (typeof listed)[number]): number =>
    (isSuper ? 4 : 0) + (own ? 0 : 2) + (first.has(id) ? 0 : 1);
  const inOrder = listed.sort(
    (one, other) => rank(one) - rank(other) || Number(other.newest - one.newest) || one.id - other.id,
  );
  return [...inOrder.map(({ id }) => id), ...hidden];
}

/** So many panels that fail one after the other show that the catalogue is out of order. */
const MOST_FAILING = 3;

/** Whether an error may be of one panel alone. */
const isOfPanel = (error: unknown): error is CatalogueError | StateError =>
  error instanceof CatalogueError
    ? error.condition !== 'DEADLINE'
    : error instanceof StateError && error.code === 'STATE_CORRUPT';

/**
 * Proves panels one after the other. One that cannot be read ends nothing: its version is named as unproven, with the error,
 * and the next run tries it again.
 * @throws {CatalogueError | StateError} where every panel that is asked for fails, or three in a row
 */
async function proveEachPanel(
  order: readonly number[],
  proving: Proving & Begun,
  onRead: OnRead,
): Promise<void> {
  const { listing, kept, book, archive, log } = proving;
  let failing: readonly unknown[] = [];
  let isServed = false;
  const name = async (panelId: number, why: string): Promise<void> => {
    const listed = listing?.panels.get(panelId);
    const version = listed?.versions[0]?.version;
    const own = kept.get(panelId);
    const isProven = own?.version === version && own?.proof.kind !== 'unproven';
    if (version !== undefined && !isProven) {
      await book.remain({ panelId, panelName: listed?.name ?? '', version }, why);
    }
  };
  for (const [index, panelId] of order.entries()) {
    const { requests } = archive;
    try {
      await provePanel(panelId, proving);
      // A panel that waits for its rows asks for nothing.
      if (archive.requests > requests) {
        failing = [];
        isServed = true;
      }
    } catch (error) {
      failing = [...failing, error];
      if (!isOfPanel(error) || failing.length === MOST_FAILING) throw error;
      log.warn('A panel could not be proven; the next run tries again', { panelId, reason: error.message });
      await name(panelId, `reading it failed: ${error.message}`);
    }
    onRead(panelId, order.length - index - 1);
  }
  const [error] = failing;
  if (!isServed && error !== undefined) throw error;
}
