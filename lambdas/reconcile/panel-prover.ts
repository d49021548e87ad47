import type { PanelStateStore } from '../panels/panel-state-store.ts';
import {
  byBeginning,
  highestOf,
  isAhead,
  lastReached,
  proofBeside,
  versionsAfter,
} from '../panels/panel-versions.ts';
import { notCompared, type VersionState, type VersionSummary } from '../panels/version-state.ts';
import type { Listing } from '../store/listing.ts';
import { createConfirmPublished } from './confirm-published.ts';
import { createNewVersions } from './new-versions.ts';
import { createPanelEvents, type PanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { begunAnewAfter, isLost, lostBySetBack } from './set-back.ts';
import { createVersionProver, type VersionProver } from './version-prover.ts';
import { createVersionReader, type VersionReader } from './version-reader.ts';

/** Reads and proves panels one after the other. */
export interface PanelProver {
  /**
   * Reads the versions of a panel that are not kept, and proves those that can be.
   * @throws {ArchivePaused} where no request may be sent
   * @throws {LogUnread} where the log has to be read first
   */
  prove(panelId: number): Promise<void>;
  /** Reads every version of a panel that the archive has, from its first one. */
  readFromStart(panelId: number): Promise<void>;
}

interface PanelProverParts {
  readonly run: ProofOptions;
  readonly book: ProofBook;
  readonly listing: Listing | null;
  /** Whether so many panels differ, or may differ, that none of them is trusted at its first reading. */
  readonly manyMayDiffer: () => boolean;
}

/** Reads the states of panels, and proves what can be proven. Panels whose log is unread end the run with an error. */
export function createPanelProver({ run, book, listing, manyMayDiffer }: PanelProverParts): PanelProver {
  const { archive, states, clock } = run;
  const events = createPanelEvents(run, book);
  const reader = createVersionReader({ run, book, listing });
  const prover = createVersionProver({ run, book, events, listing, manyMayDiffer, ask: reader.again });
  const proveKept = createProveKept({ states, book, reader, prover });
  const readNewVersions = createNewVersions({ run, book, events, listing, reader, proveKept });
  const readArchived = createReadArchived({ archive, states, events, listing });

  const confirmPublished = createConfirmPublished({ ...run, book, prover, ask: reader.again });

  const keepLate = async (state: VersionState, kept: readonly VersionSummary[]): Promise<void> => {
    await states.save({ ...state, proof: proofBeside(kept, state, notCompared) });
    await book.remain(state, notCompared.why);
  };

  /** Keeps a version that is read late, from before the numbers of its panel went back. */
  const keepLost = async (state: VersionState): Promise<void> => {
    await states.save({ ...state, proof: lostBySetBack });
    await book.loseUnproven(state.panelId, state.version);
  };

  /** Keeps the versions between one that is read late and the next one that is kept: nothing announced them. */
  const keepFollowing = async (
    late: VersionState,
    next: VersionSummary,
    keep: (state: VersionState) => Promise<void>,
  ): Promise<void> => {
    for (const { text, isGap } of versionsAfter({ after: late.version, upTo: next.version, known: [] })) {
      if (text === next.version) return;
      const isNamed = book.record.unproven.some(
        (one) => one.panelId === late.panelId && one.version === text,
      );
      const answer = isNamed ? null : await reader.archived(late.panelId, text);
      const state = answer?.kind === 'state' ? answer.state : null;
      isGap(isNamed || state !== null);
      if (state && byBeginning(late, state) < 0 && byBeginning(state, next) < 0) await keep(state);
    }
  };

  /** Asks again for versions that the catalogue did not serve. */
  const retryMissing = async (panelId: number): Promise<void> => {
    const due = book.record.unproven.filter(
      (one) => one.panelId === panelId && one.retryAt > 0 && one.retryAt <= clock.now(),
    );
    for (const version of due) {
      const state = await reader.version(version);
      if (!state) continue;
      const kept = await states.versions(panelId);
      const known = kept.find((one) => one.version === state.version && one.validFrom === state.validFrom);
      // What came after it was compared with the version before it.
      const next = kept.find((one) => byBeginning(state, one) < 0);
      const anew = kept.findLast((one) => begunAnewAfter(one) !== undefined);
      if (anew && state.validFrom < anew.validFrom) {
        if (known) await book.loseUnproven(panelId, state.version);
        else await keepLost(state);
        if (!known && next) await keepFollowing(state, next, keepLost);
        continue;
      }
      if (known?.source === 'archive' && known.proof.kind !== 'unproven') {
        await book.conclude(known, known.proof);
        continue;
      }
      // What was read before the version ended is compared with its archive: saved over it, a change in between would be lost.
      if (known?.source === 'present') await book.remain(state, notCompared.why);
      else await keepLate(state, kept);
      if (known || !next) continue;
      await keepFollowing(state, next, (one) => keepLate(one, kept));
      if (next.proof.kind === 'unproven') continue;
      await book.refute(state, [next], 'the version before it was read after it');
      await states.note(next, { proof: notCompared });
    }
  };

  return {
    async prove(panelId) {
      await retryMissing(panelId);
      await confirmPublished(panelId);
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
    async readFromStart(panelId) {
      await readArchived(panelId);
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
  };
}

interface ArchivedParts extends Pick<ProofOptions, 'archive' | 'states'> {
  readonly events: Pick<PanelEvents, 'of'>;
  readonly listing: Listing | null;
}

/** Returns what reads every version of a panel that the archive has, from its first one, up to the one that is listed. */
function createReadArchived({
  archive,
  states,
  events,
  listing,
}: ArchivedParts): (panelId: number) => Promise<void> {
  /** Nothing announced the version: it is kept where the archive has it. */
  const ask = async (panelId: number, version: string): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind !== 'state') return null;
    await states.save(answer.state);
    return answer.state;
  };
  return async (panelId) => {
    const kept = new Map((await states.versions(panelId)).map((one) => [one.version, one]));
    const newest = listing?.panels.get(panelId)?.versions[0]?.version ?? highestOf([...kept.keys()]);
    if (newest === undefined) return;
    const stated = (await events.of(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
    let last: VersionSummary | undefined;
    const known = [...stated, ...kept.keys()];
    for (const version of versionsAfter({ after: null, upTo: newest, known })) {
      const own = kept.get(version.text);
      const state = own ?? (version.text === newest ? null : await ask(panelId, version.text));
      if (state && last?.validTo === null) await states.note(last, { validTo: state.validFrom });
      if (last && own?.proof.kind === 'baseline') await states.note(own, { proof: notCompared });
      const isGap = version.isGap(state !== null);
      last = state ?? (isGap ? undefined : last);
    }
  };
}

interface KeptParts {
  readonly states: Pick<PanelStateStore, 'versions' | 'read'>;
  readonly book: Pick<ProofBook, 'conclude'>;
  readonly reader: VersionReader;
  readonly prover: VersionProver;
}

/** Returns what proves the kept versions of a panel that can be proven, oldest first. */
function createProveKept(parts: KeptParts): (panelId: number) => Promise<void> {
  const { states, book, prover } = parts;
  return async (panelId) => {
    const kept = await states.versions(panelId);
    const reached = lastReached(kept);
    const versions = kept.filter((one) => reached && byBeginning(one, reached) <= 0).map(asItWasRead);
    const anew = versions.findLastIndex((one) => begunAnewAfter(one) !== undefined);
    for (const [index, summary] of versions.entries()) {
      if (index < anew && !isComparedAgain(summary)) continue;
      const next = versions[index + 1];
      // What the versions before a break showed, and nothing compared, was not published.
      const previous = versions
        .slice(0, index)
        .findLast(
          (one) => (index > anew || !isLost(one)) && (index !== anew || one.proof.kind !== 'unproven'),
        );
      const isFirst = index === anew && summary.proof.kind === 'unproven';
      // Where the number came again, the archive has the later one alone.
      if (next && next.version !== summary.version && summary.source === 'present' && !isFirst) {
        const isProven = await proveEnded(parts, { summary, next, previous });
        if (isProven === false && index >= anew) return;
        if (isProven !== null) continue;
      }
      if (summary.proof.kind !== 'unproven') continue;
      const state = await states.read(summary);
      if (!state) continue;
      const before = previous && (await states.read(previous));
      if (!before) {
        await book.conclude(summary, { kind: 'baseline' });
        continue;
      }
      const validTo = summary.validTo ?? next?.validFrom ?? null;
      // When it ended says which events and which states of its panels belong to it.
      if (summary.source === 'archive' && validTo === null) return;
      const step = { before, after: { ...state, validTo }, kept: summary, end: validTo ?? summary.readAt };
      // What waits before a break keeps nothing after it from being compared.
      if (!(await prover.compare(step)) && index >= anew) return;
    }
  };
}

/** Whether a version was compared with one of which something false was published: the others before a break are lost. */
const isComparedAgain = (version: VersionSummary): boolean =>
  version.proof.kind === 'unproven' && !isLost(version) && !version.proof.alone && !isAhead(version);

/**
 * A version, as its content was read: while a panel is hidden its archive is kept before the version ended, and shows it as it was then, as
 * a present state does. What is proven keeps the time of its first reading.
 */
function asItWasRead(
  version: VersionSummary,
  index: number,
  versions: readonly VersionSummary[],
): VersionSummary {
  const end = version.validTo ?? versions[index + 1]?.validFrom;
  const isEarly = end !== undefined && version.readAt < end && version.proof.kind === 'unproven';
  return isEarly ? { ...version, source: 'present' } : version;
}

interface Ended {
  /** A version that was read before it ended. */
  readonly summary: VersionSummary;
  readonly next: VersionSummary;
  readonly previous: VersionSummary | undefined;
}

/**
 * Proves a version whose present state was read before it ended; false where that has to wait, null where its number came
 * again, so that the archive shows another version.
 */
async function proveEnded(
  { states, reader, prover }: KeptParts,
  { summary, next, previous }: Ended,
): Promise<boolean | null> {
  const validTo = summary.validTo ?? next.validFrom;
  if (!prover.isSettled(validTo) || reader.isTriedLater(summary.panelId, summary.version)) return false;
  if (prover.isTooEarly(summary)) return false;
  const answer = await reader.ended(summary, next);
  if (answer && answer.kind !== 'state') await reader.noteUnread(summary, answer);
  const final = answer?.kind === 'state' ? answer.state : null;
  if (final && final.validFrom > summary.validFrom) return null;
  if (final?.validFrom !== summary.validFrom) return false;
  const isFirstProof = summary.proof.kind === 'unproven' && previous !== undefined;
  // What is kept need not be read where nothing changed since.
  const kept = final.sha256 === summary.sha256 ? { ...summary, entities: final.entities } : null;
  const before = (isFirstProof && (await states.read(previous))) || (kept ?? (await states.read(summary)));
  if (!before) return false;
  return prover.compare({ before, after: { ...final, validTo }, end: validTo, kept: summary });
}
