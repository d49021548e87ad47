import {
  type EditSession,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import { classifiedLists, headlineLists } from '../slots.ts';
import { type Entity, possiblyLeftOut, type Rating, raiseVersion, ratingOfSource } from '../state.ts';
import { commentOn, commentRow, ratingRows, singleEdits } from '../wordings/row-shape.ts';
import { annotatedFact, commentFact, factEntity, fieldFrom, ratedFact, rateSilently } from './facts.ts';

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
  const recording = startRecording(session);
  const row = recording.entityRow(entity, singleEdits.publications, [['publications', { from }]]);
  const commented = writeComment(recording, entity, 'publications', comment);
  annotatedFact(
    recording,
    entity,
    [{ field: 'publications', from: possiblyLeftOut(row.stated[0]?.from) }],
    row,
  );
  stateComment(recording, entity, comment, commented);
  return recording.outcome();
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
  const recording = startRecording(session);
  const row = recording.entityRow(entity, singleEdits[field], [[field, { from, to }]]);
  const commented = writeComment(recording, entity, field, comment);
  annotatedFact(recording, entity, [fieldFrom(field, row.stated[0])], row);
  stateComment(recording, entity, comment, commented);
  return recording.outcome();
}

/** Clearing sources recomputes the rating, which no row states. */

/** Removes one source of an entity. */
export function clearSource(session: EditSession, entity: Entity, source: string): Outcome {
  dropSources(session, entity, [source]);
  rateBySources(entity);
  const recording = startRecording(session);
  const row = recording.entityRow(entity, singleEdits['source cleared'], [['source cleared', { source }]]);
  annotatedFact(recording, entity, [{ field: 'sources', removed: [row.stated[0]?.source] }], row);
  return recording.outcome();
}

/** Removes every source of an entity. */
export function clearAllSources(session: EditSession, entity: Entity): Outcome {
  dropSources(session, entity, entity.sources);
  rateBySources(entity);
  const recording = startRecording(session);
  const row = recording.entityRow(entity, singleEdits['all sources cleared'], [['all sources cleared']]);
  annotatedFact(recording, entity, [{ field: 'sources', aspect: 'all' }], row);
  return recording.outcome();
}

/** What the management command `clear_expert_review` does, without a user. It leaves the rating as it is. */
export function clearExpertReview(session: EditSession, entity: Entity, removed: readonly string[]): Outcome {
  dropSources(session, entity, removed);
  const recording = startRecording({ ...session, person: { name: null, curator: true } });
  const row = recording.entityRow(entity, singleEdits['sources cleared'], [['sources cleared', { removed }]]);
  annotatedFact(recording, entity, [{ field: 'sources', removed: row.stated[0]?.removed }], row);
  return recording.outcome();
}

function dropSources({ panel, at }: EditSession, entity: Entity, dropped: readonly string[]): void {
  raiseVersion(panel, at);
  entity.sources = entity.sources.filter((source) => !dropped.includes(source));
}

function rateBySources(entity: Entity): void {
  const stated = entity.sources.map(ratingOfSource).find((rating) => rating !== null);
  rateSilently(entity, stated ?? 'red');
}

/** Rates an entity by hand: two rows, three with a comment. */
export function rate(session: EditSession, entity: Entity, to: Rating, comment: string | null): Outcome {
  raiseVersion(session.panel, session.at);
  const recording = startRecording(session);
  const headline = writeHeadline(recording, entity, to);
  const commented = writeComment(recording, entity, 'list', comment);
  const classified = recording.entityRow(entity, ratingRows.classified, [
    ['classified', { list: classifiedLists[to] }],
  ]);
  ratedFact(recording, entity, to, [headline, classified]);
  stateComment(recording, entity, comment, commented);
  return recording.outcome();
}

/**
 * Marks an entity as ready: the rating is set again to what it was, so that the first row reads like a
 * classification although nothing changed.
 */
export function markReady(session: EditSession, entity: Entity, comment: string | null): Outcome {
  const recording = startRecording(session);
  const headline = writeHeadline(recording, entity, entity.rating);
  const commented = writeComment(recording, entity, 'ready', comment);
  const ready = recording.entityRow(entity, ratingRows['marked ready'], [['marked ready']]);
  recording.fact(
    'entity.classified',
    factEntity(entity),
    { to: entity.rating, from: { oneOf: [null, entity.rating] }, direction: 'unchanged' },
    [headline],
  );
  stateComment(recording, entity, comment, commented);
  recording.fact('entity.marked-ready', factEntity(entity), {}, [ready]);
  entity.statedRating = entity.rating;
  entity.ready = true;
  return recording.outcome();
}

function writeHeadline(recording: Recording, entity: Entity, to: Rating): WrittenRow {
  if (to === 'none')
    return recording.entityRow(entity, ratingRows['removed from panel'], [['removed from panel']]);
  return recording.entityRow(entity, ratingRows['classified headline'], [
    ['classified headline', { list: headlineLists[to] }],
  ]);
}

/** The row of a comment given with an action; undefined where none was given. */
function writeComment(
  recording: Recording,
  entity: Entity,
  about: keyof typeof commentOn,
  comment: string | null,
): WrittenRow | undefined {
  if (comment === null) return undefined;
  const stored = commentOn[about] + comment;
  entity.comments.push(stored);
  return recording.entityRow(entity, commentRow['comment added'], [['comment added', { comment: stored }]]);
}

/** States that a comment was written, where a row shows it. */
function stateComment(
  recording: Recording,
  entity: Entity,
  typed: string | null,
  row: WrittenRow | undefined,
): void {
  if (typed === null || row === undefined) return;
  commentFact(recording, entity, { typed, stored: row.stated[0]?.comment }, row);
}
