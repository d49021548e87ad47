import type { EventKindName } from '../../lambdas/events/kinds.ts';
import type { Topic } from '../../lambdas/events/topics.ts';
import type { FilterName } from '../view.ts';

/** The filters as people read them. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  panel: 'Panel',
  'r-code': 'R code',
  gene: 'Gene, STR or region',
  'from-rating': 'Rating before',
  to: 'Rating now',
  direction: 'How the rating changed',
  topic: 'About',
  type: 'What happened',
  'entity-type': 'Genes, STRs and regions',
  'panel-type': 'Panel type',
  tag: 'Tag',
  actor: 'Curator or reviewer',
  late: 'Late',
};

const ratings = {
  green: 'green',
  amber: 'amber',
  red: 'red',
  none: 'unrated',
  unknown: 'unknown',
} as const;

const directions = {
  upgraded: 'upgraded',
  downgraded: 'downgraded',
  new: 'newly added',
  unchanged: 'confirmed',
  unknown: 'earlier rating unknown',
} as const;

const topics: Readonly<Record<Topic, string>> = {
  classifications: 'ratings',
  promotions: 'promotions and sign-offs',
  tags: 'tags',
  membership: 'added, removed, renamed',
  annotations: 'annotations',
  reviews: 'reviews and comments',
  panels: 'panels',
  unclassified: 'not recognised',
};

const kinds: Readonly<Record<EventKindName, string>> = {
  'entity.classified': 'rated',
  'panel.promoted': 'panel promoted',
  'panel.signed-off': 'panel signed off, or sign-off withdrawn',
  'entity.tags-changed': 'tags changed',
  'entity.added': 'added to a panel',
  'entity.removed': 'removed from a panel',
  'entity.renamed': 'renamed, or symbol replaced',
  'entity.annotated': 'annotation changed',
  'entity.reviewed': 'reviewed',
  'entity.review-deleted': 'review deleted',
  'entity.commented': 'comment',
  'entity.reviews-copied': 'reviews copied',
  'entity.marked-ready': 'marked as ready',
  'panel.created': 'panel created',
  'panel.deleted': 'panel deleted',
  'panel.published': 'panel became public',
  'panel.withdrawn': 'panel no longer public',
  'panel.changed': 'panel changed',
  'activity.unclassified': 'not recognised',
};

const entityTypes = { gene: 'genes', str: 'STRs', region: 'regions' } as const;
const panelTypes = { 'gms-signed-off': 'with a signed-off version (GMS)' } as const;
const late = { true: 'late only', false: 'not late' } as const;

/** The values of the filters that have few, with their words; a filter of names has none. */
export const valueWords: Readonly<Partial<Record<FilterName, Readonly<Record<string, string>>>>> = {
  'from-rating': ratings,
  to: ratings,
  direction: directions,
  topic: topics,
  type: kinds,
  'entity-type': entityTypes,
  'panel-type': panelTypes,
  late,
};

/** The word of a value; the value where it has none. Types of events may have their long form. */
export function wordOf(filter: FilterName, value: string): string {
  const short = value.replace(/^gene-panel\.(.*)\.v\d+$/, '$1');
  return valueWords[filter]?.[short] ?? value;
}
