import type { Changes, EventKindName } from '../events/changes.ts';

/** What a part of a text states, by kind of event; drafts of one row add up to its changes. */
export type Draft = { readonly [Kind in EventKindName]?: Partial<Changes[Kind]> };

type Fields = Readonly<Record<string, unknown>>;

/** Both drafts as one: lists are joined, and of two single values the later one stands. */
export function join(first: Draft, second: Draft): Draft {
  return joinFields(first as Fields, second as Fields) as Draft;
}

function joinFields(first: Fields, second: Fields): Fields {
  const joined: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = joined[key];
    if (Array.isArray(known) && Array.isArray(value)) joined[key] = [...known, ...value];
    else if (isFields(known) && isFields(value)) joined[key] = joinFields(known, value);
    else joined[key] = value;
  }
  return joined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
