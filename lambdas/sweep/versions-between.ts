const partsOf = (version: string): readonly [major: number, minor: number] => {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
  return [Number(major), Number(minor)];
};

/**
 * The versions that a panel went through to get from one to another, as far as they are certain: with a new major
 * version it is unknown how many minor ones the major version before had.
 */
export function versionsBetween(from: string, to: string): readonly string[] {
  const [[fromMajor, fromMinor], [toMajor, toMinor]] = [partsOf(from), partsOf(to)];
  if (![fromMajor, fromMinor, toMajor, toMinor].every(Number.isSafeInteger)) return [];
  const versions: string[] = [];
  for (let major = fromMajor + 1; major < toMajor; major += 1) versions.push(`${major}.0`);
  const first = toMajor > fromMajor ? 0 : fromMinor + 1;
  if (toMajor < fromMajor || toMinor - first > MOST_MINORS) return versions;
  for (let minor = first; minor <= toMinor; minor += 1) versions.push(`${toMajor}.${minor}`);
  return versions;
}

/** A version that jumps further was set by hand. */
const MOST_MINORS = 1000;
