import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import type { VersionSummary } from './version-state.ts';

type Begun = Pick<VersionSummary, 'version' | 'validFrom'> & Partial<Pick<VersionSummary, 'validTo'>>;

/** A panel may get several versions at one instant: more than this are not compared when the newest is looked up. */
export const MOST_AT_ONCE = 10;

/** Whether another version is known to have followed at the same instant. */
const hasNoDuration = ({ validFrom, validTo }: Begun): boolean => validTo === validFrom;

/**
 * Orders versions of one panel by their beginning. Of versions that began at one instant, one that ended at it comes
 * first, as where a panel was set back; otherwise the lower number: `0.9` before `0.10`.
 */
export function byBeginning(one: Begun, other: Begun): number {
  if (one.validFrom !== other.validFrom) return one.validFrom < other.validFrom ? -1 : 1;
  if (hasNoDuration(one) !== hasNoDuration(other)) return hasNoDuration(one) ? -1 : 1;
  const [own, others] = [versionNumbers(one.version), versionNumbers(other.version)];
  return own && others ? compareVersions(own, others) : 0;
}
