import type { PanelEvent, Row } from '../events/schemas.ts';
import { cutText } from './cut-text.ts';

/** Texts of this length are never cut: ratings, names of fields and the like are shorter. */
export const shortestLength = 32;
/** Lists of this many members are never cut. */
const SHORTEST_LIST = 10;
/** No event nests deeper than this; a row as received may. */
const DEEPEST = 8;

/**
 * The event with its texts cut to `length` UTF-16 units, and its lists to an eighth as many members. A row whose
 * `text` is cut has `textTruncated`; other texts that are cut end in an ellipsis.
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

/** The event without its rows, for rows that hold too many values to cut. */
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
