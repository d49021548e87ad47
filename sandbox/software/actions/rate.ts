import {
  type EditSession,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import { classifiedLists, headlineLists } from '../slots.ts';
import { type Entity, type Rating, raiseVersion } from '../state.ts';
import { commentOn, commentRow, ratingRows } from '../wordings/row-shape.ts';
import { commentFact, factEntity, ratedFact } from './facts.ts';

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
export function writeComment(
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
export function stateComment(
  recording: Recording,
  entity: Entity,
  typed: string | null,
  row: WrittenRow | undefined,
): void {
  if (typed === null || row === undefined) return;
  commentFact(recording, entity, { typed, stored: row.stated[0]?.comment }, row);
}
