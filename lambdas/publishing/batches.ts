import type { Message } from './message.ts';

/** The most bytes of one call to SNS, and so of one message: bodies and attributes together. */
export const CALL_BYTES = 262_144;
/**
 * The most bytes of a new message. The rest is room for what EventBridge counts beside an event, so that a bus takes the
 * same bytes as the topics.
 */
export const MESSAGE_BYTES = CALL_BYTES - 256;
const CALL_MESSAGES = 10;

/**
 * The size of a message as SNS counts it, in UTF-8: the body, and the attributes' names, types and values. Names and
 * types are ASCII.
 */
export function bytesOf({ body, attributes }: Pick<Message, 'body' | 'attributes'>): number {
  let bytes = Buffer.byteLength(body);
  for (const name in attributes) {
    const { type = '', value = '' } = attributes[name] ?? {};
    bytes += name.length + type.length + Buffer.byteLength(value);
  }
  return bytes;
}

/** The messages in their order, in as few calls as the limits of a call allow. */
export const batchesOf = (messages: readonly Message[]): readonly (readonly Message[])[] =>
  inCalls(messages, { entries: CALL_MESSAGES, bytes: CALL_BYTES, bytesOf });

interface CallLimits<Entry> {
  readonly entries: number;
  readonly bytes: number;
  readonly bytesOf: (entry: Entry) => number;
}

/** The entries in their order, in as few calls as the limits of a call allow. */
export function inCalls<Entry>(
  entries: readonly Entry[],
  limits: CallLimits<Entry>,
): readonly (readonly Entry[])[] {
  const calls: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = limits.bytesOf(entry);
    const last = calls.at(-1);
    if (last && last.length < limits.entries && bytes + size <= limits.bytes) {
      last.push(entry);
      bytes += size;
    } else {
      calls.push([entry]);
      bytes = size;
    }
  }
  return calls;
}
