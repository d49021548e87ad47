/** Whether a version `<major>.<minor>` is lower than another; false where one of them is missing or no version. */
export function isLowerVersion(one: string | null, other: string | null): boolean {
  const [major, minor] = numbersOf(one);
  const [otherMajor, otherMinor] = numbersOf(other);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

function numbersOf(version: string | null): readonly [number, number] {
  const [, major = Number.NaN, minor = Number.NaN] = /^(\d+)\.(\d+)$/.exec(version ?? '') ?? [];
  return [Number(major), Number(minor)];
}
