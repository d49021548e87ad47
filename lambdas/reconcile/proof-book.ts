import { isSilent } from '../differences/difference.ts';
import type { PanelEvent } from '../events/schemas.ts';
import {
  type HiddenPanel,
  type PendingProof,
  type ProofRecord,
  saveProofs,
  type UnconfirmedVersion,
  type UnprovenVersion,
} from '../panels/proof-record.ts';
import type { Proof, VersionState, VersionSummary } from '../panels/version-state.ts';
import { toMessage } from '../publishing/message.ts';
import { DAY_MS, HOUR_MS } from '../run/clock.ts';
import { millisecondsOf } from '../run/instant.ts';
import type { Listing } from '../store/listing.ts';
import { eventsIn } from '../store/store.ts';
import type { ProofOptions } from './proof-options.ts';
import { publishFound } from './publish-found.ts';
import { lostBySetBack } from './set-back.ts';

/** The versions of a hidden panel that the catalogue does not serve are asked for over this time. */
const HIDDEN_MS = 7 * DAY_MS;

/** The most versions that are named as lost. */
const MOST_LOST = 100;

/** An index of a table shows what was published before this time, in milliseconds. */
const INDEXED_MS = 10 * 60 * 1000;

/** Lies of hours make readings about the same time doubtful. */
const LIE_MS = 4 * HOUR_MS;

/** A change without a row is found within this time of what was read of the version before it. */
const DENIED_MS = 7 * DAY_MS;

type Named = Pick<VersionSummary, 'panelId' | 'version'>;

const isSame =
  ({ panelId, version }: Named) =>
  (one: Named): boolean =>
    one.panelId === panelId && one.version === version;

const without = <Kept extends Named>(all: readonly Kept[], version: Named): Kept[] =>
  all.filter((one) => !isSame(version)(one));

/** Whether a panel was read since a listing, and still had the version that was kept of it. */
export const isListedBefore = (
  { listedBefore }: Pick<ProofRecord, 'listedBefore'>,
  panelId: number,
  { listedAt }: Pick<Listing, 'listedAt'>,
): boolean => listedBefore.listedAt === listedAt && listedBefore.panels.includes(panelId);

/** What is noted of the proofs of a run. */
export type ProofBook = ReturnType<typeof createProofBook>;

/**
 * Notes what a run proves, each note at once.
 * @param given what is kept of proofs, without recorded events
 * @param unlisted the panels that are kept and not listed
 */
