import type { ComparedPanel, UncomparedPanel } from '../panels/compare-panels.ts';
import { counted } from './counted.ts';

/** Something that a comparison does not cover. */
interface ComparisonLimit {
  /** `unknown`: it should be covered, and cannot be. `none`: there is nothing to compare. */
  readonly kind: 'unknown' | 'none';
  /** For people. */
  readonly sentence: string;
}

/** What the comparison of panels does not cover; empty where it covers all that was asked. */
export function comparisonLimits(
  found: readonly (ComparedPanel | UncomparedPanel)[],
  nameOf: (panelId: number) => string,
): readonly ComparisonLimit[] {
  const unknown = found.flatMap((one): readonly string[] => {
    if ('why' in one)
      return one.isNone ? [] : [`${nameOf(one.panelId)} (${one.panelId}): unknown. ${one.why}`];
    return [one.before, one.after].flatMap(({ later, summary: { panelId } }) =>
      later === null
        ? []
        : `${nameOf(panelId)} (${panelId}): unknown after version ${later.read}. Version ${later.began} began after version ${later.read} was read. What events state since is in the lists.`,
    );
  });
  const without = found.flatMap((one) => ('why' in one && one.isNone ? nameOf(one.panelId) : []));
  return [
    ...unknown.map((sentence) => ({ kind: 'unknown', sentence }) as const),
    ...(without.length > 0 ? [{ kind: 'none', sentence: withoutWords(without) } as const] : []),
  ];
}

/** Said where no list of signed-off versions was read: then none is known to have none. */
export const noSignOffKnown = (catalogue: string): string =>
  `No sign-off of ${catalogue} is known: its list of signed-off versions was not read yet, or the catalogue serves none.`;

const MOST_NAMES = 5;

function withoutWords(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${counted(names.length, 'panel')} without a signed-off version: ${shown}${more}.`;
}
