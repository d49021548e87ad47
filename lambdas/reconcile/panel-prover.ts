import { byBeginning } from '../panels/by-beginning.ts';
import { proofBeside } from '../panels/last-reached.ts';
import { notCompared, type VersionState, type VersionSummary } from '../panels/version-state.ts';
import { highestOf, versionsAfter } from '../panels/versions-after.ts';
import type { Listing } from '../store/listing.ts';
import { createConfirmPublished } from './confirm-published.ts';
import { createNewVersions } from './new-versions.ts';
import { createPanelEvents, type PanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { createProveKept } from './prove-kept.ts';
import { begunAnewAfter, lostBySetBack } from './set-back.ts';
import { createVersionProver } from './version-prover.ts';
import { createVersionReader } from './version-reader.ts';

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
