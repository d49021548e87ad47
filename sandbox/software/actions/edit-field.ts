import {
  anyOf,
  type EditSession,
  fieldFrom,
  type LineToWrite,
  type Outcome,
  type Recording,
  rateByRows,
  record,
  type WrittenRow,
} from '../recording.ts';
import { classifiedLists, headlineLists } from '../slots.ts';
import { type Entity, possiblyLeftOut, type Rating, raiseVersion } from '../state.ts';
import { commentOn, commentRow, ratingRows, singleEdits, tagsRow } from '../wordings/row-shape.ts';
import { ratingOfSources } from './panel-entities.ts';

/** Edits of one field by its own form: a row, and one for the comment. */

type Comment = string | null;

/** The row shows the old list, never the new one: what it was set to is not stated. */
export function editPublications(
  session: EditSession,
  entity: Entity,
  to: string[],
  comment: Comment,
): Outcome {
  const from = entity.publications;
  raiseVersion(session.panel, session.at);
  entity.publications = to;
  return record(session, (recording) => {
    const row = recording.entityLine(entity, singleEdits, ['publications', { from }]);
    const stateComment = writeComment(recording, entity, 'publications', comment);
    const change = { field: 'publications', from: possiblyLeftOut(row.whole.from) };
    recording.annotated(entity, [change], row);
    stateComment();
  });
}

/** Sets a field that its row shows before and after, with or without a comment. */
export function editField(
  session: EditSession,
  entity: Entity,
  field: 'modeOfInheritance' | 'modeOfPathogenicity' | 'phenotypes',
  to: string | string[] | null,
  comment: Comment,
): Outcome {
  const from = entity[field];
  raiseVersion(session.panel, session.at);
  Object.assign(entity, { [field]: to });
  return record(session, (recording) => {
    const row = recording.entityLine(entity, singleEdits, [field, { from, to }]);
    const stateComment = writeComment(recording, entity, field, comment);
    recording.annotated(entity, [fieldFrom(field, row.whole)], row);
    stateComment();
  });
}

/** Removes one source of an entity, which recomputes the rating; no row states that. */
export function clearSource(session: EditSession, entity: Entity, source: string): Outcome {
  dropSources(session, entity, [source]);
  entity.rating = ratingOfSources(entity) ?? 'red';
  return record(session, ({ entityLine, annotated }) => {
    const row = entityLine(entity, singleEdits, ['source cleared', { source }]);
    annotated(entity, [{ field: 'sources', removed: [row.whole.source] }], row);
  });
}

/** Removes every source of an entity, which recomputes the rating. */
export function clearAllSources(session: EditSession, entity: Entity): Outcome {
  dropSources(session, entity, entity.sources);
  entity.rating = 'red';
  return record(session, ({ entityLine, annotated }) => {
    const row = entityLine(entity, singleEdits, ['all sources cleared']);
    annotated(entity, [{ field: 'sources', aspect: 'all' }], row);
  });
}

/** What the management command `clear_expert_review` does, without a user. It leaves the rating as it is. */
export function clearExpertReview(session: EditSession, entity: Entity, removed: readonly string[]): Outcome {
  dropSources(session, entity, removed);
  return record({ ...session, person: { name: null, curator: true } }, ({ entityLine, annotated }) => {
    const row = entityLine(entity, singleEdits, ['sources cleared', { removed }]);
    annotated(entity, [{ field: 'sources', removed: row.whole.removed }], row);
  });
}

function dropSources({ panel, at }: EditSession, entity: Entity, dropped: readonly string[]): void {
  raiseVersion(panel, at);
  entity.sources = entity.sources.filter((source) => !dropped.includes(source));
}

interface TagEdit {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Edits the tags by their own form: one row, removals first. */
export function editTags(session: EditSession, entity: Entity, { removed, added }: TagEdit): Outcome {
  entity.tags = [...entity.tags.filter((tag) => !removed.includes(tag)), ...added];
  return record(session, ({ entityRow, fact }) => {
    const row = entityRow(entity, tagsRow, [
      ...removed.map((tag): LineToWrite<'tag removed'> => ['tag removed', { tag }]),
      ...added.map((tag): LineToWrite<'tag added'> => ['tag added', { tag }]),
    ]);
    const tags = row.stated.map(({ tag }) => tag) as string[];
    const change = { removed: tags.slice(0, removed.length), added: tags.slice(removed.length) };
    fact('entity.tags-changed', entity, change, [row]);
  });
}

/** Rates an entity by hand: two rows, three with a comment. */
export function rate(session: EditSession, entity: Entity, to: Rating, comment: Comment): Outcome {
  raiseVersion(session.panel, session.at);
  return record(session, (recording) => {
    const headline = writeHeadline(recording, entity, to);
    const stateComment = writeComment(recording, entity, 'list', comment);
    const line = ['classified', { list: classifiedLists[to] }] as const;
    const classified = recording.entityLine(entity, ratingRows, line);
    rateByRows(recording, entity, to, [headline, classified]);
    stateComment();
  });
}

/**
 * Marks an entity as ready: the rating is set again to what it was, so that the first row reads like a
 * classification although nothing changed.
 */
export function markReady(session: EditSession, entity: Entity, comment: Comment): Outcome {
  return record(session, (recording) => {
    const { rating } = entity;
    const headline = writeHeadline(recording, entity, rating);
    const stateComment = writeComment(recording, entity, 'ready', comment);
    const ready = recording.entityLine(entity, ratingRows, ['marked ready']);
    const change = { to: rating, from: { oneOf: [null, rating] }, direction: 'unchanged' } as const;
    recording.fact('entity.classified', entity, change, [headline]);
    stateComment();
    recording.fact('entity.marked-ready', entity, {}, [ready]);
    entity.statedRating = rating;
    entity.ready = true;
  });
}

function writeHeadline({ entityLine }: Recording, entity: Entity, to: Rating): WrittenRow {
  if (to === 'none') return entityLine(entity, ratingRows, ['removed from panel']);
  return entityLine(entity, ratingRows, ['classified headline', { list: headlineLists[to] }]);
}

/**
 * Writes the row of a comment given with an action, if one was. The function returned states the comment, around which the
 * software stored words of its own: it is right with and without them.
 */
function writeComment(
  { entityLine, fact }: Recording,
  entity: Entity,
  about: keyof typeof commentOn,
  typed: Comment,
): () => void {
  if (typed === null) return () => undefined;
  const stored = commentOn[about] + typed;
  entity.comments.push(stored);
  const row = entityLine(entity, commentRow, ['comment added', { comment: stored }]);
  const comment = { oneOf: [...anyOf(row.whole.comment), typed] as string[] };
  return () => fact('entity.commented', entity, { comment, action: 'added' }, [row]);
}
