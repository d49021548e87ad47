import { eventKinds } from '../events/changes.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { safeJson } from '../run/safe-json.ts';
import { attributesOf } from './attributes.ts';
import { bytesOf, MESSAGE_BYTES } from './batches.ts';
import type { Message } from './message.ts';
import { shortenEvent, shortestLength, withoutRows } from './shorten.ts';

/**
 * An event as the message that is recorded and sent: valid UTF-8 that SNS accepts, for any texts of the catalogue.
 * The same event gives the same message, byte for byte.
 * @param limit the most bytes of the message with its attributes; longer texts are cut
 */
export function toMessage(event: PanelEvent, limit = MESSAGE_BYTES): Message {
  const kind = kindOf(event.type);
  if (kind === undefined) {
    throw new TypeError(`Making a message of an event: its type '${event.type}' is not one that has a topic`);
  }
  const attributes = attributesOf(event);
  const body = bodyOf(event, limit - bytesOf({ body: '', attributes }));
  return { id: event.id, topic: eventKinds[kind].topic, body, attributes };
}

/** The message of a body that was recorded: topic and attributes follow from its event. */
export function messageOfBody(body: string): Message {
  return { ...toMessage(JSON.parse(body) as PanelEvent), body };
}

/**
 * The event as JSON of at most `limit` bytes in UTF-8. An event that fits is left whole. In one that does not, all
 * texts are cut to one length: the greatest at which the event fits.
 */
function bodyOf(event: PanelEvent, limit: number): string {
  const whole = jsonOf(event, limit);
  if (whole !== undefined) return whole;

  const shorter = shortenEvent(event, limit);
  let best = jsonOf(shortenEvent(shorter, shortestLength), limit);
  if (best === undefined) return portable(JSON.stringify(shortenEvent(withoutRows(event), shortestLength)));
  // The middle by ratio, not by difference: then few attempts are much larger than the limit.
  for (let fits = shortestLength, exceeds = limit; exceeds - fits > 1; ) {
    const length = Math.ceil(Math.sqrt(fits * exceeds));
    const body = jsonOf(shortenEvent(shorter, length), limit);
    if (body === undefined) exceeds = length;
    else [best, fits] = [body, length];
  }
  return best;
}

/** The most bytes that a UTF-16 unit takes in UTF-8. */
const MOST_BYTES = 3;

/** Undefined where the JSON is longer than `limit` bytes, or the event nests too deep for JSON. */
function jsonOf(event: object, limit: number): string | undefined {
  try {
    const written = JSON.stringify(event);
    // Portable JSON has at least one byte for every two of these characters.
    if (written.length > limit * 2) return undefined;
    // Only the escapes of lone surrogates become shorter. To measure takes a tenth of the time of the search below.
    if (!written.includes('\\ud') && isLonger(written, limit)) return undefined;
    const json = portable(written);
    return isLonger(json, limit) ? undefined : json;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a text has more than `limit` bytes in UTF-8. The bytes are counted only where its length leaves it open. */
function isLonger(text: string, limit: number): boolean {
  return text.length * MOST_BYTES > limit && Buffer.byteLength(text) > limit;
}

/**
 * JSON that every reader reads alike: lone surrogates, which JSON.stringify escapes, become U+FFFD. What would steer a
 * terminal, and what SQS refuses, is escaped.
 */
function portable(json: string): string {
  const paired = json.includes('\\ud')
    ? json.replace(/\\(?:(ud[\da-f]{3})|.)/g, (found, surrogate) => (surrogate ? '\ufffd' : found))
    : json;
  return safeJson(paired);
}
