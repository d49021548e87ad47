import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import type { PanelEvent } from '../events/schemas.ts';

/** Whether a version can be the next after another one: the next minor or the next major version. */
export function isNextVersion(one: string, next: string): boolean {
  const [first, last] = [versionNumbers(one), versionNumbers(next)];
  if (first === null || last === null) return false;
  const [major, minor] = first;
  return compareVersions(last, [major, minor + 1]) === 0 || compareVersions(last, [major + 1, 0]) === 0;
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
      compareVersions(version, first) > 0 &&
      compareVersions(version, last) <= 0
    );
  };
}
