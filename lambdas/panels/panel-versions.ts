import { compareVersions, versionNumbers } from '../events/order.ts';
import type { Instant } from '../run/instant.ts';
import { notCompared, type Proof, type VersionSummary } from './version-state.ts';

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

/** Whether two states or summaries of one panel are of one version: a number may come again. */
export const isSameVersion = (one: Begun, other: Begun): boolean =>
  one.version === other.version && one.validFrom === other.validFrom;

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

/**
 * Whether a panel is known to have had a version at an instant. The last version that was read is known up to its
 * reading: it may have ended later.
 */
export function isValidAt({ validFrom, validTo, source, readAt }: VersionSummary, instant: Instant): boolean {
  if (instant < validFrom) return false;
  if (validTo !== null) return instant < validTo;
  return source === 'present' && instant <= readAt;
}

/** A version that the archive may have. */
interface PossibleVersion {
  readonly text: string;
  /** Says whether the archive has it; returns whether it is missing although there was such a version. */
  isGap(there: boolean): boolean;
}

interface Range {
  /** The version before the first one that is wanted; null to begin at 0.0. */
  readonly after: string | null;
  /** The last version that is wanted; null where it is unknown, so that the archive is asked until it has none. */
  readonly upTo: string | null;
  /** Versions that rows and listings name. */
  readonly known: Iterable<string>;
}

/** A major or minor number that rises by more was set by hand. */
const MOST_STEPS = 1000;

/**
 * The versions that a panel may have gone through, oldest first, the last one included. How many minor versions a major one
 * had is unknown: one more is tried after each that was found, and after the highest one that is known. None where the
 * panel was set back.
 */
export function* versionsAfter({ after, upTo, known }: Range): Generator<PossibleVersion> {
  const last = upTo === null ? null : (versionNumbers(upTo) ?? [0, 0]);
  const [lastMajor, lastMinor] = last ?? [Number.POSITIVE_INFINITY, 0];
  const before = versionNumbers(after ?? '');
  if (before && last && compareVersions(before, last) >= 0) return;
  const highest = highestMinors(known);
  const least = (major: number): number => {
    if (major === lastMajor) return lastMinor;
    if (major === before?.[0]) return before[1];
    return last || [...highest.keys()].some((one) => one > major) ? 0 : -1;
  };
  const isJump = before !== null && last !== null && lastMajor - before[0] > MOST_STEPS;
  for (let major = isJump ? lastMajor : (before?.[0] ?? 0); major <= lastMajor; major += 1) {
    const certain = Math.max(highest.get(major) ?? -1, after === null ? -1 : least(major));
    const first = major === before?.[0] ? before[1] + 1 : 0;
    let [more, isEnd] = [true, last === null && first === 0 && certain < 0];
    for (let minor = certain - first > MOST_STEPS ? certain : first; more; minor += 1) {
      const isLast = major === lastMajor && minor === lastMinor;
      yield {
        text: `${major}.${minor}`,
        isGap: (there) => {
          if (there) isEnd = false;
          // The minor versions of a major one end where there is none.
          more = there || minor < certain;
          return !there && minor <= certain;
        },
      };
      if (isLast) return;
    }
    if (isEnd) return;
  }
}

/** The highest minor number of each major one. */
function highestMinors(versions: Iterable<string>): ReadonlyMap<number, number> {
  const highest = new Map<number, number>();
  for (const version of versions) {
    const numbers = versionNumbers(version);
    if (numbers) highest.set(numbers[0], Math.max(numbers[1], highest.get(numbers[0]) ?? 0));
  }
  return highest;
}

/** The highest of some versions; undefined where there is none. */
export function highestOf(versions: readonly string[]): string | undefined {
  return versions
    .filter((version) => versionNumbers(version))
    .reduce<string | undefined>((highest, version) => {
      const [one, other] = [versionNumbers(version), versionNumbers(highest ?? '')];
      return one && other && compareVersions(one, other) <= 0 ? highest : version;
    }, undefined);
}
