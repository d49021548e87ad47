/**
 * What the code of subscribers imports as `gene-panel-notifier/consumer`: the types of events, readers of what SNS
 * and SQS deliver, filters, and handlers that handle each event once.
 */
export type { Changes, Direction, EventKindName, Rating } from '../lambdas/events/changes.ts';
export { eventKindNames } from '../lambdas/events/changes.ts';
export type { Entity, EventPanel, PanelEvent, Row } from '../lambdas/events/schemas.ts';
export { eventSchema, kindOf, typeName } from '../lambdas/events/schemas.ts';
export { compileFilter, type Filter } from '../lambdas/subscriptions/filter.ts';
export { filterSchema } from '../lambdas/subscriptions/filter-schema.ts';
export { EventError, type EventErrorCode } from './event-error.ts';
export {
  isAdded,
  isAnnotated,
  isClassified,
  isCommented,
  isMarkedReady,
  isPanelChanged,
  isPanelCreated,
  isPanelDeleted,
  isPromoted,
  isPublished,
  isRemoved,
  isRenamed,
  isReviewDeleted,
  isReviewed,
  isReviewsCopied,
  isSignedOff,
  isTagsChanged,
  isUnclassified,
  isWithdrawn,
} from './guards.ts';
export { createSnsHandler, createSqsHandler, type HandlerOptions, type SqsReply } from './handlers.ts';
export { type Once, onceWithPowertools } from './once.ts';
export { type OnceTable, onceInTable } from './once-in-table.ts';
export { type NewerEvent, parseEvent } from './parse-event.ts';
export {
  type Arrival,
  type NewerPolicy,
  readEvents,
  type SnsInvocation,
  type SqsInvocation,
} from './records.ts';
