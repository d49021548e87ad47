import type { Instant } from '../clock/instant.ts';
import { minutes } from '../clock/instant.ts';
import { versionNumbers } from '../events/panel-version.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { hadHigherVersion } from './events-between.ts';
import type { PanelEvents } from './panel-events.ts';
import type { ProofBook } from './proof-book.ts';
import type { ProofOptions } from './proof-options.ts';
import type { VersionState, VersionSummary } from './version-state.ts';
import { highestOf } from './versions-after.ts';

/** Rows from just before the start were not published, and may have made a version after it. */
const OPEN_TRANSACTION: Instant = minutes(60);

/** So many minor versions without a row are followed, one request each. */
const MOST_STEPS = 50;

/**
 * Reads the versions of panels back to the time from which the log is followed, so that the version of that time is the
 * baseline, and each one since is proven. A run that ends before goes on with the oldest one that it read.
 */
interface VersionsSinceStart {
  /**
   * Reads what is missing of a panel of which a version is kept.
   * @throws {ArchivePaused} where no request may be sent
   */
  readBack(panelId: number): Promise<void>;
}

/** @param events what rows and events say of the versions of a panel */
export function createVersionsSinceStart(
  { archive, states, state, overlap }: ProofOptions,
  book: ProofBook,
  events: Pick<PanelEvents, 'of' | 'addEarlier'>,
): VersionsSinceStart {
  let start: Instant | null | undefined;
  const startOfLog = async (): Promise<Instant | null> => {
    start ??= (await state.load(overlap))?.position.start ?? null;
    return start;
  };

  /** Whether the catalogue did not serve the version before one: it is asked for again another day. */
  const isNotedBefore = ({ panelId, version }: VersionSummary): boolean => {
    const [major, minor] = versionNumbers(version) ?? [0, 0];
    const before = `${major}.${minor - 1}`;
    return book.record.unproven.some((one) => one.panelId === panelId && one.version === before);
  };

  /** Notes when versions ended of which the next one is kept too, where they were read one by one for rows. */
  const noteEnds = async (kept: readonly VersionSummary[], known: readonly PanelEvent[]): Promise<void> => {
    for (const [index, version] of kept.entries()) {
      const next = kept[index + 1];
      if (!next || version.validTo !== null || versionBefore(next, known) !== version.version) continue;
      if (hadHigherVersion(known, { after: version, before: next })) continue;
      await states.note(version, { validTo: next.validFrom });
    }
  };

  const readState = async (panelId: number, version: string): Promise<VersionState | null> => {
    const answer = await archive.read(panelId, version);
    return answer.kind === 'state' ? answer.state : null;
  };

  /** The last minor version of a major one, from the highest that is known on: more may have begun without a row. */
  const lastFrom = async (panelId: number, known: string): Promise<VersionState | null> => {
    let last = await readState(panelId, known);
    for (let steps = 0; last && steps < MOST_STEPS; steps += 1) {
      const [major, minor] = versionNumbers(last.version) ?? [0, 0];
      const next = await readState(panelId, `${major}.${minor + 1}`);
      if (!next) return last;
      last = next;
    }
    return last;
  };

  /** The state before a version, from the archive; null where it has none, or where its number is unknown. */
  const stateBefore = async (version: VersionSummary, from: Instant): Promise<VersionState | null> => {
    const { panelId } = version;
    const [major = 0, minor = 0] = versionNumbers(version.version) ?? [];
    if (minor > 0) return readState(panelId, `${major}.${minor - 1}`);
    // The rows from before the log was followed say how many minor versions there were.
    if (highestMinor(major - 1, await events.of(panelId)) === null) await events.addEarlier(panelId, from);
    const known = highestMinor(major - 1, await events.of(panelId));
    return known === null ? null : lastFrom(panelId, known);
  };

  return {
    async readBack(panelId) {
      const from = await startOfLog();
      if (from === null) return;
      const isSinceStart = ({ validFrom }: VersionSummary): boolean =>
        validFrom > from + overlap + OPEN_TRANSACTION;
      const tried = new Set<string>();
      for (;;) {
        const kept = await states.versions(panelId);
        const unproven = kept.filter((one) => one.proof.kind === 'unproven' && isSinceStart(one));
        if (unproven.length === 0) return;
        const known = await events.of(panelId);
        await noteEnds(kept, known);
        const later = unproven.findLast(
          (one) => !tried.has(one.version) && !hasBefore(one, kept, known) && !isNotedBefore(one),
        );
        if (!later) return;
        tried.add(later.version);
        const state = await stateBefore(later, from);
        const isKept = kept.some((one) => one.version === state?.version);
        if (!state || isKept || state.validFrom >= later.validFrom) continue;
        await states.save({ ...state, validTo: later.validFrom });
        await book.remain(state, 'it was not compared yet');
      }
    },
  };
}

/** Whether the version before one is kept, as far as its number is known. */
const hasBefore = (
  version: VersionSummary,
  kept: readonly VersionSummary[],
  events: readonly PanelEvent[],
): boolean => {
  const before = versionBefore(version, events);
  return before !== null && kept.some((one) => one.version === before);
};

/** The version before another one; null where it is unknown how many minor versions the major one before had. */
function versionBefore({ version }: VersionSummary, events: readonly PanelEvent[]): string | null {
  const [major, minor] = versionNumbers(version) ?? [0, 0];
  return minor > 0 ? `${major}.${minor - 1}` : highestMinor(major - 1, events);
}

/** The highest version of a major one that events state; null where they state none. */
function highestMinor(major: number, events: readonly PanelEvent[]): string | null {
  const stated = events.flatMap(({ data: { panel, change } }) => [
    panel?.version ?? '',
    'previousVersion' in change ? (change.previousVersion ?? '') : '',
  ]);
  return highestOf(stated.filter((one) => versionNumbers(one)?.[0] === major)) ?? null;
}
