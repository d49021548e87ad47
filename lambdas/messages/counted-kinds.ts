import type { EventKindName } from '../events/changes.ts';

/** What several events of a kind are called, where only their number is shown. */
export const kindWords: Readonly<Partial<Record<EventKindName, string>>> = {
  'entity.classified': 'confirmed ratings',
  'entity.tags-changed': 'changes of tags',
  'entity.annotated': 'annotations',
  'entity.reviewed': 'reviews',
  'entity.review-deleted': 'deleted reviews',
  'entity.commented': 'comments',
  'entity.reviews-copied': 'copied reviews',
  'entity.marked-ready': 'marked as ready',
  'panel.changed': 'changes of panel details',
  'activity.unclassified': 'texts that were not recognised',
};

/** `14 changes of tags`, `1 change of tags`. */
export const countedWords = (count: number, words: string): string =>
  count === 1 ? `1 ${singular(words)}` : `${count} ${words}`;

const singular = (words: string): string =>
  words.replace(/(change|text|annotation|review|comment|rating)s\b/, '$1').replace('were', 'was');
