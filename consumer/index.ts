/**
 * What the code of subscribers imports as `gene-panel-events`: the types of events, guards, readers of what SNS and SQS
 * deliver, filters, and handlers that handle each event once. It needs no other package.
 */
export { eventKindNames, kindOf, typeName } from '../lambdas/events/kinds.ts';
export type * from './event-types.ts';
export { compileFilter, createNames, type KnownNames } from './filter.ts';
export {
  createEventBridgeHandler,
  createSnsHandler,
  createSqsHandler,
  type HandlerOptions,
  type Once,
  onceWithPowertools,
  type SqsReply,
} from './handlers.ts';
export { inOrder } from './in-order.ts';
export type { Direction, EventData, EventKindName, PanelEvent, Rating } from './panel-event.ts';
export {
  isAdded,
  isAnnotated,
  isClassified,
  isCommented,
  isDisagreement,
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
} from './panel-event.ts';
export {
  type Arrival,
  type CheckEvent,
  type EventBridgeInvocation,
  EventError,
  type EventErrorCode,
  type NewerEvent,
  type NewerPolicy,
  parseEvent,
  type ReadOptions,
  readEvents,
  type SnsInvocation,
  type SqsInvocation,
} from './parse-event.ts';
