import { notCompared, type Proof, type VersionSummary } from './version-state.ts';

/** What a poll notes of a version that it asked for: those before it may be unread. */
export const readAhead: Proof = { ...notCompared, ahead: true };

/** The last version up to which the versions of a panel were read; undefined where none is kept. */
export function lastReached(kept: readonly VersionSummary[]): VersionSummary | undefined {
  const isAhead = ({ proof }: VersionSummary): boolean => proof.kind === 'unproven' && proof.ahead === true;
  return kept.findLast((one) => !isAhead(one)) ?? kept.at(-1);
}
