import type { Changes, EventKindName } from '../events/changes.ts';

/** What a part of a text states, by kind of event; drafts of one row add up to its changes. */
export type Draft = { readonly [Kind in EventKindName]?: Partial<Changes[Kind]> };

type Fields = Record<string, unknown>;

/**
 * All drafts as one: lists are joined, and of several single values the last one stands. The drafts are used
 * up, as each is made for one row.
 */
export function join(drafts: readonly Draft[]): Draft {
  const [first = {}, ...others] = drafts as readonly Record<string, Fields>[];
  for (const draft of others) {
    for (const kind in draft) {
      const known = first[kind];
      const fields = draft[kind] ?? {};
      if (known) joinFields(known, fields);
      else first[kind] = fields;
    }
  }
  return first;
}

function joinFields(known: Fields, fields: Fields): void {
  for (const key in fields) {
    const list = known[key];
    const value = fields[key];
    if (Array.isArray(list) && Array.isArray(value)) for (const item of value) list.push(item);
    else known[key] = value;
  }
}
