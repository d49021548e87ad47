import { kindOf } from '../lambdas/events/kinds.ts';
import { EventError } from './event-error.ts';
import type { PanelEvent } from './panel-event.ts';

/** An event of a type, or of a version of a type, that this version of the package does not know. */
export interface NewerEvent {
  readonly id: string;
  readonly type: string;
  /** In UTC, as text; absent where the row has no usable time. */
  readonly time?: string;
  readonly data: unknown;
}

const prefix = 'gene-panel.';

/** What a text or a value is: an event of a known type, or one of a newer type or version. */
export type Parsed =
  | { readonly kind: 'event'; readonly event: PanelEvent }
  | { readonly kind: 'newer'; readonly event: NewerEvent };

/**
 * Checks an event beyond its envelope, such as `checkEvent` of `gene-panel-events/validate`.
 *
 * @throws {EventError} `INVALID_EVENT`
 */
export type CheckEvent = (event: PanelEvent) => void;

/**
 * Reads one CloudEvent, as JSON text or as a value, alone or as the detail of an event of EventBridge. Fields that later versions of the package may add are kept.
 *
 * @param check checks what the envelope holds; without it `data` and its `change` are objects, and no more is checked
 * @throws {EventError} `NOT_JSON`, `NOT_AN_EVENT` or `INVALID_EVENT`
 */
export function parse(input: unknown, check?: CheckEvent): Parsed {
  const value = inDetail(typeof input === 'string' ? fromJson(input) : input);
  if (!isEnvelope(value)) {
    throw new EventError(
      'NOT_AN_EVENT',
      `This is not an event of the gene panel notifier: ${shown(value)}. Expected a CloudEvent whose type begins with "${prefix}".`,
    );
  }
  if (kindOf(value.type) === undefined) return { kind: 'newer', event: value };
  if (!isObject(value.data) || !isObject(value.data.change)) {
    throw new EventError(
      'INVALID_EVENT',
      `Event ${cut(value.id)} does not match the schema of ${value.type}: expected an object as data, with an object as change.`,
    );
  }
  const event = value as NewerEvent as PanelEvent;
  check?.(event);
  return { kind: 'event', event };
}

/**
 * Reads one event of a known type.
 *
 * @throws {EventError} `NOT_JSON`, `NOT_AN_EVENT` or `INVALID_EVENT`, and `NEWER_EVENT` for a type or version that this
 * package does not know
 */
export function parseEvent(input: unknown, check?: CheckEvent): PanelEvent {
  const parsed = parse(input, check);
  if (parsed.kind === 'event') return parsed.event;
  throw newerError(parsed.event);
}

/** The error for an event whose type this version of the package does not know. */
export function newerError({ id, type }: NewerEvent): EventError {
  return new EventError(
    'NEWER_EVENT',
    `Event ${cut(id)} has the type ${cut(type)}, which this version of the package does not know. Update the package, or choose newer: 'skip' or 'pass on'.`,
  );
}

/** Whether a value is an object with properties. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What EventBridge carries as detail; any other value as it is. */
const inDetail = (value: unknown): unknown =>
  isObject(value) && 'detail-type' in value && 'detail' in value ? value.detail : value;

function isEnvelope(value: unknown): value is NewerEvent {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.type === 'string' &&
    value.type.startsWith(prefix) &&
    'data' in value &&
    (value.time === undefined || typeof value.time === 'string')
  );
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The cause would quote the text as it came.
    throw new EventError('NOT_JSON', `This is not JSON: ${shown(text)}. Expected a CloudEvent as JSON text.`);
  }
}

/** The beginning of a text for a message. */
export const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** The beginning of a value, as JSON; its kind alone where it nests too deep to be written. */
function shown(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? String(value);
    return cut(text);
  } catch {
    return Array.isArray(value) ? 'a list that nests too deep' : 'an object that nests too deep';
  }
}
