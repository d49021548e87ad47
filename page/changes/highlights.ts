import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { greenTurnOfEvent } from '../../lambdas/filters/green-turn.ts';

/** A filter that many readers want, with a name. */
export interface Highlight {
  readonly name: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly filter: Filter;
  /** The matching events that the name is not true of, or not for certain: they are counted apart. */
  readonly apart?: { readonly name: string; readonly is: (event: PanelEvent) => boolean };
}

export const highlights: readonly Highlight[] = [
  {
    name: 'Turned green',
    filter: { green: ['now', 'maybe-now'] },
    values: { green: ['now', 'maybe-now'] },
    apart: { name: 'perhaps green before', is: (event) => greenTurnOfEvent(event) === 'maybe-now' },
  },
  {
    name: 'No longer green',
    filter: { green: ['no-longer', 'maybe-no-longer'] },
    values: { green: ['no-longer', 'maybe-no-longer'] },
    apart: { name: 'may no longer be green', is: (event) => greenTurnOfEvent(event) === 'maybe-no-longer' },
  },
  { name: 'Promoted', filter: { types: ['panel.promoted'] }, values: { type: ['panel.promoted'] } },
  {
    name: 'Signed off',
    filter: { types: ['panel.signed-off'] },
    values: { type: ['panel.signed-off'] },
    apart: {
      name: 'sign-off withdrawn',
      is: ({ type, data }) => type === 'gene-panel.panel.signed-off.v1' && !data.change.signedOff,
    },
  },
  { name: 'Added', filter: { types: ['entity.added'] }, values: { type: ['entity.added'] } },
  { name: 'Removed', filter: { types: ['entity.removed'] }, values: { type: ['entity.removed'] } },
  { name: 'Tags', filter: { topics: ['tags'] }, values: { topic: ['tags'] } },
  { name: 'Reviews', filter: { topics: ['reviews'] }, values: { topic: ['reviews'] } },
  { name: 'Not recognised', filter: { topics: ['unclassified'] }, values: { topic: ['unclassified'] } },
];

/** The keys that a highlight replaces. */
export const ratingKeys: ReadonlySet<string> = new Set([
  'from',
  'to',
  'direction',
  'green',
  'topics',
  'types',
]);
/** Their options in an address. */
export const highlightNames = ['from-rating', 'to', 'direction', 'green', 'topic', 'type'] as const;
