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
