import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import type { Clock } from '../run/clock.ts';
import { firstLine, type Log } from '../run/log.ts';
import { faultOfCall, isTransient } from './faults.ts';
import { inCalls } from './message.ts';

interface PutOptions {
  readonly client: EventBridgeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** When no call may begin any more, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** Entries that failed for a transient reason are sent again this many times. The queue does the rest. */
const RESENDS = 3;
/** The wait before the first resend is drawn from 0 to this many milliseconds. The limit doubles each time. */
const FIRST_WAIT = 200;

/** The codes of single entries that may be accepted when they are sent again. */
const transientCode = /Throttl|Internal|Unavailable|LimitExceeded/;

/** An entry that EventBridge did not accept, and why. */
interface Refused {
  readonly each: BusEntry;
  readonly code: string;
  readonly reason: string;
  readonly mayPass: boolean;
}

/**
 * Puts entries on the bus. A response with HTTP 200 may name entries that failed: only those are sent again. Returns the
 * entries that the bus did not take; it never throws for them, so that one refused entry holds up no other.
 */
async function putEvents(
  entries: readonly BusEntry[],
  { client, clock, log, deadline }: PutOptions,
): Promise<readonly BusEntry[]> {
  const putOnce = async (call: readonly BusEntry[]): Promise<readonly Refused[]> => {
    try {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({ Entries: call.map(({ entry }) => entry) }),
      );
      return call.flatMap((each, place) => {
        const { EventId, ErrorCode: code = 'NoAnswer', ErrorMessage: reason = '' } = Entries[place] ?? {};
        const mayPass = code === 'NoAnswer' || transientCode.test(code);
        return EventId === undefined ? [{ each, code, reason: firstLine(reason), mayPass }] : [];
      });
    } catch (error) {
      const fault = faultOfCall(error);
      // A refusal of the whole call does not say which entry is the cause.
      if (fault.kind === 'message' && call.length > 1) return onceForEach(call);
      const { code, reason } = fault;
      return call.map((each) => ({ each, code, reason, mayPass: isTransient(fault) }));
    }
  };

  const onceForEach = async (call: readonly BusEntry[]): Promise<readonly Refused[]> => {
    const refused: Refused[] = [];
    for (const each of call) refused.push(...(await putOnce([each])));
    return refused;
  };

  const put = async (call: readonly BusEntry[]): Promise<readonly Refused[]> => {
    const refused: Refused[] = [];
    let left = call;
    for (let resends = 0; ; resends += 1) {
      const now = await putOnce(left);
      refused.push(...now.filter(({ mayPass }) => !mayPass));
      const again = now.filter(({ mayPass }) => mayPass);
      const wait = clock.random() * FIRST_WAIT * 2 ** resends;
      if (again.length === 0 || resends === RESENDS || clock.now() + wait >= deadline)
        return [...refused, ...again];
      await clock.sleep(wait);
      left = again.map(({ each }) => each);
    }
  };

  const notTaken: BusEntry[] = [];
  for (const call of inCalls(entries, { entries: CALL_ENTRIES, bytes: CALL_BYTES, bytesOf: bytesOfEntry })) {
    for (const { each, code, reason } of clock.now() < deadline ? await put(call) : outOfTime(call)) {
      const { recordId: messageId, entry } = each;
      log.error('The bus did not take an event; it stays in the queue', {
        messageId,
        type: entry.DetailType,
        code,
        reason,
      });
      notTaken.push(each);
    }
  }
  return notTaken;
}

const outOfTime = (call: readonly BusEntry[]): readonly Refused[] =>
  call.map((each) => ({ each, code: 'Deadline', reason: 'no time was left to send it', mayPass: true }));

/** A batch of SQS messages, as Lambda gets it. */
export interface QueueBatch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that stay in the queue. */
export interface QueueReply {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

interface ForwardOptions extends PutOptions {
  /** The ARN of the bus. */
  readonly bus: string;
  /** The `source` of the entries. */
  readonly source: string;
}

/**
 * Puts the events of a batch on the bus. What is no event, and what the bus did not take, stays in the queue: SQS hands it
 * out again, and in the end leaves it in the queue of undelivered messages.
 */
export async function forwardBatch(
  { Records }: QueueBatch,
  { bus, source, ...options }: ForwardOptions,
): Promise<QueueReply> {
  const entries: BusEntry[] = [];
  const failed: string[] = [];
  for (const record of Records) {
    try {
      entries.push(busEntry(record, { bus, source }));
    } catch (error) {
      options.log.error('A message of the queue is not an event; it stays there', {
        messageId: record.messageId,
        error,
      });
      failed.push(record.messageId);
    }
  }
  for (const { recordId } of await putEvents(entries, options)) failed.push(recordId);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** The most bytes of one call to EventBridge, and so of one entry. */
export const CALL_BYTES = 262_144;
const CALL_ENTRIES = 10;
/** EventBridge counts so many bytes for the time of an entry. */
const TIME_BYTES = 14;

const typeSchema = z.object({ specversion: z.literal('1.0'), type: z.string().startsWith('gene-panel.') });

/** An entry as `PutEvents` takes it, with the record of the queue that it was made of. */
interface BusEntry {
  readonly recordId: string;
  readonly entry: {
    readonly EventBusName: string;
    readonly Source: string;
    readonly DetailType: string;
    readonly Detail: string;
  };
}

/** The queue holds something that is no event. */
class NoEventError extends Error {
  override readonly name = 'NoEventError';
  readonly code = 'MESSAGE_UNKNOWN';
}

/**
 * The entry of a CloudEvent: its JSON, byte for byte, as the detail, and its type as the detail type.
 * @throws {NoEventError} when the body is no CloudEvent of the notifier
 */
export function busEntry(
  { messageId, body }: { readonly messageId: string; readonly body: string },
  { bus, source }: { readonly bus: string; readonly source: string },
): BusEntry {
  const event = typeSchema.safeParse(jsonIn(body));
  if (!event.success)
    throw new NoEventError(
      'Taking in a message of the queue: it is not an event of the notifier. Look at it in the queue of undelivered messages.',
    );
  const entry = { EventBusName: bus, Source: source, DetailType: event.data.type, Detail: body };
  return { recordId: messageId, entry };
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** The size of an entry as EventBridge counts it, in UTF-8. */
export const bytesOfEntry = ({ entry: { Source, DetailType, Detail } }: BusEntry): number =>
  TIME_BYTES + Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
