import { typeName } from '../lambdas/events/kinds.ts';
import type {
  About,
  Changes,
  Common,
  Entity,
  EntityClassified,
  Envelope,
  EventPanel,
} from './event-types.ts';

/** The name of a type without the prefix `gene-panel.` and the version suffix. */
export type EventKindName = keyof Changes;

/** A rating as a list: green is diagnostic; `none` is "No list". */
export type Rating = NonNullable<EntityClassified['to']>;

/** How a rating changed. */
export type Direction = EntityClassified['direction'];

/** The panel and the entity of `data`, by what a kind of event is about. */
interface Subjects {
  readonly panel: { readonly panel: EventPanel; readonly entity: null };
  readonly entity: { readonly panel: EventPanel; readonly entity: Entity };
  /** `entity` is null where the row does not name it. */
  readonly 'entity if named': { readonly panel: EventPanel; readonly entity: Entity | null };
  /** Both are null where the row could not be read. */
  readonly row: { readonly panel: EventPanel | null; readonly entity: Entity | null };
}

/** The `data` of an event of a kind. */
export type EventData<Kind extends EventKindName = EventKindName> = {
  [K in Kind]: Common &
    Subjects[About[K]] & {
      readonly change: Changes[K];
      /** With `corrects`: the change as the corrected event stated it. */
      readonly correctedChange?: Changes[K];
    };
}[Kind];

/** One event as it is published. Narrow it by `type`, or by a guard such as `isClassified`. */
export type PanelEvent<Kind extends EventKindName = EventKindName> = {
  [K in Kind]: Envelope & { readonly type: `gene-panel.${K}.v1`; readonly data: EventData<K> };
}[Kind];

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
