import { type AttributeName, type MessageAttribute, messageAttributes } from '../events/attributes.ts';
import { type Changes, eventKinds } from '../events/changes.ts';
import { toEvent } from '../events/envelope.ts';
import type { Topic } from '../events/kinds.ts';
import { kindOf, type PanelEvent, type Row } from '../events/schemas.ts';
import type { Log } from '../run/log.ts';
import { controls, escaped, noncharacters, safeJson, separators } from '../run/text.ts';

/** An event as it is recorded in the table and sent, byte for byte. */
export interface Message {
  /** The CloudEvent's id, by which consumers recognise repeats. */
  readonly id: string;
  readonly topic: Topic;
  /** The CloudEvent in structured JSON mode. */
  readonly body: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** A message that SNS refuses for its content, however often it is sent. */
export interface Rejection {
  readonly message: Message;
  /** As SNS names it, such as `InvalidParameter`. */
  readonly code: string;
  readonly reason: string;
}

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

/** One SNS message attribute; subscriptions filter on them. */
export interface Attribute {
  readonly type: MessageAttribute['type'];
  readonly value: string;
}

/** The longest single value, in UTF-16 units; names in the catalogue are far shorter. */
const LONGEST_VALUE = 256;
/** The longest array as JSON, in bytes, so that most of a message is left for the event. */
const LONGEST_ARRAY = 8_192;
/** Values that need no cleaning: nearly all. */
const ordinary = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The attributes that subscriptions can filter on (docs/events.md); absent where there is no value. They hold
 * nothing about people: the encryption of a topic does not cover attributes.
 */
export function attributesOf(event: PanelEvent): Readonly<Record<string, Attribute>> {
  const { catalogue, panel, entity } = event.data;
  const attributes: Record<string, Attribute> = {};
  const set = (name: AttributeName, value: string | null): void => {
    if (value) attributes[name] = { type: messageAttributes[name].type, value };
  };
  set('type', event.type);
  set('catalogue', cleaned(catalogue));
  if (typeof panel?.id === 'number') set('panelId', String(panel.id));
  if (entity) {
    set('entityType', entity.type);
    set('entityName', cleaned(entity.name));
  }
  if (event.type === 'gene-panel.entity.classified.v1') {
    const { change, correctedChange: corrected } = event.data;
    // A correction reaches who asks for what is true, and who got what was not.
    for (const [name, key] of ratingAttributes) {
      const [value, before] = [change[key], corrected?.[key] ?? null];
      if (before === null || before === value) set(name, value);
      else
        attributes[name] = { type: 'String.Array', value: JSON.stringify([value, before].filter(Boolean)) };
    }
  }
  set('panelTypes', arrayOf(panel?.types));
  set('relevantDisorders', arrayOf(panel?.relevantDisorders));
  return attributes;
}

const ratingAttributes = [
  ['ratingFrom', 'from'],
  ['ratingTo', 'to'],
  ['direction', 'direction'],
] as const satisfies readonly (readonly [AttributeName, keyof Changes['entity.classified']])[];

function arrayOf(texts: readonly string[] | undefined): string | null {
  if (!texts || texts.length === 0) return null;
  const distinct = [...new Set(texts.map(cleaned))];
  const whole = JSON.stringify(distinct.filter(Boolean));
  if (whole === '[]') return null;
  // A UTF-16 unit takes three bytes at most. No array of a real panel is so long that its bytes are counted.
  return whole.length * 4 < LONGEST_ARRAY ? whole : JSON.stringify(firstTextsOf(distinct));
}

/** The first texts that are together not too long, without the empty one. */
function firstTextsOf(texts: readonly string[]): readonly string[] {
  let bytes = 2;
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(JSON.stringify(text)) + 1;
    return bytes > LONGEST_ARRAY;
  });
  return texts.slice(0, end === -1 ? texts.length : end).filter(Boolean);
}

const refused = new RegExp(`[${controls}${separators}${noncharacters}]+`, 'gu');

/** SNS refuses empty values. SQS refuses control characters, lone surrogates, U+FFFE and U+FFFF. */
function cleaned(text: string): string {
  if (text.length <= LONGEST_VALUE && ordinary.test(text)) return text;
  const spaced = text.toWellFormed().replace(refused, ' ');
  return cutText(spaced.trim(), LONGEST_VALUE).trim();
}

/** The first `length` UTF-16 units of a text; one less where a surrogate pair would be cut in two. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

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

/** Publishes messages on the topics of one deployment. */
export interface Publisher {
  /**
   * Sends each message to its topic, those of one topic in the order given. Returns the messages that SNS refuses
   * for their content, once it accepted all others. Topics do not wait for each other: the messages of the
   * others are sent before the error is thrown. All may then be published again, with the same ids and bodies.
   * @throws {PublishError} when a topic does not accept its messages.
   */
  publish(messages: readonly Message[]): Promise<readonly Rejection[]>;
}

/**
 * Publishes messages. An event that SNS refuses for its content is published as unclassified, so that a person sees
 * it and the events after it do not wait. Returns what SNS accepted, in the order given.
 *
 * @throws {PublishError} when a topic does not take what is left
 */
export async function publishOrQuarantine(
  messages: readonly Message[],
  { publisher, log }: { readonly publisher: Publisher; readonly log: Log },
): Promise<readonly Message[]> {
  const rejections = await publisher.publish(messages);
  const rejected = new Set(rejections.map(({ message }) => message.id));
  const replacements = rejections.map(quarantine);
  for (const { message, code, reason } of await publisher.publish(replacements)) {
    log.error('SNS refused an event, and the event in its place too', { id: message.id, code, reason });
  }
  return [...messages.filter(({ id }) => !rejected.has(id)), ...replacements];
}

/**
 * The unclassified event that is published in place of one that SNS refused for its content, so that a person
 * looks at it. Its body is ASCII and it has few attributes, so that SNS does not refuse it too.
 */
export function quarantine({ message, code }: Rejection): Message {
  const { data, source } = JSON.parse(message.body) as PanelEvent;
  const [row] = data.activities;
  const { panel, late } = data;
  const replacement = toMessage(
    toEvent({
      kind: 'activity.unclassified',
      change: { reason: 'invalid-row', detail: `SNS refused the event ${message.id} (${code})`, row },
      catalogue: { name: data.catalogue, url: source },
      key: message.id,
      at: null,
      panel: panel && { id: panel.id, name: panel.name, version: panel.version },
      entity: null,
      actor: null,
      late,
      rows: row ? [row] : [],
    }),
  );
  const kept = ['type', 'catalogue', 'panelId'];
  return {
    ...replacement,
    body: replacement.body.replace(/[^ -~]/g, escaped),
    attributes: Object.fromEntries(
      Object.entries(replacement.attributes).filter(([name]) => kept.includes(name)),
    ),
  };
}
