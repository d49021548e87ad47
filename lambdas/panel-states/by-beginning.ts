import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import type { VersionSummary } from './version-state.ts';

type Begun = Pick<VersionSummary, 'version' | 'validFrom'>;

/** A panel may get several versions at one instant: more than this are not compared when the newest is looked up. */
export const MOST_AT_ONCE = 10;

/**
 * Orders versions of one panel by their beginning. Of versions that began at one instant, the lower number comes first:
 * `0.9` before `0.10`.
 */
export function byBeginning(one: Begun, other: Begun): number {
  if (one.validFrom !== other.validFrom) return one.validFrom < other.validFrom ? -1 : 1;
  const [own, others] = [versionNumbers(one.version), versionNumbers(other.version)];
  return own && others ? compareVersions(own, others) : 0;
}
