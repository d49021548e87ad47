import type { PanelEvent } from '../events/schemas.ts';

type VersionNumbers = readonly [major: number, minor: number];

/** A panel version as its numbers: `0.9` is before `0.10`. Null for what is no version. */
export function versionNumbers(text: string): VersionNumbers | null {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(text) ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

function compare(one: VersionNumbers, other: VersionNumbers): number {
  return one[0] - other[0] || one[1] - other[1];
}

/** Whether a version comes before another one; false for what is no version. */
export function isBeforeVersion(one: string, other: string): boolean {
  const [first, last] = [versionNumbers(one), versionNumbers(other)];
  return first !== null && last !== null && compare(first, last) < 0;
}

/** Whether a version can be the next after another one: the next minor or the next major version. */
export function isNextVersion(one: string, next: string): boolean {
  const [first, last] = [versionNumbers(one), versionNumbers(next)];
  if (first === null || last === null) return false;
  const [major, minor] = first;
  return compare(last, [major, minor + 1]) === 0 || compare(last, [major + 1, 0]) === 0;
}

/** Whether an event belongs to the versions after `from`, up to and including `to`. */
export function betweenVersions(from: string, to: string): (event: PanelEvent) => boolean {
  const [first, last] = [versionNumbers(from), versionNumbers(to)];
  return ({ data }) => {
    const version = versionNumbers(data.panel?.version ?? '');
    return (
      first !== null &&
      last !== null &&
      version !== null &&
      compare(version, first) > 0 &&
      compare(version, last) <= 0
    );
  };
}
