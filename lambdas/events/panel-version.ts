type VersionNumbers = readonly [major: number, minor: number];

/** The numbers of a panel version: `0.10` has 0 and 10, and so comes after `0.9`. Null for a text that is no version. */
export function versionNumbers(text: string): VersionNumbers | null {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(text) ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

/** Negative where the first version comes before the second, positive where it comes after, 0 where they are equal. */
export function compareVersions(one: VersionNumbers, other: VersionNumbers): number {
  return one[0] - other[0] || one[1] - other[1];
}

/** Whether a version comes before another one; false where one of them is missing or no version. */
export function isBeforeVersion(one: string | null, other: string | null): boolean {
  const [first, last] = [versionNumbers(one ?? ''), versionNumbers(other ?? '')];
  return first !== null && last !== null && compareVersions(first, last) < 0;
}

/**
 * The versions of a panel after `from`, up to and including `to`, that are certain. How many minor versions the earlier
 * major version had is unknown.
 */
export function versionsBetween(from: string, to: string): readonly string[] {
  const [first, last] = [versionNumbers(from), versionNumbers(to)];
  if (first === null || last === null) return [];
  const [[fromMajor, fromMinor], [toMajor, toMinor]] = [first, last];
  if (toMajor - fromMajor > MOST_STEPS) return [];
  const versions: string[] = [];
  for (let major = fromMajor + 1; major < toMajor; major += 1) versions.push(`${major}.0`);
  const nextMinor = toMajor > fromMajor ? 0 : fromMinor + 1;
  if (toMajor < fromMajor || toMinor - nextMinor > MOST_STEPS) return versions;
  for (let minor = nextMinor; minor <= toMinor; minor += 1) versions.push(`${toMajor}.${minor}`);
  return versions;
}

/** A major or minor number that rises by more was set by hand. */
const MOST_STEPS = 1000;
