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
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import { toMessage } from '../publishing/to-message.ts';
import { DAY_MS, HOUR_MS } from '../run/clock.ts';
import { millisecondsOf } from '../run/instant.ts';
import type { Listing } from '../store/listing.ts';
import { eventsIn } from '../store/store.ts';
import type { ProofOptions, ProofReport } from './proof-options.ts';
import { lostBySetBack } from './set-back.ts';

/** What is noted of the proofs of a run. */
export interface ProofBook {
  /** What is kept of proofs, as written last. */
  readonly record: ProofRecord;
  readonly counts: Pick<ProofReport, 'proven' | 'explained' | 'events' | 'corrected'>;
  /**
   * Notes that nothing proves a version yet.
   * @param why a clause for people
   * @param retryAt not asked for again before, in milliseconds since the epoch
   */
  remain(
    version: Pick<VersionSummary, 'panelId' | 'panelName' | 'version'>,
    why: string,
    retryAt?: number,
  ): Promise<void>;
  /**
   * Publishes events, and notes the proof of a version.
   * @param isUnconfirmed whether only states show a change of the version that was published, now or before, or its readings and all
   *   before may show one lie: it is read again later
   */
  conclude(
    version: VersionSummary,
    proof: Proof,
    events?: readonly PanelEvent[],
    isUnconfirmed?: boolean,
  ): Promise<void>;
  /** Notes what was read of a published state again; null where it need not be read any more. */
  noteReadAgain(
    version: UnconfirmedVersion,
    read: Pick<UnconfirmedVersion, 'readAt' | 'otherwise'> | null,
  ): Promise<void>;
  /**
   * Notes that a version of which nothing was published is to be read again a day after its first reading, where other states that were
   * read about that time were denied.
   */
  doubtReading(version: VersionState): Promise<void>;
  /** Notes that what was published of a version is false, or was not read, so that those after it are to be compared again. */
  refute(
    version: Pick<VersionSummary, 'panelId' | 'version'>,
    since: readonly VersionSummary[],
    why?: string,
  ): Promise<void>;
  /** Whether what was published of a version is known to be false, and was not undone yet. */
  isRefuted(version: VersionSummary): boolean;
  /** When a doubtful state was read first and last, and with which content. */
  doubt(version: VersionSummary): ProofRecord['doubts'][number] | undefined;
  /**
   * Names a version of a panel that nothing proves yet as one that nothing can prove any more, because it is from before its numbers went
   * back; without one, every version but those that the catalogue did not serve.
   */
  loseUnproven(panelId: number, version?: string): Promise<void>;
  /**
   * Notes that a state was read and waits for another reading.
   * @param denied what was read of it before, where that was something else: what else was read about that time may be a lie
   */
  noteDoubt(state: VersionState, denied?: VersionState): Promise<void>;
  /** Notes that a panel was compared, and whether it differs from its events; it is kept with the next note. */
  noteCompared(panelId: number, differs: boolean): void;
  /** Notes that so many panels differ that none is trusted; it is kept with the next note. */
  noteManyDiffer(): void;
  /**
   * Notes that the versions of a panel that is not listed any more were read.
   * @param isServed whether the catalogue serves what is kept of it; else it is asked again each day of the first week
   */
  noteHidden(panelId: number, isServed: boolean): Promise<void>;
  /** Whether they were read, and nothing showed the panel since. */
  isReadHidden(panelId: number): boolean;
  /** Notes that a panel still has the version that is kept, although a listing shows an older one. */
  noteListedBefore(panelId: number, listing: Pick<Listing, 'listedAt'>): Promise<void>;
  /** Whether that was noted of this listing: the panel is not asked for again until the next one. */
  isListedBefore(panelId: number, listing: Pick<Listing, 'listedAt'>): boolean;
  /** Notes that the catalogue does not serve the rows of a panel. */
  noteRowsUnserved(panelId: number): Promise<void>;
  /** Whether that was noted within a day: they are not asked for again before. */
  areRowsUnserved(panelId: number): boolean;
  /** Takes over up to where the poller's publications were read; it is kept with the next note. */
  followPublications(version: number): void;
}

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

/** Whether a panel was read since a listing, and still had the version that was kept of it. */
export const isListedBefore = (
  { listedBefore }: Pick<ProofRecord, 'listedBefore'>,
  panelId: number,
  { listedAt }: Pick<Listing, 'listedAt'>,
): boolean => listedBefore.listedAt === listedAt && listedBefore.panels.includes(panelId);

/**
 * @param given what is kept of proofs, without recorded events
 * @param unlisted the panels that are kept and not listed
 */
