import { type Case, nameOf } from './case.ts';

/** A panel in a version, such as 4.12. */
interface PanelVersion {
  readonly id: number;
  /** Null where the log states none: then every version counts as older. */
  readonly version: string | null;
}

/** A super panel that holds the panel. */
interface SuperPanel {
  readonly id: number;
  readonly name: string;
}

/** A case that was analysed with an older version of a panel, or with a super panel that holds it. */
export interface OutdatedCase {
  readonly name: string;
  /** `1.4`, or `3.1 of Paediatric disorders`. */
  readonly analysedWith: string;
}

/**
 * The cases whose newest version was analysed with an older version of the panel. Where a case names the panel twice,
 * the newer one counts. A case that names a super panel instead is outdated in any version: the version of a super panel
 * does not say which version of the panel it held.
 */
export function outdatedCases(
  cases: readonly Case[],
  panel: PanelVersion,
  superPanels: readonly SuperPanel[] = [],
): readonly OutdatedCase[] {
  const newest = new Map<string, Case>();
  for (const one of cases) {
    const known = newest.get(one.request);
    if (known === undefined || one.version > known.version) newest.set(one.request, one);
  }
  return [...newest.values()].flatMap((one) => {
    const used = newestUsed(one, panel.id);
    if (used === undefined) {
      return superPanels
        .flatMap(({ id, name }) => {
          const version = newestUsed(one, id);
          return version === undefined ? [] : [{ name: nameOf(one), analysedWith: `${version} of ${name}` }];
        })
        .slice(0, 1);
    }
    if (panel.version !== null && compareVersions(used, panel.version) >= 0) return [];
    return [{ name: nameOf(one), analysedWith: used }];
  });
}

/** The newest version of a panel that a case was analysed with. */
function newestUsed({ panels }: Case, panelId: number): string | undefined {
  return panels
    .filter(({ id }) => id === panelId)
    .map(({ version }) => version)
    .sort(compareVersions)
    .at(-1);
}

/** Versions are two numbers, and no decimal: 3.10 is newer than 3.9. */
function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}
