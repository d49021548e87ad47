import type { Changes, EventKindName } from '../events/changes.ts';

/** What a part of a text states, by kind of event; drafts of one row add up to its changes. */
export type Draft = { readonly [Kind in EventKindName]?: Partial<Changes[Kind]> };

type Fields = Readonly<Record<string, unknown>>;

/** All drafts as one: lists are joined, and of several single values the last one stands. */
export function join(drafts: readonly Draft[]): Draft {
  const [only, ...others] = drafts;
  if (only && others.length === 0) return only;
  const byKind: Record<string, Fields[]> = {};
  for (const draft of drafts) {
    for (const [kind, fields] of Object.entries(draft)) {
      byKind[kind] ??= [];
      byKind[kind].push(fields);
    }
  }
  return Object.fromEntries(Object.entries(byKind).map(([kind, fields]) => [kind, joinFields(fields)]));
}

function joinFields(all: readonly Fields[]): Fields {
  const joined: Record<string, unknown> = {};
  for (const fields of all) {
    for (const [key, value] of Object.entries(fields)) {
      const known = joined[key];
      if (!Array.isArray(value)) joined[key] = value;
      else if (Array.isArray(known)) for (const item of value) known.push(item);
      else joined[key] = [...value];
    }
  }
  return joined;
}
