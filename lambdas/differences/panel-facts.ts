import type { PanelChange } from '../events/changes.ts';
import { isBeforeVersion, versionNumbers } from '../events/order.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import {
  type Difference,
  difference,
  type Fact,
  factsIn,
  isSilent,
  type Led,
  listOf,
  type Stated,
  sameList,
  sameText,
  textOf,
  untouched,
  type Via,
} from './difference.ts';
import type { Count, PanelFacts } from './shown.ts';

/** The version of a panel, and up to which one its promotions are known. */
interface ReachedVersion {
  readonly reached: string;
  /** Rows may name a version whose promotion has no row. */
  readonly promotedTo: string;
}

const later = (one: string | undefined, other: string): string =>
  one !== undefined && !isBeforeVersion(one, other) ? one : other;

const majorOf = (version: string): number => versionNumbers(version)?.[0] ?? 0;

const reach = (version: string): ReachedVersion => ({ reached: version, promotedTo: version });

/** The version of a panel. Each major version is a promotion, the minor ones after the last are one change. */
const version: Fact<string, ReachedVersion> = {
  known: reach,
  leads: {
    'panel.promoted': ({ version: to }, before) => ({
      reached: later(before?.reached, to),
      promotedTo: later(before?.promotedTo, to),
    }),
    'panel.changed': ({ changes }) => {
      const stated = changes.findLast(({ field }) => field === 'version');
      if (!stated) return untouched;
      const to = textOf(stated.to);
      return typeof to === 'string' ? reach(to) : undefined;
    },
  },
  // A row that shows up late names a version that the panel has left.
  implied: ({ data: { panel, change } }, before) => {
    if (!panel?.version || isSilent(change)) return untouched;
    const reached = later(before?.reached, panel.version);
    const isPromoted = before !== undefined && majorOf(reached) > majorOf(before.promotedTo);
    return { reached, promotedTo: isPromoted ? before.promotedTo : reached };
  },
  corrects: {
    'panel.promoted': (change, { reached }) =>
      change.previousVersion !== null &&
      isBeforeVersion(change.previousVersion, reached) &&
      isBeforeVersion(reached, change.version)
        ? { ...change, previousVersion: reached }
        : change,
  },
  same: ({ reached, promotedTo }, shown) => reached === shown && majorOf(promotedTo) >= majorOf(shown),
  publishes: (from, to, { via }) => versions(from, to, via),
};

/** A number set by hand rises by more major versions than this; those between never were. */
const MOST_PROMOTIONS = 10;

function versions({ reached, promotedTo }: ReachedVersion, to: string, via: Via): readonly Difference[] {
  const differences: Difference[] = [];
  const [known, shown] = [majorOf(promotedTo), majorOf(to)];
  let previousVersion = promotedTo;
  const first = shown - known > MOST_PROMOTIONS ? shown : known + 1;
  for (let major = first; major <= shown; major += 1) {
    const promoted = `${major}.0`;
    differences.push(difference('panel.promoted', { version: promoted, previousVersion, via }));
    previousVersion = promoted;
  }
  const before = differences.length > 0 ? later(reached, previousVersion) : reached;
  if (before === to) return differences;
  const change = { field: 'version', from: before, to } as const;
  return [...differences, difference('panel.changed', { changes: [change], via })];
}

type Field = PanelChange['field'];

const changed = (via: Via, field: Field, from: Stated, to: Stated): readonly Difference[] => [
  difference('panel.changed', { changes: [{ field, from, to }], via }),
];

interface FieldOf<Value> {
  /** The field of `panel.changed` that publishes a difference. */
  readonly field: Field;
  /** The field under which rows state it, where that is another one. */
  readonly inRows?: Field;
  readonly read: (stated: Stated) => Value | undefined;
  readonly same: (one: Value, other: Value) => boolean;
  readonly write: (value: Value) => Stated;
  readonly leads?: Fact<Value>['leads'];
}

