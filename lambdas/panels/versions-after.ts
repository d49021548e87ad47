import { compareVersions, versionNumbers } from '../events/panel-version.ts';

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
