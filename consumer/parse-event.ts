import { kindOf } from '../lambdas/events/kinds.ts';
import { unprintableBut } from '../lambdas/run/text.ts';
import type { PanelEvent } from './panel-event.ts';

/** Why a record is not an event that this version of the package can read, or not one to be trusted. */
export type EventErrorCode =
  | 'NOT_JSON'
  | 'NOT_AN_EVENT'
  | 'NEWER_EVENT'
  | 'INVALID_EVENT'
  | 'NOT_SIGNED'
  | 'REPEATED';

/** Line breaks stay: the list of what does not match a schema has them. */
const unprintable = unprintableBut('\n');

/**
 * A record cannot be read as an event. The message says what was seen and what was expected. What it quotes comes from outside, and
 * steers no terminal and no page that shows it.
 */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly code: EventErrorCode;

  constructor(code: EventErrorCode, message: string, options?: ErrorOptions) {
    super(message.toWellFormed().replace(unprintable, '\ufffd'), options);
    this.code = code;
  }
}

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

/** What Lambda passes to a function that SQS invokes, as far as it is read here. */
export interface SqsInvocation {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** What Lambda passes to a function that SNS invokes, as far as it is read here. */
export interface SnsInvocation {
  readonly Records: readonly { readonly Sns: { readonly MessageId: string; readonly Message: string } }[];
}

/** What Lambda passes to a function that is the target of a rule of EventBridge, as far as it is read here. */
export interface EventBridgeInvocation {
  readonly id: string;
  readonly 'detail-type': string;
  readonly detail: unknown;
}

/** What a function can be invoked with. */
export type Invocation = SqsInvocation | SnsInvocation | EventBridgeInvocation;

/**
 * What happens to an event of a newer type or version. `fail`: its record is delivered again. `skip`: it counts as done.
 * `pass on`: the code gets it as a `NewerEvent`.
 */
export type NewerPolicy = 'fail' | 'skip' | 'pass on';

/** One record of an invocation, read. */
export type Arrival =
  | { readonly kind: 'event'; readonly recordId: string; readonly event: PanelEvent }
  | { readonly kind: 'newer'; readonly recordId: string; readonly event: NewerEvent }
  | { readonly kind: 'bad'; readonly recordId: string; readonly error: EventError };

/**
 * The records of an invocation by SQS, SNS or EventBridge, which has one. A message of a queue is an event (raw delivery), a
 * notification of SNS that holds one, or what a rule of EventBridge sent there. A bad record is a value: the others are still read.
 */
export function readRecords(invocation: Invocation, check?: CheckEvent): readonly Arrival[] {
  if (!('Records' in invocation)) return [arrival(invocation.id, () => parse(invocation, check))];
  return invocation.Records.map((record) =>
    'Sns' in record
      ? arrival(record.Sns.MessageId, () => parse(record.Sns.Message, check))
      : arrival(record.messageId, () => parse(messageIn(record.body), check)),
  );
}

/** How the records of an invocation are read. */
export interface ReadOptions {
  /** By default `fail`. */
  readonly newer?: NewerPolicy;
  /** Checks each event of a known type; an event that it refuses is a bad record. */
  readonly check?: CheckEvent;
}

/** As `readRecords`, with the policy for newer events applied; a skipped event is left out. */
export function readEvents(
  invocation: Invocation,
  { newer = 'fail', check }: ReadOptions = {},
): readonly Arrival[] {
  return readRecords(invocation, check).flatMap((record): readonly Arrival[] => {
    if (record.kind !== 'newer' || newer === 'pass on') return [record];
    return newer === 'skip'
      ? []
      : [{ kind: 'bad', recordId: record.recordId, error: newerError(record.event) }];
  });
}

function arrival(recordId: string, read: () => Parsed): Arrival {
  try {
    return { recordId, ...read() };
  } catch (error) {
    if (error instanceof EventError) return { kind: 'bad', recordId, error };
    throw error;
  }
}

/** The message of an SNS notification in the body of a queue's message; any other body as it is. */
function messageIn(body: string): unknown {
  const notification = jsonOrNull(body);
  const isNotification = isObject(notification) && notification.Type === 'Notification';
  return isNotification && typeof notification.Message === 'string' ? notification.Message : body;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
