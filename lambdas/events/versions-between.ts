import { versionNumbers } from './panel-version.ts';

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
