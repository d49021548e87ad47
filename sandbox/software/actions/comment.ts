import { type EditSession, type Outcome, startRecording } from '../recording.ts';
import type { Entity } from '../state.ts';
import { reviewRows } from '../wordings/reviewing.ts';
import { factEntity } from './facts.ts';
import { joinReviewers } from './review.ts';

/** Comments and what is deleted: one row each. */

/** A first contribution without rating, list or tick: the row leaves the comment out, or there was none. */
export function commentFirst(session: EditSession, entity: Entity): Outcome {
  const recording = startRecording(session);
  const row = recording.entityRow(entity, reviewRows.commented, [['commented']]);
  recording.fact('entity.commented', factEntity(entity), { comment: null, action: 'added' }, [row]);
  joinReviewers(entity, session);
  return recording.outcome();
}

/** A comment by a person with an earlier review. */
export function commentAgain(session: EditSession, entity: Entity, comment: string): Outcome {
  const recording = startRecording(session);
  const row = recording.entityRow(entity, reviewRows['commented again'], [['commented again', { comment }]]);
  entity.comments.push(comment);
  recording.fact(
    'entity.commented',
    factEntity(entity),
    { comment: row.stated[0]?.comment as string, action: 'added' },
    [row],
  );
  return recording.outcome();
}

/** Replaces the text of a comment. */
export function editComment(session: EditSession, entity: Entity, from: string, to: string): Outcome {
  const recording = startRecording(session);
  const row = recording.entityRow(entity, reviewRows['comment edited'], [['comment edited', { from, to }]]);
  entity.comments = [...entity.comments.filter((comment) => comment !== from), to];
  const stated = Object.assign({}, ...row.stated);
  recording.fact(
    'entity.commented',
    factEntity(entity),
    { comment: stated.to, previousComment: stated.from, action: 'edited' },
    [row],
  );
  return recording.outcome();
}

/** The row names no entity in its text, and does not hold the comment. */
export function deleteComment(session: EditSession, entity: Entity): Outcome {
  const recording = startRecording(session);
  const row = recording.entityRow(entity, reviewRows['comment deleted'], [['comment deleted']]);
  entity.comments.pop();
  recording.fact('entity.commented', factEntity(entity), { comment: null, action: 'deleted' }, [row]);
  return recording.outcome();
}

/** Deletes the review of the person who acts. */
export function deleteReview(session: EditSession, entity: Entity): Outcome {
  const recording = startRecording(session);
  const row = recording.entityRow(entity, reviewRows['review deleted'], [['review deleted']]);
  entity.reviewers = entity.reviewers.filter((name) => name !== session.person.name);
  recording.fact('entity.review-deleted', factEntity(entity), {}, [row]);
  return recording.outcome();
}
