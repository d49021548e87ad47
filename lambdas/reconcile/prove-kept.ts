import { byBeginning } from '../panels/by-beginning.ts';
import { isAhead, lastReached } from '../panels/last-reached.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { VersionSummary } from '../panels/version-state.ts';
import type { ProofBook } from './proof-book.ts';
import { begunAnewAfter, isLost } from './set-back.ts';
import type { VersionProver } from './version-prover.ts';
import type { VersionReader } from './version-reader.ts';

interface KeptParts {
  readonly states: Pick<PanelStateStore, 'versions' | 'read'>;
  readonly book: Pick<ProofBook, 'conclude'>;
  readonly reader: VersionReader;
  readonly prover: VersionProver;
}

/** Returns what proves the kept versions of a panel that can be proven, oldest first. */
export function createProveKept(parts: KeptParts): (panelId: number) => Promise<void> {
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
