import { type Desk, type Outcome, openSheet } from '../sheet.ts';
import type { Entity } from '../state.ts';
import { reviewRows } from '../wordings/reviewing.ts';
import { factEntity } from './facts.ts';
import { joinReviewers } from './review.ts';

/** Comments and what is deleted: one row each (section 1.5). */

/** A first contribution without rating, list or tick: the row leaves the comment out, or there was none. */
export function commentFirst(desk: Desk, entity: Entity): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, reviewRows.commented, [['commented']]);
  sheet.fact('entity.commented', factEntity(entity), { comment: null, action: 'added' }, [row]);
  joinReviewers(entity, desk);
  return sheet.outcome();
}

/** A comment by somebody with an earlier review. */
export function commentAgain(desk: Desk, entity: Entity, comment: string): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, reviewRows['commented again'], [['commented again', { comment }]]);
  entity.comments.push(comment);
  sheet.fact(
    'entity.commented',
    factEntity(entity),
    { comment: row.stated[0]?.comment as string, action: 'added' },
    [row],
  );
  return sheet.outcome();
}

/** Replaces the text of a comment. */
export function editComment(desk: Desk, entity: Entity, from: string, to: string): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, reviewRows['comment edited'], [['comment edited', { from, to }]]);
  entity.comments = [...entity.comments.filter((comment) => comment !== from), to];
  const stated = Object.assign({}, ...row.stated);
  sheet.fact(
    'entity.commented',
    factEntity(entity),
    { comment: stated.to, previousComment: stated.from, action: 'edited' },
    [row],
  );
  return sheet.outcome();
}

/** The row names no entity in its text, and does not hold the comment. */
export function deleteComment(desk: Desk, entity: Entity): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, reviewRows['comment deleted'], [['comment deleted']]);
  entity.comments.pop();
  sheet.fact('entity.commented', factEntity(entity), { comment: null, action: 'deleted' }, [row]);
  return sheet.outcome();
}

/** Deletes the review of the person who acts. */
export function deleteReview(desk: Desk, entity: Entity): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, reviewRows['review deleted'], [['review deleted']]);
  entity.reviewers = entity.reviewers.filter((name) => name !== desk.person.name);
  sheet.fact('entity.review-deleted', factEntity(entity), {}, [row]);
  return sheet.outcome();
}
