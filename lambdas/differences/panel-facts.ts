import type { PanelChange } from '../events/changes.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { type Difference, difference, type Via } from './difference.ts';
import { type Fact, factsIn, type Led, untouched } from './fact.ts';
import type { Count, PanelFacts } from './shown.ts';
import { listOf, type Stated, sameList, sameText, textOf } from './values.ts';
import { type ReachedVersion, version } from './version-fact.ts';

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
