import { eventKinds } from '../events/changes.ts';
import { kindOf, type PanelEvent, type Row } from '../events/schemas.ts';
import { safeJson } from '../run/safe-json.ts';
import { attributesOf, cutText } from './attributes.ts';
import { bytesOf, MESSAGE_BYTES } from './batches.ts';
import type { Message } from './message.ts';

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

/** Texts of this length are never cut: ratings, names of fields and the like are shorter. */
const shortestLength = 32;
/** Lists of this many members are never cut. */
const SHORTEST_LIST = 10;
/** No event nests deeper than this; a row as received may. */
const DEEPEST = 8;

/**
 * The event with its texts cut to `length` UTF-16 units, and its lists to an eighth as many members. A row whose
 * `text` is cut has `textTruncated`; other texts that are cut end in an ellipsis.
 */
function shortenEvent(event: PanelEvent, length: number): PanelEvent {
  const shorter = {
    ...event,
    ...(event.subject === undefined ? {} : { subject: shortenText(event.subject, length) }),
    data: {
      ...shortenMembers({ ...event.data, activities: [] }, length, DEEPEST),
      activities: firstOf(event.data.activities, length).map((row) => shortenRow(row, length)),
    },
  };
  return shorter as object as PanelEvent;
}

/** The event without its rows, for rows that hold too many values to cut. */
function withoutRows(event: PanelEvent): PanelEvent {
  const { data } = event;
  const change = 'row' in data.change ? { ...data.change, row: null } : data.change;
  return { ...event, data: { ...data, change, activities: [] } } as PanelEvent;
}

function shortenRow(row: Row, length: number): object {
  const shorter = shortenMembers(row, length, DEEPEST);
  if (typeof row.text !== 'string' || row.text.length <= length) return shorter;
  return { ...shorter, text: cutText(row.text, length), textTruncated: true };
}

function shorten(value: unknown, length: number, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value, length);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (!Array.isArray(value)) return shortenMembers(value, length, depth);
  return firstOf(value, length).map((item) => shorten(item, length, depth - 1));
}

function shortenMembers(value: object, length: number, depth: number): object {
  const members = firstOf(Object.entries(value), length).map(
    ([key, item]) => [shortenText(key, length), shorten(item, length, depth - 1)] as const,
  );
  return Object.fromEntries(members);
}

function shortenText(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length - 1)}…`;
}

function firstOf<Item>(items: readonly Item[], length: number): readonly Item[] {
  return items.slice(0, Math.max(SHORTEST_LIST, length / 8));
}