/** A fact that `panel.changed` states. */
function field<Value>({ field: name, inRows, read, same, write, leads }: FieldOf<Value>): Fact<Value> {
  return {
    known: (shown) => shown,
    leads: {
      'panel.changed': ({ changes }) => {
        const stated = changes.findLast((change) => change.field === name || change.field === inRows);
        return stated ? read(stated.to) : untouched;
      },
      ...leads,
    },
    same,
    publishes: (from, to, { via }) => changed(via, name, write(from), write(to)),
  };
}

const text = (name: Field, leads: Fact<string>['leads'] = {}): Fact<string> =>
  field<string>({
    field: name,
    read: (stated) => textOf(stated) ?? undefined,
    same: sameText,
    write: (value) => value,
    leads,
  });

const list = (given: Omit<FieldOf<readonly string[]>, 'read' | 'same' | 'write'>): Fact<readonly string[]> =>
  field<readonly string[]>({
    read: listOf,
    same: sameList,
    write: (value) => [...value],
    ...given,
  });

/**
 * A number of entities, which rows change one by one. The catalogue may count later than it writes rows: a number
 * between the one shown before and the expected one is none to publish.
 */
const count = (name: Field & `numberOf${string}`, type: Entity['type']): Fact<Count> => {
  const moved = (by: number, before: Count | undefined, { data }: PanelEvent): Led<Count> =>
    before && data.entity?.type === type ? { ...before, expected: before.expected + by } : untouched;
  return {
    known: (shown) => shown,
    leads: {
      'panel.created': () => ({ shown: 0, expected: 0 }),
      'entity.added': (_change, before, event) => moved(1, before, event),
      'entity.removed': (_change, before, event) => moved(-1, before, event),
      'panel.changed': ({ changes }) => {
        const to = changes.findLast((change) => change.field === name)?.to;
        return typeof to === 'string' ? { shown: Number(to), expected: Number(to) } : untouched;
      },
    },
    same: ({ shown: before, expected }, { shown }) =>
      Math.min(before, expected) <= shown && shown <= Math.max(before, expected),
    publishes: ({ expected }, { shown }, { via }) => changed(via, name, String(expected), String(shown)),
  };
};

/**
 * Every kind of silent difference of a panel. To add one, add the fact to `PanelFacts`: what is missing here, and in
 * the reader of listings, does not compile.
 */
const table = {
  visible: {
    known: (shown) => shown,
    leads: {
      'panel.created': () => true,
      'panel.published': () => true,
      'panel.withdrawn': () => false,
      'panel.deleted': () => false,
    },
    same: (known, shown) => known === shown,
    publishes: (_from, to, { via }) => [difference(to ? 'panel.published' : 'panel.withdrawn', { via })],
  } satisfies Fact<boolean>,
  version,
  name: text('name', { 'panel.created': ({ name }) => name }),
  description: text('description'),
  // The row that makes a panel public does not say which of the public statuses it has.
  status: text('status', { 'panel.published': () => undefined }),
  types: field<readonly string[]>({
    field: 'types',
    read: listOf,
    same: sameList,
    write: (value) => [...value].sort(),
    leads: { 'panel.created': ({ types = [] }) => types },
  }),
  diseaseGroup: text('diseaseGroup'),
  diseaseSubGroup: text('diseaseSubGroup'),
  // The log calls the relevant disorders "related panels".
  relevantDisorders: list({
    field: 'relevantDisorders',
    inRows: 'relatedPanels',
    leads: { 'panel.created': ({ relatedPanels = [] }) => relatedPanels },
  }),
  childPanels: list({
    field: 'childPanels',
    leads: { 'panel.created': ({ childPanels = [] }) => childPanels },
  }),
  numberOfGenes: count('numberOfGenes', 'gene'),
  numberOfStrs: count('numberOfStrs', 'str'),
  numberOfRegions: count('numberOfRegions', 'region'),
} satisfies { readonly [Name in Exclude<keyof PanelFacts, 'version'>]: Fact<PanelFacts[Name]> } & {
  readonly version: Fact<string, ReachedVersion>;
};

/** The facts of a panel, in the order in which their differences are published. */
export const panelFacts = factsIn(table);
