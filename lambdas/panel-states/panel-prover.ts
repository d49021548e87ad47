import { instantOf } from '../clock/instant.ts';
import type { Listing } from '../state/listing.ts';
import { createPanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import { createVersionProver } from './version-prover.ts';
import type { VersionState, VersionSummary } from './version-state.ts';
import { versionsFromStart } from './versions-from-start.ts';
import { versionsToRead } from './versions-to-read.ts';

/** Reads and proves panels one after the other. */
interface PanelProver {
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

/** Reads the states of panels, and proves what can be proven. Panels whose log is unread end the run with an error. */
export function createPanelProver(run: ProofOptions, book: ProofBook, listing: Listing | null): PanelProver {
  const { archive, states, clock, overlap } = run;
  const events = createPanelEvents(run, book);

  /** Asks for a version, and keeps it. Null where the catalogue does not serve it; what it says then is noted. */
  const ask = async (
    panelId: number,
    version: string | undefined,
    name: string,
  ): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind === 'state') return answer.state;
    const why =
      answer.kind === 'missing'
        ? 'the catalogue does not serve it'
        : `the catalogue served something else: ${answer.why}`;
    if (version !== undefined) {
      await book.remain({ panelId, panelName: name, version }, why, clock.now() + RETRY_MS);
    }
    return null;
  };

  const prover = createVersionProver({
    run,
    book,
    events,
    listing,
    ask: ({ panelId, version, source, panelName }) =>
      ask(panelId, source === 'present' ? undefined : version, panelName),
  });

  const isTriedLater = (panelId: number, version: string): boolean =>
    book.record.unproven.some(
      (one) => one.panelId === panelId && one.version === version && one.retryAt > clock.now(),
    );

  /** Proves a version whose present state was read before it ended; false where that has to wait. */
  const proveEnded = async (
    summary: VersionSummary,
    next: VersionSummary,
    previous: VersionSummary | undefined,
  ): Promise<boolean> => {
    const validTo = summary.validTo ?? next.validFrom;
    if (!prover.isSettled(validTo) || isTriedLater(summary.panelId, summary.version)) return false;
    const final = await ask(summary.panelId, summary.version, summary.panelName);
    if (final?.validFrom !== summary.validFrom) return false;
    const isFirstProof = summary.proof.kind === 'unproven' && previous !== undefined;
    const before = (isFirstProof && (await states.read(previous))) || (await states.read(summary));
    if (!before) return false;
    return prover.compare({ before, after: { ...final, validTo }, end: validTo, replaced: summary });
  };

  /** Proves the kept versions of a panel that can be proven, oldest first. */
  const proveKept = async (panelId: number): Promise<void> => {
    const versions = await states.versions(panelId);
    for (const [index, summary] of versions.entries()) {
      const [previous, next] = [versions[index - 1], versions[index + 1]];
      if (next && summary.source === 'present') {
        if (!(await proveEnded(summary, next, previous))) return;
        continue;
      }
      if (summary.proof.kind !== 'unproven') continue;
      const after = await states.read(summary);
      if (!after) continue;
      const before = previous && (await states.read(previous));
      if (!before) {
        await book.conclude(summary, { kind: 'baseline' });
        continue;
      }
      const end = summary.validTo ?? next?.validFrom ?? summary.readAt;
      if (!(await prover.compare({ before, after, end }))) return;
    }
  };

  /** Keeps a state that follows the kept ones. */
  const keep = async (state: VersionState, before: VersionSummary | undefined, contiguous: boolean) => {
    await states.save(state);
    if (before && contiguous) await states.note(before, { validTo: state.validFrom });
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

  const readNewVersions = async (panelId: number): Promise<void> => {
    const listed = listing?.panels.get(panelId)?.versions ?? [];
    const [newest] = listed;
    let last = (await states.versions(panelId)).at(-1);
    if (!last) {
      const state = await ask(panelId, undefined, '');
      if (state) await keep(state, undefined, true);
      return;
    }
    if (!newest || (last.version === newest.version && last.source === 'present')) return;
    // The rows of the versions before may still be missing from the log.
    if (newest.at + overlap > instantOf(clock.now())) return;
    const stated = (await events.of(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
    const known = [...listed.map(({ version }) => version), ...stated];
    let contiguous = true;
    for (const version of [...versionsToRead(last.version, newest.version, known), undefined]) {
      if (version !== undefined && isTriedLater(panelId, version)) {
        contiguous = false;
        continue;
      }
      const state: VersionState | null = await ask(panelId, version, last.panelName);
      if (!state) {
        contiguous = false;
        continue;
      }
      await keep(state, last, contiguous);
      last = state;
      contiguous = true;
      await proveKept(panelId);
    }
  };

  return {
    async prove(panelId) {
      await retryMissing(panelId);
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
    async readFromStart(panelId) {
      const kept = new Map((await states.versions(panelId)).map((one) => [one.version, one]));
      const newest = listing?.panels.get(panelId)?.versions[0]?.version ?? [...kept.keys()].at(-1);
      if (newest === undefined) return;
      const stated = (await events.of(panelId)).flatMap(({ data }) => data.panel?.version ?? []);
      let last: VersionSummary | undefined;
      for (const version of versionsFromStart(newest, [...stated, ...kept.keys()])) {
        const known = kept.get(version.text);
        const state = known ?? (version.text === newest ? null : await askForOld(panelId, version.text));
        if (state && last?.validTo === null) await states.note(last, { validTo: state.validFrom });
        if (last && known?.proof.kind === 'baseline') await states.note(known, { proof: notCompared });
        const isGap = version.isGap(state !== null);
        last = state ?? (isGap ? undefined : last);
      }
      await readNewVersions(panelId);
      await proveKept(panelId);
    },
  };
}