export function createProofBook(
  run: ProofOptions,
  given: ProofRecord,
  unlisted: readonly HiddenPanel[],
): ProofBook {
  let record = given;
  const counts = { proven: 0, explained: 0, events: 0, corrected: 0 };
  const isOfDay = ({ at }: { readonly at: number }): boolean => run.clock.now() - at < DAY_MS;
  /** When readings were denied, with one more of them. */
  const deniedAt = (at: number): number[] => [
    ...record.deniedReadings.filter((one) => one !== at && run.clock.now() - one < DENIED_MS),
    at,
  ];
  return {
    get record() {
      return record;
    },
    counts,
    async remain({ panelId, panelName, version }, why, retryAt = 0) {
      const isThis = isSame({ panelId, version });
      const known = record.unproven.find(isThis);
      if (known?.why === why && known.retryAt === retryAt) return;
      const since = known?.since ?? run.clock.now();
      const unproven: UnprovenVersion = { panelId, panelName, version, since, why, retryAt };
      record = await saveProofs(run.documents, {
        ...record,
        unproven: [...record.unproven.filter((one) => !isThis(one)), unproven],
      });
    },
    async conclude(version, proof, events = [], isUnconfirmed = false) {
      const since = record.since ?? run.clock.now();
      record = await concludeVersion({ version, proof, events, isUnconfirmed }, { ...record, since }, run);
      if (proof.kind === 'explained') counts.explained += 1;
      else counts.proven += 1;
      counts.events += events.length;
      counts.corrected += proof.kind === 'explained' ? (proof.corrected ?? 0) : 0;
    },
    async noteReadAgain(version, read) {
      const others = record.unconfirmed.filter((one) => !isSame(version)(one));
      const unconfirmed = read ? [...others, { ...version, ...read }] : others;
      const deniedReadings = read?.otherwise ? deniedAt(version.publishedAt) : record.deniedReadings;
      record = await saveProofs(run.documents, { ...record, unconfirmed, deniedReadings });
    },
    async doubtReading({ panelId, version, validFrom, sha256, readAt }) {
      const publishedAt = millisecondsOf(readAt);
      const isNear = (at: number): boolean => Math.abs(at - publishedAt) < LIE_MS;
      if (!record.deniedReadings.some(isNear) || record.unconfirmed.some(isSame({ panelId, version })))
        return;
      const times = { publishedAt, readAt: run.clock.now(), otherwise: null };
      const one = { panelId, version, validFrom, sha256, ...times, isRefuted: false };
      record = await saveProofs(run.documents, { ...record, unconfirmed: [...record.unconfirmed, one] });
    },
    async refute(version, since, why = 'what was read of the version before it was false') {
      const now = run.clock.now();
      const isSince = (one: Named): boolean => since.some(isSame(one));
      record = await saveProofs(run.documents, {
        ...record,
        proven: record.proven - since.filter(({ proof }) => proof.kind !== 'unproven').length,
        unproven: [
          ...record.unproven.filter((one) => !isSince(one)),
          ...since.map(({ panelId, panelName, version: number }) => ({
            panelId,
            panelName,
            version: number,
            since: now,
            why,
            retryAt: 0,
          })),
        ],
        unconfirmed: record.unconfirmed.map((one) =>
          isSame(version)(one) ? { ...one, isRefuted: true } : one,
        ),
      });
    },
    async loseUnproven(panelId, version) {
      const isLost = (one: UnprovenVersion): boolean =>
        one.panelId === panelId && (version === undefined ? one.retryAt === 0 : one.version === version);
      const found = record.unproven.filter(isLost);
      if (found.length === 0) return;
      const lost = [...record.lost, ...found.map((one) => ({ ...one, why: lostBySetBack.why, retryAt: 0 }))];
      record = await saveProofs(run.documents, {
        ...record,
        unproven: record.unproven.filter((one) => !isLost(one)),
        lost: lost.slice(-MOST_LOST),
      });
    },
    isRefuted: (version) => record.unconfirmed.some((one) => one.isRefuted && isSame(version)(one)),
    doubt: (version) => record.doubts.find(isSame(version)),
    noteCompared(panelId, differs) {
      const at = run.clock.now();
      const others = record.compared.filter((one) => one.panelId !== panelId && isOfDay(one));
      record = { ...record, compared: [...others, { panelId, at, differs }] };
    },
    noteManyDiffer() {
      record = { ...record, manyDifferedAt: run.clock.now() };
    },
    isReadHidden: (panelId) =>
      record.hiddenPanels.some(
        (one) => one.panelId === panelId && (one.retryAt === 0 || one.retryAt > run.clock.now()),
      ),
    async noteHidden(panelId, isServed) {
      const now = run.clock.now();
      const isOwn = (one: HiddenPanel): boolean => one.panelId === panelId;
      const others = record.hiddenPanels.filter((one) => !isOwn(one));
      const hidden = unlisted.filter(isOwn).map((one) => {
        const isLasting = now - millisecondsOf(one.shownAt) >= HIDDEN_MS;
        return { ...one, retryAt: isServed || isLasting ? 0 : now + DAY_MS };
      });
      const hiddenPanels = [...others, ...hidden];
      record = await saveProofs(run.documents, { ...record, hiddenPanels });
    },
    isListedBefore: (panelId, listing) => isListedBefore(record, panelId, listing),
    async noteListedBefore(panelId, { listedAt }) {
      const { listedBefore } = record;
      const others = listedBefore.listedAt === listedAt ? listedBefore.panels : [];
      record = await saveProofs(run.documents, {
        ...record,
        listedBefore: { listedAt, panels: [...others, panelId] },
      });
    },
    async noteRowsUnserved(panelId) {
      const at = run.clock.now();
      const others = record.rowsUnserved.filter((one) => one.panelId !== panelId && isOfDay(one));
      record = await saveProofs(run.documents, { ...record, rowsUnserved: [...others, { panelId, at }] });
    },
    areRowsUnserved: (panelId) => record.rowsUnserved.some((one) => one.panelId === panelId && isOfDay(one)),
    followPublications(version) {
      const at = run.clock.now();
      const { last } = record.publications;
      if (at - last.at < INDEXED_MS) return;
      record = { ...record, publications: { before: last.version, last: { version, at } } };
    },
    async noteDoubt({ panelId, version, sha256 }, denied) {
      const isThis = isSame({ panelId, version });
      const known = record.doubts.find((one) => isThis(one) && one.sha256 === sha256);
      const now = run.clock.now();
      const doubt = { panelId, version, sha256, readAt: known?.readAt ?? now, readLastAt: now };
      const doubts = [...record.doubts.filter((one) => !isThis(one)), doubt];
      const deniedReadings = denied ? deniedAt(millisecondsOf(denied.readAt)) : record.deniedReadings;
      record = await saveProofs(run.documents, { ...record, doubts, deniedReadings });
    },
  };
}

