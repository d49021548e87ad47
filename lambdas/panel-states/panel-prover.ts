import { type Instant, instantOf, minutes } from '../clock/instant.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Listing } from '../state/listing.ts';
import type { ArchiveAnswer } from './archive.ts';
import { timeOf } from './events-between.ts';
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

/** Rows of a version may be a little older than it. */
const A_MINUTE: Instant = minutes(1);

/** Whether rows between two versions state one from which the panel was set back. */
const hadHigher = (
  events: readonly PanelEvent[],
  { after, before }: { readonly after: VersionSummary; readonly before: VersionSummary },
): boolean =>
  events.some((event) => {
    const at = timeOf(event);
    const isBetween = at > after.validFrom && at < before.validFrom;
    const version = event.data.panel?.version ?? null;
    const isOther = version === before.version && at + A_MINUTE < before.validFrom;
    return isBetween && (isOther || isBeforeVersion(before.version, version));
  });

/** Reads the states of panels, and proves what can be proven. Panels whose log is unread end the run with an error. */
export function createPanelProver(run: ProofOptions, book: ProofBook, listing: Listing | null): PanelProver {
  const { archive, states, clock, overlap } = run;
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

  /** Asks for a version, or for the panel as it is now. Null where the catalogue does not serve it, which is noted of a version. */
  const ask = async (
    panelId: number,
    version: string | undefined,
    panelName: string,
  ): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    if (answer.kind === 'state') return answer.state;
    if (version !== undefined) await noteUnread({ panelId, panelName, version }, answer);
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
    const final = await ask(summary.panelId, summary.version, summary.panelName);
    if (final && final.validFrom > summary.validFrom) return null;
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
      // Where the number came again, the archive has the later one alone.
      if (next && next.version !== summary.version && summary.source === 'present') {
        const isProven = await proveEnded(summary, next, previous);
        if (isProven === false) return;
        if (isProven) continue;
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
    const first = (await states.versions(panelId)).at(-1);
    if (!first) {
      const state = await ask(panelId, undefined, '');
      if (state) await keep(state, undefined, true);
      return;
    }
    if (newest && first.version === newest.version && first.source === 'present') return;
    // The rows of the versions before may still be missing from the log.
    if (newest && newest.at + overlap > instantOf(clock.now())) return;
    const all = await events.of(panelId);
    const stated = all.flatMap(({ data }) => data.panel?.version ?? []);
    const known = [...listed.map(({ version }) => version), ...stated];
    let last: VersionSummary = first;
    let contiguous = true;
    const add = async (state: VersionState): Promise<void> => {
      await keep(state, last, contiguous && !hadHigher(all, { after: last, before: state }));
      last = state;
      contiguous = true;
      await proveKept(panelId);
    };
    /** Reads the versions after the last one, up to another one, from the archive. */
    const readUpTo = async (upTo: string, isIncluded: boolean): Promise<void> => {
      for (const version of versionsAfter({ after: last.version, upTo, known })) {
        if (version.text === upTo && !isIncluded) return;
        const answer = isTriedLater(panelId, version.text) ? null : await archive.read(panelId, version.text);
        const isGap = version.isGap(answer?.kind === 'state');
        if (isGap) contiguous = false;
        // A hidden panel may still have its last version.
        const source = isIncluded && version.text === upTo ? 'present' : 'archive';
        if (answer?.kind === 'state') await add({ ...answer.state, source });
        else if (answer && isGap)
          await noteUnread({ panelId, panelName: last.panelName, version: version.text }, answer);
      }
    };
    if (!newest) {
      if (listing?.panels.has(panelId) !== false) return;
      // It is not listed any more: the archive may still serve its versions.
      const hidden = highestOf(stated);
      if (hidden !== undefined) await readUpTo(hidden, true);
      return;
    }
    await readUpTo(newest.version, false);
    const present = await ask(panelId, undefined, last.panelName);
    // It may have got further versions since it was listed.
    if (present && present.version !== newest.version) await readUpTo(present.version, false);
    if (present) await add(present);
  };

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
