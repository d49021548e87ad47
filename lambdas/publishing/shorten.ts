import type { PanelEvent, Row } from '../events/schemas.ts';
import { cutText } from './cut-text.ts';

/** Texts of this length, and lists of this many members, are never cut: ratings, fields and the like are shorter. */
export const shortestLength = 32;
const SHORTEST_LIST = 10;
/** Events nest less deep than this; a row as received may nest as deep as it likes. */
const DEEPEST = 8;

/**
 * The event with its texts cut to `length` UTF-16 units, and its lists and rows to a number of members that falls
 * with it. A row whose `text` is cut says so by `textTruncated`; other texts that are cut end in an ellipsis.
 */
export function shortenEvent(event: PanelEvent, length: number): PanelEvent {
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

/** For an event whose rows hold so many values that cutting these does not help. */
export function withoutRows(event: PanelEvent): PanelEvent {
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
