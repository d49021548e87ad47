import * as z from 'zod';
import type { EventKindName } from '../lambdas/events/kinds.ts';
import { kindOf } from '../lambdas/events/kinds.ts';
import { eventSchema } from '../lambdas/events/schemas.ts';
import * as unchecked from './handlers.ts';
import type { PanelEvent } from './panel-event.ts';
import * as parsing from './parse-event.ts';
import * as records from './parse-event.ts';
import { EventError } from './parse-event.ts';

/**
 * As the main entry, with each event checked against the schema of its type: `gene-panel-events/validate`. It needs zod.
 */

export { filterSchema } from '../lambdas/filters/filter-schema.ts';
export { eventSchema };

const schemas = new Map<EventKindName, z.ZodType>();

function schemaOf(kind: EventKindName): z.ZodType {
  const schema = schemas.get(kind) ?? eventSchema(kind);
  schemas.set(kind, schema);
  return schema;
}

/**
 * Checks an event against the schema of its type. Fields that later versions of the package may add are valid.
 *
 * @throws {EventError} `INVALID_EVENT`, naming the field, what it holds and what was expected
 */
export function checkEvent(event: PanelEvent): void {
  const kind = kindOf(event.type);
  if (kind === undefined) return;
  const result = schemaOf(kind).safeParse(event);
  if (result.success) return;
  throw new EventError(
    'INVALID_EVENT',
    `Event ${parsing.cut(event.id)} does not match the schema of ${event.type}: ${z.prettifyError(result.error)}`,
  );
}

/**
 * Reads one event of a known type, and checks it against the schema of its type.
 *
 * @throws {EventError} `NOT_JSON`, `NOT_AN_EVENT`, `INVALID_EVENT` or `NEWER_EVENT`
 */
export function parseEvent(input: unknown): PanelEvent {
  return parsing.parseEvent(input, checkEvent);
}

/** As `readEvents` of the main entry; an event that does not match its schema is a bad record. */
export function readEvents(
  invocation: records.Invocation,
  options: Omit<records.ReadOptions, 'check'> = {},
): readonly records.Arrival[] {
  return records.readEvents(invocation, { ...options, check: checkEvent });
}

/** As `createSqsHandler` of the main entry; an event that does not match its schema is a record that failed. */
export function createSqsHandler(
  options: Omit<unchecked.HandlerOptions, 'check'>,
): (invocation: records.SqsInvocation) => Promise<unchecked.SqsReply> {
  return unchecked.createSqsHandler({ ...options, check: checkEvent });
}

/**
 * As `createSnsHandler` of the main entry; an event that does not match its schema is a record that failed.
 *
 * @throws {AggregateError} when a record failed: Lambda then repeats the whole invocation
 */
export function createSnsHandler(
  options: Omit<unchecked.HandlerOptions, 'check'>,
): (invocation: records.SnsInvocation) => Promise<void> {
  return unchecked.createSnsHandler({ ...options, check: checkEvent });
}

/**
 * As `createEventBridgeHandler` of the main entry; an event that does not match its schema fails.
 *
 * @throws {unknown} what `handle` throws, and an `EventError` for what is no event: Lambda then repeats the invocation
 */
export function createEventBridgeHandler(
  options: Omit<unchecked.HandlerOptions, 'check'>,
): (invocation: records.EventBridgeInvocation) => Promise<void> {
  return unchecked.createEventBridgeHandler({ ...options, check: checkEvent });
}
