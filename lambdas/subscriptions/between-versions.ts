import type { PanelEvent } from '../events/schemas.ts';

/** A panel version as its numbers: `0.9` is before `0.10`. Null for what is no version. */
export function versionNumbers(text: string): readonly [number, number] | null {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(text) ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

function compare(one: readonly [number, number], other: readonly [number, number]): number {
  return one[0] - other[0] || one[1] - other[1];
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
