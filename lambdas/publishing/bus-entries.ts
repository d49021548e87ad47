import * as z from 'zod';
import { inCalls } from './batches.ts';

/** The most bytes of one call to EventBridge, and so of one entry. */
export const CALL_BYTES = 262_144;
const CALL_ENTRIES = 10;
/** EventBridge counts so many bytes for the time of an entry. */
const TIME_BYTES = 14;

const typeSchema = z.object({ specversion: z.literal('1.0'), type: z.string().startsWith('gene-panel.') });

/** An entry as `PutEvents` takes it, with the record of the queue that it was made of. */
export interface BusEntry {
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

/** The entries in their order, in as few calls as the limits of a call allow. */
export const callsOf = (entries: readonly BusEntry[]): readonly (readonly BusEntry[])[] =>
  inCalls(entries, { entries: CALL_ENTRIES, bytes: CALL_BYTES, bytesOf: bytesOfEntry });
