import type { Message } from './message.ts';

/** What one call to SNS may carry, and so what one message may weigh: bodies and attributes, in bytes. */
export const CALL_BYTES = 262_144;
const CALL_MESSAGES = 10;

/** As SNS counts, in UTF-8: the body and the names, types and values of the attributes. */
export function bytesOf({ body, attributes }: Pick<Message, 'body' | 'attributes'>): number {
  let bytes = Buffer.byteLength(body);
  for (const name in attributes) {
    const { type = '', value = '' } = attributes[name] ?? {};
    bytes += Buffer.byteLength(name) + type.length + Buffer.byteLength(value);
  }
  return bytes;
}

/** The messages in their order, in the fewest calls that a call's limits allow without changing it. */
export function batchesOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const batches: Message[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = bytesOf(message);
    const last = batches.at(-1);
    if (last && last.length < CALL_MESSAGES && bytes + size <= CALL_BYTES) {
      last.push(message);
      bytes += size;
    } else {
      batches.push([message]);
      bytes = size;
    }
  }
  return batches;
}
