import { notCompared, type Proof, type VersionSummary } from './version-state.ts';

/** What is noted of a version that was asked for out of order: those before it may be unread. */
export const readAhead: Proof = { ...notCompared, ahead: true };

/** Whether a version was read before those that came before it. */
export const isAhead = ({ proof }: VersionSummary): boolean =>
  proof.kind === 'unproven' && proof.ahead === true;

/** The last version up to which the versions of a panel were read; undefined where that did not begin. */
export const lastReached = (kept: readonly VersionSummary[]): VersionSummary | undefined =>
  kept.findLast((one) => !isAhead(one));
