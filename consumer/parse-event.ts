import * as z from 'zod';
import type { EventKindName } from '../lambdas/events/changes.ts';
import { eventSchema, kindOf, type PanelEvent } from '../lambdas/events/schemas.ts';
import { EventError } from './event-error.ts';

/** An event of a type, or of a version of a type, that this version of the package does not know. */
export interface NewerEvent {
  readonly id: string;
  readonly type: string;
  /** In UTC, as text; absent where the row has no usable time. */
  readonly time?: string;
  readonly data: unknown;
}

const prefix = 'gene-panel.';
const newerSchema = z.looseObject({
  id: z.string(),
  type: z.string().startsWith(prefix),
  time: z.string().exactOptional(),
  data: z.unknown(),
});

const schemas = new Map<EventKindName, z.ZodType>();

function schemaOf(kind: EventKindName): z.ZodType {
  const schema = schemas.get(kind) ?? eventSchema(kind);
  schemas.set(kind, schema);
  return schema;
}

/** What a text or a value is: an event of a known type, or one of a newer type or version. */
type Parsed =
  | { readonly kind: 'event'; readonly event: PanelEvent }
  | { readonly kind: 'newer'; readonly event: NewerEvent };

/**
 * Reads one CloudEvent, as JSON text or as a value, and checks it against the schema of its type. Fields that later
 * versions of the package may add are kept.
 *
 * @throws {EventError} `NOT_JSON`, `NOT_AN_EVENT` or `INVALID_EVENT`
 */
export function parse(input: unknown): Parsed {
  const value = typeof input === 'string' ? fromJson(input) : input;
  const envelope = newerSchema.safeParse(value);
  if (!envelope.success) {
    throw new EventError(
      'NOT_AN_EVENT',
      `This is not an event of the gene panel notifier: ${shown(value)}. Expected a CloudEvent whose type begins with "${prefix}".`,
    );
  }
  // The value itself, not the parsed copy: fields stay, in their order.
  const kind = kindOf(envelope.data.type);
  if (kind === undefined) return { kind: 'newer', event: value as NewerEvent };
  const result = schemaOf(kind).safeParse(value);
  if (!result.success) {
    throw new EventError(
      'INVALID_EVENT',
      `Event ${envelope.data.id} does not match the schema of ${envelope.data.type}: ${z.prettifyError(result.error)}`,
      { cause: result.error },
    );
  }
  return { kind: 'event', event: value as PanelEvent };
}

/**
 * Reads one event of a known type.
 *
 * @throws {EventError} as `parse`, and `NEWER_EVENT` for a type or version that this package does not know
 */
export function parseEvent(input: unknown): PanelEvent {
  const parsed = parse(input);
  if (parsed.kind === 'event') return parsed.event;
  throw newerError(parsed.event);
}

/** The error for an event whose type this version of the package does not know. */
export function newerError({ id, type }: NewerEvent): EventError {
  return new EventError(
    'NEWER_EVENT',
    `Event ${id} has the type ${type}, which this version of gene-panel-notifier does not know. Update the package, or choose newer: 'skip' or 'pass on'.`,
  );
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EventError(
      'NOT_JSON',
      `This is not JSON: ${shown(text)}. Expected a CloudEvent as JSON text.`,
      {
        cause,
      },
    );
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
