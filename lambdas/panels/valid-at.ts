import type { Instant } from '../run/instant.ts';
import type { VersionSummary } from './version-state.ts';

/**
 * Whether a panel is known to have had a version at an instant. The last version that was read is known up to its
 * reading: it may have ended later.
 */
export function isValidAt({ validFrom, validTo, source, readAt }: VersionSummary, instant: Instant): boolean {
  if (instant < validFrom) return false;
  if (validTo !== null) return instant < validTo;
  return source === 'present' && instant <= readAt;
}
