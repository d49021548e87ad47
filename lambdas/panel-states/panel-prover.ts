import type { Listing } from '../state/listing.ts';
import type { ArchiveAnswer } from './archive.ts';
import { byBeginning } from './by-beginning.ts';
import { lastReached } from './last-reached.ts';
import { createNewVersions } from './new-versions.ts';
import { createPanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { createVersionProver } from './version-prover.ts';
import type { VersionState, VersionSummary } from './version-state.ts';
import { highestOf, versionsAfter } from './versions-after.ts';

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

const notCompared = { kind: 'unproven', why: 'it was not compared yet' } as const;

/** A version that the catalogue did not serve is asked for again after this time. */
const RETRY_MS = 24 * 60 * 60 * 1000;

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

  /** Notes that a version cannot be read; it is asked for again after a day. */
  const noteUnread = async (
    version: Pick<VersionSummary, 'panelId' | 'panelName' | 'version'>,
    answer: Exclude<ArchiveAnswer, { kind: 'state' }>,
  ): Promise<void> => {
    const why =
      answer.kind === 'missing'
        ? 'the catalogue does not serve it'
        : `the catalogue served something else: ${answer.why}`;
    await book.remain(version, why, clock.now() + RETRY_MS);
  };

  /** What the archive answered last: reading and proving new versions both ask for the one before. */
  let answered: {
    readonly panelId: number;
    readonly version: string;
    readonly answer: ArchiveAnswer;
  } | null = null;
  const askArchive = async (panelId: number, version: string): Promise<ArchiveAnswer> => {
    if (answered?.panelId !== panelId || answered.version !== version) {
      answered = { panelId, version, answer: await archive.read(panelId, version) };
    }
    return answered.answer;
  };

  /** Asks for a version, or for the panel as it is now. Null where the catalogue does not serve it, which is noted of a version. */
  const ask = async (
    panelId: number,
    version: string | undefined,
    panelName: string,
  ): Promise<VersionState | null> => {
    const answer = version === undefined ? await archive.read(panelId) : await askArchive(panelId, version);
    if (answer.kind === 'state') return answer.state;
    if (version !== undefined) await noteUnread({ panelId, panelName, version }, answer);
    return null;
  };

  const prover = createVersionProver({
    run,
    book,
    events,
    listing,
    manyMayDiffer,
    ask: async ({ panelId, version, source, panelName }) => {
      answered = null;
      // The last version of a panel that is hidden was read from the archive.
      const isShown = source === 'present' && listing?.panels.has(panelId) !== false;
      const asked = await ask(panelId, isShown ? undefined : version, panelName);
      return asked && { ...asked, source };
    },
  });

  const isTriedLater = (panelId: number, version: string): boolean =>
    book.record.unproven.some(
      (one) => one.panelId === panelId && one.version === version && one.retryAt > clock.now(),
    );

  /**
   * Proves a version whose present state was read before it ended; false where that has to wait, null where its number came
   * again, so that the archive shows another version.
   */
  const proveEnded = async (
    summary: VersionSummary,
    next: VersionSummary,
    previous: VersionSummary | undefined,
  ): Promise<boolean | null> => {
    const validTo = summary.validTo ?? next.validFrom;
    if (!prover.isSettled(validTo) || isTriedLater(summary.panelId, summary.version)) return false;
    if (prover.isTooEarly(summary)) return false;
    const final = await ask(summary.panelId, summary.version, summary.panelName);
    if (final && final.validFrom > summary.validFrom) return null;
    if (final?.validFrom !== summary.validFrom) return false;
    const isFirstProof = summary.proof.kind === 'unproven' && previous !== undefined;
    const before = (isFirstProof && (await states.read(previous))) || (await states.read(summary));
    if (!before) return false;
    return prover.compare({ before, after: { ...final, validTo }, end: validTo, kept: summary });
  };

  /** Proves the kept versions of a panel that can be proven, oldest first. */
  const proveKept = async (panelId: number): Promise<void> => {
    const kept = await states.versions(panelId);
    const reached = lastReached(kept);
    const versions = kept.filter((one) => reached && byBeginning(one, reached) <= 0);
    for (const [index, summary] of versions.entries()) {
      const [previous, next] = [versions[index - 1], versions[index + 1]];
      // Where the number came again, the archive has the later one alone.
      if (next && next.version !== summary.version && summary.source === 'present') {
        const isProven = await proveEnded(summary, next, previous);
        if (isProven === false) return;
        if (isProven) continue;
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
      const step = { before, after: { ...state, validTo }, kept: summary, end: validTo ?? summary.readAt };
      if (!(await prover.compare(step))) return;
    }
  };

  /** Keeps a state; `before` is the version that it followed at once, where that is known. */
  const keep = async (state: VersionState, before: VersionSummary | null): Promise<void> => {
    if (before) await states.note(before, { validTo: state.validFrom });
    await states.save({ ...state, proof: notCompared });
    await book.remain(state, notCompared.why);
  };

  /** A version that nothing announced: it is kept where the archive has it. */
  const askForOld = async (panelId: number, version: string): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind !== 'state') return null;
    await states.save(answer.state);
    return answer.state;
  };

  /** Asks again for versions that the catalogue did not serve. */
  const retryMissing = async (panelId: number): Promise<void> => {
    const due = book.record.unproven.filter(
      (one) => one.panelId === panelId && one.retryAt > 0 && one.retryAt <= clock.now(),
    );
    for (const { version, panelName } of due) {
      const state = await ask(panelId, version, panelName);
      if (!state) continue;
      await states.save(state);
      await book.remain(state, notCompared.why);
    }
  };

  const readNewVersions = createNewVersions({
    run,
    book,
    events,
    listing,
    present: (panelId, panelName) => ask(panelId, undefined, panelName),
    archived: async (panelId, version) =>
      isTriedLater(panelId, version) ? null : await askArchive(panelId, version),
    keep,
    proveKept,
    noteUnread,
  });

  return {
    async prove(panelId) {
      await retryMissing(panelId);
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
    async readFromStart(panelId) {
      const kept = new Map((await states.versions(panelId)).map((one) => [one.version, one]));
      const newest = listing?.panels.get(panelId)?.versions[0]?.version ?? highestOf([...kept.keys()]);
      if (newest === undefined) return;
      const stated = (await events.of(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
      let last: VersionSummary | undefined;
      const known = [...stated, ...kept.keys()];
      for (const version of versionsAfter({ after: null, upTo: newest, known })) {
        const own = kept.get(version.text);
        const state = own ?? (version.text === newest ? null : await askForOld(panelId, version.text));
        if (state && last?.validTo === null) await states.note(last, { validTo: state.validFrom });
        if (last && own?.proof.kind === 'baseline') await states.note(own, { proof: notCompared });
        const isGap = version.isGap(state !== null);
        last = state ?? (isGap ? undefined : last);
      }
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
  };
}
