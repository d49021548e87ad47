import type { Changes, EventKindName } from '../events/changes.ts';

/** What a part of a text states, by kind of event; drafts of one row add up to its changes. */
export type Draft = { readonly [Kind in EventKindName]?: Partial<Changes[Kind]> };

type Fields = Record<string, unknown>;

/** Kinds whose parts state items of lists; all others state a field each. */
const ofLists: readonly string[] = [
  'entity.annotated',
  'entity.tags-changed',
  'panel.changed',
] satisfies EventKindName[];

/** The first draft with what the next one adds to it. Both are used up: every draft is made for one row. */
export function join(draft: Draft, next: Draft): Draft {
  const joined = draft as Record<string, Fields>;
  for (const kind in next) {
    const known = joined[kind];
    const fields = (next as Record<string, Fields>)[kind] ?? {};
    if (!known) joined[kind] = fields;
    else if (ofLists.includes(kind)) joinLists(known, fields);
    else Object.assign(known, fields);
  }
  return draft;
}

function joinLists(known: Fields, lists: Fields): void {
  for (const name in lists) {
    const list = known[name] as unknown[];
    for (const item of lists[name] as unknown[]) list.push(item);
  }
}