interface Conclusion {
  readonly version: VersionSummary;
  readonly proof: Proof;
  readonly events: readonly PanelEvent[];
  /**
   * Whether a change of the version was published, now or before, that only states show, or all that was read of the panel may show one
   * lie.
   */
  readonly isUnconfirmed: boolean;
}

/** Notes the proof of a version. Its events are recorded first, so that a run that dies publishes the same ones again. */
async function concludeVersion(
  { version, proof, events, isUnconfirmed }: Conclusion,
  record: ProofRecord,
  run: ProofOptions,
): Promise<ProofRecord> {
  const { panelId, validFrom } = version;
  const messages = events.map((event) => toMessage(event));
  const counted = version.proof.kind !== 'unproven';
  const unconfirmed = isUnconfirmed ? version.sha256 : null;
  const pending = { panelId, version: version.version, validFrom, proof, counted, unconfirmed, messages };
  // Without events, a run that dies compares the version again, or has noted the proof. Then it must not stay named as unproven.
  const isNamed = record.unproven.some((one) => one.panelId === panelId && one.version === version.version);
  const recorded =
    events.length > 0 || isNamed ? await saveProofs(run.documents, { ...record, pending }) : record;
  return await finishPending({ ...recorded, pending }, run);
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
    const published = await publishOrQuarantine(pending.messages, run);
    // States settle no row of the log, so that the period they cover is empty.
    const at = pending.validFrom;
    await run.history.append(published, { catalogue: run.name, since: at, until: at });
    run.onPublished?.(published);
  }
  await run.states.note(pending, { proof: pending.proof });
  const isVersion = (one: { readonly panelId: number; readonly version: string }): boolean =>
    one.panelId === pending.panelId && one.version === pending.version;
  return await saveProofs(run.documents, {
    ...record,
    pending: null,
    unproven: record.unproven.filter((one) => !isVersion(one)),
    doubts: record.doubts.filter((one) => !isVersion(one)),
    unconfirmed: [
      ...record.unconfirmed.filter((one) => !isVersion(one)),
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
  const known = unconfirmed.find((one) => one.panelId === panelId && one.version === version);
  if (!known || known.isRefuted || messages.length > 0) {
    const times = { publishedAt: now, readAt: now, otherwise: null };
    return [{ panelId, version, validFrom, sha256, ...times, isRefuted: false }];
  }
  return now - known.publishedAt >= DAY_MS ? [] : [{ ...known, sha256, readAt: now, otherwise: null }];
}
