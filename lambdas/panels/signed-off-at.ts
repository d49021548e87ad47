import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import { formatInstant, type Instant, parseInstant } from '../run/instant.ts';
import type { SignOff } from './version-state.ts';

/** The sign-offs of one panel whose day is still to come at an instant, and that are not removed. */
export const comingSignOffs = (signOffs: readonly SignOff[], instant: Instant): readonly SignOff[] =>
  signOffs.filter(
    ({ date, removedAt }) =>
      date > formatInstant(instant).slice(0, 10) && (removedAt === null || removedAt > instant),
  );

/**
 * The sign-off of one panel that counts at an instant: the last one whose day has come and that was not removed before.
 * Null where none counts.
 */
export function signedOffAt(signOffs: readonly SignOff[], instant: Instant): SignOff | null {
  if (signOffs.length === 0) return null;
  const day = formatInstant(instant).slice(0, 10);
  const counting = signOffs.filter(
    ({ date, removedAt }) => date <= day && (removedAt === null || removedAt > instant),
  );
  return counting.toSorted(inOrderOfSignOff).at(-1) ?? null;
}

/**
 * The sign-offs of one panel that counted during a day, such as `2026-03-01`: the one before, and those that were made on it, for
 * a sign-off has no time of day. Empty where none counted.
 */
export function signedOffDuring(signOffs: readonly SignOff[], day: string): readonly SignOff[] {
  const begin = parseInstant(`${day}T00:00:00Z`);
  if (begin === null) return [];
  const before = signedOffAt(signOffs, begin - 1n);
  const made = signOffs.filter(
    ({ date, removedAt }) => date === day && (removedAt === null || removedAt > begin),
  );
  return [...(before ? [before] : []), ...made.toSorted(inOrderOfSignOff)];
}

/**
 * The order of the sign-offs of one panel: by day; of one day, the one that was listed later replaced the other; of those
 * listed at once, by version.
 */
export function inOrderOfSignOff(one: SignOff, other: SignOff): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.listedAt !== other.listedAt) return one.listedAt < other.listedAt ? -1 : 1;
  return compareVersions(versionNumbers(one.version) ?? [0, 0], versionNumbers(other.version) ?? [0, 0]);
}
