import type { Filter } from '../../lambdas/subscriptions/filter.ts';

/** A filter that many readers want, with a name. */
export interface Highlight {
  readonly name: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly filter: Filter;
}

const of = (name: string, filter: Filter, values: Highlight['values']): Highlight => ({
  name,
  filter,
  values,
});

export const highlights: readonly Highlight[] = [
  of(
    'Turned green',
    { to: ['green'], direction: ['upgraded', 'new', 'unknown'] },
    { to: ['green'], direction: ['upgraded', 'new', 'unknown'] },
  ),
  of(
    'No longer green',
    { from: ['green'], direction: ['downgraded'] },
    { 'from-rating': ['green'], direction: ['downgraded'] },
  ),
  of('Promoted', { types: ['panel.promoted'] }, { type: ['panel.promoted'] }),
  of('Signed off', { types: ['panel.signed-off'] }, { type: ['panel.signed-off'] }),
  of('Added', { types: ['entity.added'] }, { type: ['entity.added'] }),
  of('Removed', { types: ['entity.removed'] }, { type: ['entity.removed'] }),
  of('Tags', { topics: ['tags'] }, { topic: ['tags'] }),
  of('Reviews', { topics: ['reviews'] }, { topic: ['reviews'] }),
  of('Not recognised', { topics: ['unclassified'] }, { topic: ['unclassified'] }),
];

/** The keys that a highlight replaces. */
export const ratingKeys: ReadonlySet<string> = new Set(['from', 'to', 'direction', 'topics', 'types']);
/** Their options in an address. */
export const highlightNames = ['from-rating', 'to', 'direction', 'topic', 'type'] as const;
