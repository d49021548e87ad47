import type { PanelChange } from '../events/changes.ts';
import { versionNumbers } from '../events/panel-version.ts';
import { signedOffBy } from '../panels/facts-of.ts';
import { type Difference, difference } from './difference.ts';
import type { ListedPanel } from './listed.ts';
import { sameValue } from './same-value.ts';

const isSignedOff = ({ types }: ListedPanel): boolean => signedOffBy(types.map(({ slug }) => slug));

const majorOf = (version: string): number => versionNumbers(version)?.[0] ?? 0;

/**
 * What changed of one panel between two listings: one difference for each change that the activity log could state in
 * a row of its own. `nameOf` gives the name of a panel by its id.
 */
export function comparePanels(
  before: ListedPanel,
  after: ListedPanel,
  nameOf: (id: number) => string,
): readonly Difference[] {
  const differences: Difference[] = [];
  if (majorOf(after.version) > majorOf(before.version)) {
    const change = { version: after.version, previousVersion: before.version, via: 'listing' } as const;
    differences.push(difference('panel.promoted', change));
  } else if (after.version !== before.version) {
    differences.push(changed({ field: 'version', from: before.version, to: after.version }));
  }
  if (isSignedOff(before) !== isSignedOff(after)) {
    differences.push(difference('panel.signed-off', { signedOff: isSignedOff(after), via: 'listing' }));
  }
  return [...differences, ...properties(before, after, nameOf)];
}

function properties(
  before: ListedPanel,
  after: ListedPanel,
  nameOf: (id: number) => string,
): readonly Difference[] {
  const childrenOf = ({ childPanels }: ListedPanel): readonly string[] | null =>
    childPanels?.toSorted((one, other) => one - other).map(nameOf) ?? null;
  const compared: readonly Compared[] = [
    ['name', before.name, after.name],
    ['description', before.description, after.description],
    ['status', before.status, after.status],
    ['types', typeNames(before), typeNames(after)],
    ['diseaseGroup', before.diseaseGroup, after.diseaseGroup],
    ['diseaseSubGroup', before.diseaseSubGroup, after.diseaseSubGroup],
    ['relevantDisorders', before.relevantDisorders, after.relevantDisorders],
    ['childPanels', childrenOf(before), childrenOf(after)],
    ['numberOfGenes', numberOf(before.genes), numberOf(after.genes)],
    ['numberOfStrs', numberOf(before.strs), numberOf(after.strs)],
    ['numberOfRegions', numberOf(before.regions), numberOf(after.regions)],
  ];
  return compared.flatMap(([field, from, to]) => {
    // What one of the listings does not state is unknown, not changed.
    if (from === null || to === null || sameValue(from, to)) return [];
    return [changed({ field, from: mutable(from), to: mutable(to) })];
  });
}

type Value = string | readonly string[] | null;
type Compared = readonly [field: PanelChange['field'], from: Value, to: Value];

const mutable = (value: string | readonly string[]): string | string[] =>
  typeof value === 'string' ? value : [...value];

const numberOf = (count: number | null): string | null => (count === null ? null : String(count));

/** Names of the types, as the log writes them, without the type that means signed off: it has its own event. */
const typeNames = ({ types }: ListedPanel): readonly string[] =>
  types
    .filter(({ slug }) => !signedOffBy([slug]))
    .map(({ name }) => name)
    .toSorted();

const changed = (change: PanelChange): Difference => difference('panel.changed', { changes: [change] });