export function createProofBook(run: ProofOptions, given: ProofRecord, unlisted: readonly HiddenPanel[]) {
  const { clock } = run;
  let record = given;
  const counts = { proven: 0, explained: 0, events: 0, corrected: 0 };
  const save = async (change: Partial<ProofRecord>): Promise<void> => {
    record = await saveProofs(run.documents, { ...record, ...change });
  };
  const isOfDay = ({ at }: { readonly at: number }): boolean => clock.now() - at < DAY_MS;
  /** When readings were denied, with one more of them. */
  const deniedAt = (at: number): number[] => [
    ...record.deniedReadings.filter((one) => one !== at && clock.now() - one < DENIED_MS),
    at,
  ];
  return {
    /** What is kept of proofs, as written last. */
    get record() {
      return record;
    },
    counts,
    /**
     * Notes that nothing proves a version yet.
     * @param why a clause for people
     * @param retryAt not asked for again before, in milliseconds since the epoch
     */
    async remain(
      { panelId, panelName, version }: Named & Pick<VersionSummary, 'panelName'>,
      why: string,
      retryAt = 0,
    ) {
      const own = { panelId, version };
      const known = record.unproven.find(isSame(own));
      if (known?.why === why && known.retryAt === retryAt) return;
      const since = known?.since ?? clock.now();
      const unproven: UnprovenVersion = { panelId, panelName, version, since, why, retryAt };
      await save({ unproven: [...without(record.unproven, own), unproven] });
    },
    /**
     * Publishes events, and notes the proof of a version. They are recorded first, so that a run that dies publishes the same ones again.
     * @param isUnconfirmed whether only states show a change of the version that was published, now or before, or its readings and all
     *   before may show one lie: it is read again later
     */
    async conclude(
      version: VersionSummary,
      proof: Proof,
      events: readonly PanelEvent[] = [],
      isUnconfirmed = false,
    ) {
      const { panelId, validFrom } = version;
      const since = record.since ?? clock.now();
      const messages = events.map((event) => toMessage(event));
      const counted = version.proof.kind !== 'unproven';
      const unconfirmed = isUnconfirmed ? version.sha256 : null;
      const pending = { panelId, version: version.version, validFrom, proof, counted, unconfirmed, messages };
      // Without events, a run that dies compares the version again, or has noted the proof. Then it must not stay named as unproven.
      const isRecorded = events.length > 0 || record.unproven.some(isSame(version));
      const begun = { ...record, since, pending };
      record = await finishPending(isRecorded ? await saveProofs(run.documents, begun) : begun, run);
      if (proof.kind === 'explained') counts.explained += 1;
      else counts.proven += 1;
      counts.events += events.length;
      counts.corrected += proof.kind === 'explained' ? (proof.corrected ?? 0) : 0;
    },
    /** Notes what was read of a published state again; null where it need not be read any more. */
    async noteReadAgain(
      version: UnconfirmedVersion,
      read: Pick<UnconfirmedVersion, 'readAt' | 'otherwise'> | null,
    ) {
      const others = without(record.unconfirmed, version);
      await save({
        unconfirmed: read ? [...others, { ...version, ...read }] : others,
        deniedReadings: read?.otherwise ? deniedAt(version.publishedAt) : record.deniedReadings,
      });
    },
    /**
     * Notes that a version of which nothing was published is to be read again a day after its first reading, where other states that were
     * read about that time were denied.
     */
    async doubtReading({ panelId, version, validFrom, sha256, readAt }: VersionState) {
      const publishedAt = millisecondsOf(readAt);
      const isNear = (at: number): boolean => Math.abs(at - publishedAt) < LIE_MS;
      if (!record.deniedReadings.some(isNear) || record.unconfirmed.some(isSame({ panelId, version })))
        return;
      const times = { publishedAt, readAt: clock.now(), otherwise: null };
      const one = { panelId, version, validFrom, sha256, ...times, isRefuted: false };
      await save({ unconfirmed: [...record.unconfirmed, one] });
    },
    /** Notes that what was published of a version is false, or was not read, so that those after it are to be compared again. */
    async refute(
      version: Named,
      since: readonly VersionSummary[],
      why = 'what was read of the version before it was false',
    ) {
      const now = clock.now();
      const isSince = (one: Named): boolean => since.some(isSame(one));
      const unproven = since.map(
        ({ panelId, panelName, version: number }): UnprovenVersion => ({
          ...{ panelId, panelName, version: number, since: now, why, retryAt: 0 },
        }),
      );
      await save({
        proven: record.proven - since.filter(({ proof }) => proof.kind !== 'unproven').length,
        unproven: [...record.unproven.filter((one) => !isSince(one)), ...unproven],
        unconfirmed: record.unconfirmed.map((one) =>
          isSame(version)(one) ? { ...one, isRefuted: true } : one,
        ),
      });
    },
    /** Whether what was published of a version is known to be false, and was not undone yet. */
    isRefuted: (version: VersionSummary): boolean =>
      record.unconfirmed.some((one) => one.isRefuted && isSame(version)(one)),
    /**
     * Names a version of a panel that nothing proves yet as one that nothing can prove any more, because it is from before its numbers went
     * back; without one, every version but those that the catalogue did not serve.
     */
    async loseUnproven(panelId: number, version?: string) {
      const isLost = (one: UnprovenVersion): boolean =>
        one.panelId === panelId && (version === undefined ? one.retryAt === 0 : one.version === version);
      const found = record.unproven.filter(isLost);
      if (found.length === 0) return;
      const lost = [...record.lost, ...found.map((one) => ({ ...one, why: lostBySetBack.why, retryAt: 0 }))];
      await save({ unproven: record.unproven.filter((one) => !isLost(one)), lost: lost.slice(-MOST_LOST) });
    },
    /** When a doubtful state was read first and last, and with which content. */
    doubt: (version: Named) => record.doubts.find(isSame(version)),
    /**
     * Notes that a state was read and waits for another reading.
     * @param denied what was read of it before, where that was something else: what else was read about that time may be a lie
     */
    async noteDoubt({ panelId, version, sha256 }: VersionState, denied?: VersionState) {
      const own = { panelId, version };
      const known = record.doubts.find((one) => isSame(own)(one) && one.sha256 === sha256);
      const now = clock.now();
      const doubt = { panelId, version, sha256, readAt: known?.readAt ?? now, readLastAt: now };
      await save({
        doubts: [...without(record.doubts, own), doubt],
        deniedReadings: denied ? deniedAt(millisecondsOf(denied.readAt)) : record.deniedReadings,
      });
    },
    /** Notes that a panel was compared, and whether it differs from its events; it is kept with the next note. */
    noteCompared(panelId: number, differs: boolean): void {
      const at = clock.now();
      const others = record.compared.filter((one) => one.panelId !== panelId && isOfDay(one));
      record = { ...record, compared: [...others, { panelId, at, differs }] };
    },
    /** Notes that so many panels differ that none is trusted; it is kept with the next note. */
    noteManyDiffer(): void {
      record = { ...record, manyDifferedAt: clock.now() };
    },
    /**
     * Notes that the versions of a panel that is not listed any more were read.
     * @param isServed whether the catalogue serves what is kept of it; else it is asked again each day of the first week
     */
    async noteHidden(panelId: number, isServed: boolean) {
      const now = clock.now();
      const others = record.hiddenPanels.filter((one) => one.panelId !== panelId);
      const hidden = unlisted
        .filter((one) => one.panelId === panelId)
        .map((one) => {
          const isLasting = now - millisecondsOf(one.shownAt) >= HIDDEN_MS;
          return { ...one, retryAt: isServed || isLasting ? 0 : now + DAY_MS };
        });
      await save({ hiddenPanels: [...others, ...hidden] });
    },
    /** Whether they were read, and nothing showed the panel since. */
    isReadHidden: (panelId: number): boolean =>
      record.hiddenPanels.some(
        (one) => one.panelId === panelId && (one.retryAt === 0 || one.retryAt > clock.now()),
      ),
    /** Notes that a panel still has the version that is kept, although a listing shows an older one. */
    async noteListedBefore(panelId: number, { listedAt }: Pick<Listing, 'listedAt'>) {
      const { listedBefore } = record;
      const others = listedBefore.listedAt === listedAt ? listedBefore.panels : [];
      await save({ listedBefore: { listedAt, panels: [...others, panelId] } });
    },
    /** Whether that was noted of this listing: the panel is not asked for again until the next one. */
    isListedBefore: (panelId: number, listing: Pick<Listing, 'listedAt'>): boolean =>
      isListedBefore(record, panelId, listing),
    /** Notes that the catalogue does not serve the rows of a panel. */
    async noteRowsUnserved(panelId: number) {
      const at = clock.now();
      const others = record.rowsUnserved.filter((one) => one.panelId !== panelId && isOfDay(one));
      await save({ rowsUnserved: [...others, { panelId, at }] });
    },
    /** Whether that was noted within a day: they are not asked for again before. */
    areRowsUnserved: (panelId: number): boolean =>
      record.rowsUnserved.some((one) => one.panelId === panelId && isOfDay(one)),
    /** Takes over up to where the poller's publications were read; it is kept with the next note. */
    followPublications(version: number): void {
      const at = clock.now();
      const { last } = record.publications;
      if (at - last.at < INDEXED_MS) return;
      record = { ...record, publications: { before: last.version, last: { version, at } } };
    },
  };
}

