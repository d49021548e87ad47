import { EventError } from './event-error.ts';
import type { PanelEvent } from './panel-event.ts';
import { type CheckEvent, isObject, type NewerEvent, newerError, type Parsed, parse } from './parse-event.ts';

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
