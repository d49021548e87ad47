import type { Annotation, Changes } from '../events/changes.ts';
import { type Draft, join } from './draft.ts';
import { ratingOfSources } from './values.ts';

/** Completes a draft with what its parts imply together. */
export function derive(draft: Draft): Draft {
  let whole = draft;
  if (whole['entity.added']) whole = { ...whole, ...addition(whole['entity.added']) };
  if (whole['entity.annotated']) whole = annotation(whole, whole['entity.annotated'].changes ?? []);
  if (whole['entity.tags-changed']) {
    whole = { ...whole, 'entity.tags-changed': { added: [], removed: [], ...whole['entity.tags-changed'] } };
  }
  if (whole['entity.reviewed']) whole = join({ 'entity.reviewed': { edited: false } }, whole);
  return whole;
}

/** An addition also states the entity's first rating and tags, as far as its sources and text give them. */
function addition(stated: Partial<Changes['entity.added']>): Draft {
  const { sources = [], tags = [], copiedFrom = null } = stated;
  const rating = ratingOfSources(sources);
  return {
    'entity.added': { ...stated, sources, tags, copiedFrom, rating },
    ...(rating && { 'entity.classified': { from: null, to: rating, direction: 'new' } }),
    ...(tags.length > 0 && { 'entity.tags-changed': { added: tags, removed: [] } }),
  };
}

/** Sources are told as one change; an expert review among those added carries the rating. */
function annotation(draft: Draft, changes: readonly Annotation[]): Draft {
  const sources = changes.filter(({ field, aspect }) => field === 'sources' && !aspect);
  if (sources.length === 0) return draft;
  const added = sources.flatMap((change) => change.added ?? []);
  const removed = sources.flatMap((change) => change.removed ?? []);
  const others = changes.filter((change) => !sources.includes(change));
  const rating = ratingOfSources(added);
  const told: Annotation = {
    field: 'sources',
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
  };
  return {
    ...draft,
    'entity.annotated': { changes: [told, ...others] },
    ...(rating && !draft['entity.classified'] && { 'entity.classified': { to: rating } }),
  };
}
