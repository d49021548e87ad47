import { type Case, nameOf } from './case.ts';

/** A panel in a version, such as 4.12. */
interface PanelVersion {
  readonly id: number;
  /** Null where the log states none: then every version counts as older. */
  readonly version: string | null;
}

/** A case that was analysed with an older version of a panel. */
export interface OutdatedCase {
  readonly name: string;
  readonly analysedWith: string;
}

/**
 * The cases whose newest version was analysed with an older version of the panel. Where a case names the panel twice,
 * the newer one counts.
 */
export function outdatedCases(cases: readonly Case[], panel: PanelVersion): readonly OutdatedCase[] {
  const newest = new Map<string, Case>();
  for (const one of cases) {
    const known = newest.get(one.request);
    if (known === undefined || one.version > known.version) newest.set(one.request, one);
  }
  return [...newest.values()].flatMap((one) => {
    const used = one.panels
      .filter(({ id }) => id === panel.id)
      .map(({ version }) => version)
      .sort(compareVersions)
      .at(-1);
    if (used === undefined) return [];
    if (panel.version !== null && compareVersions(used, panel.version) >= 0) return [];
    return [{ name: nameOf(one), analysedWith: used }];
  });
}

/** Versions are two numbers, and no decimal: 3.10 is newer than 3.9. */
function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}
