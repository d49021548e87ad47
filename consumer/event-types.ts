import type * as z from 'zod';
import type { Changes } from '../lambdas/events/changes.ts';
import type { eventKinds } from '../lambdas/events/kinds.ts';
import type { EventData, PanelEvent } from '../lambdas/events/schemas.ts';
import type { filterSchema } from '../lambdas/filters/filter-schema.ts';

/**
 * The types of events, from their schemas. The published packages hold the same types written out, each field with its
 * documentation, so that programs need no validator to be compiled (`scripts/event-types.ts`).
 */

export type { Changes, Rating } from '../lambdas/events/changes.ts';
export type { Entity, EventPanel, Row } from '../lambdas/events/schemas.ts';
export type Via = Changes['panel.published']['via'];
/** What two versions of a panel say of one gene, STR or region. */
export type ComparedEntity = NonNullable<
  NonNullable<Changes['panel.signed-off']['comparison']>['entered']
>[number];
export type DisagreementSide = Changes['entity.disagreement']['here'];
/** The attributes of CloudEvents 1.0 that every event has. */
export type Envelope = Omit<PanelEvent, 'type' | 'data'>;
/** What the `data` of every event holds. */
export type Common = Omit<EventData, 'panel' | 'entity' | 'change' | 'correctedChange'>;
/** Which events someone wants to see. */
export type Filter = Lists<z.input<typeof filterSchema>>;
/** What each kind of event is about. */
export type About = { readonly [Kind in keyof typeof eventKinds]: (typeof eventKinds)[Kind]['about'] };
export type EntityClassified = Changes['entity.classified'];
export type PanelPromoted = Changes['panel.promoted'];
export type PanelSignedOff = Changes['panel.signed-off'];
export type EntityTagsChanged = Changes['entity.tags-changed'];
export type EntityAdded = Changes['entity.added'];
export type EntityRemoved = Changes['entity.removed'];
export type EntityRenamed = Changes['entity.renamed'];
export type EntityAnnotated = Changes['entity.annotated'];
export type EntityReviewed = Changes['entity.reviewed'];
export type EntityReviewDeleted = Changes['entity.review-deleted'];
export type EntityCommented = Changes['entity.commented'];
export type EntityReviewsCopied = Changes['entity.reviews-copied'];
export type EntityMarkedReady = Changes['entity.marked-ready'];
export type PanelCreated = Changes['panel.created'];
export type PanelDeleted = Changes['panel.deleted'];
export type PanelPublished = Changes['panel.published'];
export type PanelWithdrawn = Changes['panel.withdrawn'];
export type PanelChanged = Changes['panel.changed'];
export type EntityDisagreement = Changes['entity.disagreement'];
export type ActivityUnclassified = Changes['activity.unclassified'];

/** Lists are only read. */
type Lists<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends (infer Item)[] | undefined ? readonly Item[] : Fields[Name];
};
