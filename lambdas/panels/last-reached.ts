import { byBeginning } from './by-beginning.ts';
import { notCompared, type Proof, type VersionSummary } from './version-state.ts';

/** What is noted of a version that was asked for out of order: those before it may be unread. */
export const readAhead: Proof = { ...notCompared, ahead: true };

/** Whether a version was read before those that came before it. */
export const isAhead = ({ proof }: VersionSummary): boolean =>
  proof.kind === 'unproven' && proof.ahead === true;

/** The last version up to which the versions of a panel were read; undefined where that did not begin. */
export const lastReached = (kept: readonly VersionSummary[]): VersionSummary | undefined =>
  kept.findLast((one) => !isAhead(one));

/**
 * What is noted of a version that is read beside the others of its panel: one that began after the last version which was
 * reached leaves those in between to be read.
 * @param otherwise what is noted of an older one
 */
export function proofBeside(
  kept: readonly VersionSummary[],
  version: Pick<VersionSummary, 'version' | 'validFrom'>,
  otherwise: Proof,
): Proof {
  const reached = lastReached(kept);
  return reached && byBeginning(version, reached) <= 0 ? otherwise : readAhead;
}
