import { typeName } from '../lambdas/events/kinds.ts';
import type { EventKindName, PanelEvent } from './panel-event.ts';

/** Whether a value has the `type` of one kind of event; TypeScript then knows its `data`. */
type Guard<Kind extends EventKindName> = (event: { readonly type: string }) => event is PanelEvent<Kind>;

const guard =
  <Kind extends EventKindName>(kind: Kind): Guard<Kind> =>
  (event): event is PanelEvent<Kind> =>
    event.type === typeName(kind);

export const isClassified: Guard<'entity.classified'> = guard('entity.classified');
export const isPromoted: Guard<'panel.promoted'> = guard('panel.promoted');
export const isSignedOff: Guard<'panel.signed-off'> = guard('panel.signed-off');
export const isTagsChanged: Guard<'entity.tags-changed'> = guard('entity.tags-changed');
export const isAdded: Guard<'entity.added'> = guard('entity.added');
export const isRemoved: Guard<'entity.removed'> = guard('entity.removed');
export const isRenamed: Guard<'entity.renamed'> = guard('entity.renamed');
export const isAnnotated: Guard<'entity.annotated'> = guard('entity.annotated');
export const isReviewed: Guard<'entity.reviewed'> = guard('entity.reviewed');
export const isReviewDeleted: Guard<'entity.review-deleted'> = guard('entity.review-deleted');
export const isCommented: Guard<'entity.commented'> = guard('entity.commented');
export const isReviewsCopied: Guard<'entity.reviews-copied'> = guard('entity.reviews-copied');
export const isMarkedReady: Guard<'entity.marked-ready'> = guard('entity.marked-ready');
export const isPanelCreated: Guard<'panel.created'> = guard('panel.created');
export const isPanelDeleted: Guard<'panel.deleted'> = guard('panel.deleted');
export const isPublished: Guard<'panel.published'> = guard('panel.published');
export const isWithdrawn: Guard<'panel.withdrawn'> = guard('panel.withdrawn');
export const isPanelChanged: Guard<'panel.changed'> = guard('panel.changed');
export const isDisagreement: Guard<'entity.disagreement'> = guard('entity.disagreement');
export const isUnclassified: Guard<'activity.unclassified'> = guard('activity.unclassified');
