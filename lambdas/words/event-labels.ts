import type { Direction } from '../events/changes.ts';
import type { EventKindName } from '../events/kinds.ts';

/** How a rating changed, as people read it in filters and columns. */
export const directionLabels: Readonly<Record<Direction, string>> = {
  upgraded: 'upgraded',
  downgraded: 'downgraded',
  new: 'newly added',
  unchanged: 'confirmed',
  unknown: 'earlier rating unknown',
};

/** What happened, as people read it in filters and columns. */
export const kindLabels: Readonly<Record<EventKindName, string>> = {
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
  'entity.disagreement': 'disagreement of catalogues',
  'activity.unclassified': 'not recognised',
};

/** What is shown by its number alone: the words for one, and for several. */
type CountedWords = readonly [one: string, several: string];

/** What events of a kind are called, where only their number is shown. */
export const kindWords: Readonly<Record<EventKindName, CountedWords>> = {
  'entity.classified': ['confirmed rating', 'confirmed ratings'],
  'entity.added': ['addition', 'additions'],
  'entity.removed': ['removal', 'removals'],
  'entity.renamed': ['renamed', 'renamed'],
  'entity.tags-changed': ['change of tags', 'changes of tags'],
  'entity.annotated': ['annotation', 'annotations'],
  'entity.reviewed': ['review', 'reviews'],
  'entity.review-deleted': ['deleted review', 'deleted reviews'],
  'entity.commented': ['comment', 'comments'],
  'entity.reviews-copied': ['copied review', 'copied reviews'],
  'entity.marked-ready': ['marked as ready', 'marked as ready'],
  'panel.promoted': ['promotion', 'promotions'],
  'panel.signed-off': ['sign-off', 'sign-offs'],
  'panel.created': ['new panel', 'new panels'],
  'panel.deleted': ['deleted panel', 'deleted panels'],
  'panel.published': ['published panel', 'published panels'],
  'panel.withdrawn': ['withdrawn panel', 'withdrawn panels'],
  'panel.changed': ['change of panel details', 'changes of panel details'],
  'entity.disagreement': ['disagreement of catalogues', 'disagreements of catalogues'],
  'activity.unclassified': ['text that was not recognised', 'texts that were not recognised'],
};

/** `14 changes of tags`, `1 change of tags`. */
export const countedWords = (count: number, [one, several]: CountedWords): string =>
  `${count} ${count === 1 ? one : several}`;