/**
 * Finishes what an earlier run recorded. Where it died before the poller knew of what it found, nothing of it was published, and rows
 * may have been since: the version is compared again.
 */
export async function finishRecorded(record: ProofRecord, run: ProofOptions): Promise<ProofRecord> {
  const { pending } = record;
  const found = eventsIn(pending?.messages ?? []).filter(({ data: { change } }) => isSilent(change));
  if (!pending || found.length === 0) return finishPending(record, run);
  const known = (await run.state.silent([pending.panelId])).get(pending.panelId) ?? [];
  const isKnown = found.some(({ id }) => known.some((one) => one.id === id));
  return isKnown ? finishPending(record, run) : { ...record, pending: null };
}

/** Publishes what was recorded, keeps its events, and notes the proof of its version. */
async function finishPending(record: ProofRecord, run: ProofOptions): Promise<ProofRecord> {
  const { pending } = record;
  if (!pending) return record;
  if (pending.messages.length > 0) {
    const found = eventsIn(pending.messages).filter(({ data: { change } }) => isSilent(change));
    const silent = new Map([[pending.panelId, found]]);
    // A row that shows up later adds nothing to what is published now. Ratings are looked up in the states themselves.
    const nothing = { ratings: new Map(), versions: new Map(), asOf: 0 };
    await run.state.learn({ ...nothing, origin: 'snapshot', at: pending.validFrom, silent });
    await publishFound(pending.messages, pending.validFrom, run);
  }
  await run.states.note(pending, { proof: pending.proof });
  return await saveProofs(run.documents, {
    ...record,
    pending: null,
    unproven: without(record.unproven, pending),
    doubts: without(record.doubts, pending),
    unconfirmed: [
      ...without(record.unconfirmed, pending),
      ...unconfirmedSince(pending, record, run.clock.now()),
    ],
    // A version that was proven as it was then is proven again at its end.
    proven: record.proven + (pending.counted ? 0 : 1),
  });
}

/**
 * A version of which a change was published that only states show is read again later. A reading that says the same adds to
 * those before it: the last one is a day after the publication.
 */
function unconfirmedSince(
  { panelId, version, validFrom, unconfirmed: sha256, messages }: PendingProof,
  { unconfirmed }: ProofRecord,
  now: number,
): readonly UnconfirmedVersion[] {
  if (sha256 === null) return [];
  const known = unconfirmed.find(isSame({ panelId, version }));
  if (!known || known.isRefuted || messages.length > 0) {
    const times = { publishedAt: now, readAt: now, otherwise: null };
    return [{ panelId, version, validFrom, sha256, ...times, isRefuted: false }];
  }
  return now - known.publishedAt >= DAY_MS ? [] : [{ ...known, sha256, readAt: now, otherwise: null }];
}
