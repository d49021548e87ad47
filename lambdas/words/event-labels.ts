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
  'activity.unclassified': 'not recognised',
};
