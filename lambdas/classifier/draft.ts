import type { Annotation, Changes, EventKindName } from '../events/changes.ts';
import { ratingOfSources } from './values.ts';

/** What a part of a text states, by kind of event; drafts of one row add up to its changes. */
export type Draft = { readonly [Kind in EventKindName]?: Partial<Changes[Kind]> };

type Fields = Record<string, unknown>;

/** Kinds whose parts state items of lists; all others state a field each. */
const ofLists: readonly string[] = [
  'entity.annotated',
  'entity.tags-changed',
  'panel.changed',
] satisfies EventKindName[];

/** The first draft with what the next one adds to it; changes both, as every draft is made for one row. */
export function join(draft: Draft, next: Draft): Draft {
  const joined = draft as Record<string, Fields>;
  for (const kind in next) {
    const known = joined[kind];
    const fields = (next as Record<string, Fields>)[kind] ?? {};
    if (!known) joined[kind] = fields;
    else if (ofLists.includes(kind)) joinLists(known, fields);
    else for (const name in fields) known[name] = fields[name];
  }
  return draft;
}

function joinLists(known: Fields, lists: Fields): void {
  for (const name in lists) {
    const list = known[name] as unknown[];
    for (const item of lists[name] as unknown[]) list.push(item);
  }
}

/** Completes a draft with what its parts imply together; changes the draft itself. */
export function derive(draft: Draft): Draft {
  const added = draft['entity.added'];
  if (added) return addition(draft, added);
  const changes = draft['entity.annotated']?.changes;
  return changes?.some(ofSources) ? { ...draft, ...annotation(changes, draft) } : draft;
}

/** An addition also states the entity's first rating, as far as its sources give it. */
function addition(draft: Draft, stated: Partial<Changes['entity.added']>): Draft {
  const { sources = [], copiedFrom = null } = stated;
  const rating = ratingOfSources(sources);
  const change = Object.assign(withTags(stated), { sources, copiedFrom, rating });
  return Object.assign(draft, {
    'entity.added': change,
    ...(rating && { 'entity.classified': { from: null, to: rating, direction: 'new' } }),
  });
}

/** An addition without a line on tags had none; one whose tags cannot be separated does not state them. */
function withTags(stated: Partial<Changes['entity.added']>): Partial<Changes['entity.added']> {
  const { tags, ...others } = stated;
  if (tags) return stated;
  return 'tags' in stated ? others : { ...stated, tags: [] };
}

/**
 * All sources are one change. An expert review among those added carries the rating, which is unchanged: the
 * software writes a line of its own for a change. But where the review that moved the entity to "No list" is
 * replaced without that line, the entity is still flagged, and stays there.
 */
function annotation(changes: readonly Annotation[], draft: Draft): Draft {
  const sources = changes.filter(ofSources);
  const added = sources.flatMap((change) => change.added ?? []);
  const removed = sources.flatMap((change) => change.removed ?? []);
  const change: Annotation = {
    field: 'sources',
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
  };
  const staysFlagged = ratingOfSources(removed) === 'none';
  const rating = staysFlagged ? null : ratingOfSources(added);
  return {
    'entity.annotated': { changes: [change, ...changes.filter((change) => !ofSources(change))] },
    ...(rating &&
      !draft['entity.classified'] && { 'entity.classified': { to: rating, direction: 'unchanged' } }),
  };
}

function ofSources({ field, aspect }: Annotation): boolean {
  return field === 'sources' && !aspect;
}
