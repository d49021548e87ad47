import { type EditSession, type LineToWrite, type Outcome, startRecording } from '../recording.ts';
import { reviewRatings } from '../slots.ts';
import { type Entity, possiblyLeftOut, type Stated } from '../state.ts';
import { editedReviewRow, reviewedRow, reviewRows } from '../wordings/row-shape.ts';
import { factEntity } from './facts.ts';

type ReviewRating = keyof typeof reviewRatings;

/** What the form of a review holds. */
export interface Review {
  readonly rating: ReviewRating | null;
  readonly modeOfPathogenicity: string | null;
  readonly publications: readonly string[];
  readonly phenotypes: readonly string[];
  readonly modeOfInheritance: string | null;
  readonly currentDiagnostic: boolean;
  readonly clinicallyRelevant: boolean;
}

/** A new review: one row; the comment given with it is not in the text. */
export function review(session: EditSession, entity: Entity, given: Review): Outcome {
  const recording = startRecording(session);
  const { modeOfPathogenicity, publications, phenotypes, modeOfInheritance } = given;
  const rating = given.rating ? reviewRatings[given.rating] : '';
  const lines: LineToWrite<keyof typeof reviewedRow.lines>[] = [
    ['rating', { rating }],
    ['modeOfPathogenicity', { modeOfPathogenicity }],
    ['publications', { publications }],
    ['phenotypes', { phenotypes }],
    ['modeOfInheritance', { modeOfInheritance }],
  ];
  if (given.currentDiagnostic) lines.push(['currentDiagnostic']);
  if (given.clinicallyRelevant) lines.push(['clinicallyRelevant']);
  const row = recording.entityRow(entity, reviewedRow, lines);
  const stated = Object.assign({}, ...row.stated);
  recording.fact(
    'entity.reviewed',
    factEntity(entity),
    {
      rating: given.rating,
      modeOfPathogenicity: stated.modeOfPathogenicity,
      ...doubtfulLists(stated),
      modeOfInheritance: stated.modeOfInheritance,
      currentDiagnostic: given.currentDiagnostic || { oneOf: [null, false] },
      clinicallyRelevant: given.clinicallyRelevant || { oneOf: [null, false] },
      edited: false,
    },
    [row],
  );
  joinReviewers(entity, session);
  return recording.outcome();
}

/** What an edited review changes; what is absent or empty is not logged. */
export interface ReviewEdit {
  readonly comment?: string;
  readonly rating?: ReviewRating;
  readonly modeOfPathogenicity?: string;
  readonly publications?: readonly string[];
  readonly phenotypes?: readonly string[];
  readonly modeOfInheritance?: string;
  readonly currentDiagnostic?: true;
  /** STRs only; "no" also appears unasked, where the stored value was unset. */
  readonly clinicallyRelevant?: boolean;
}

/** An edited review: one row of what changed. */
export function editReview(session: EditSession, entity: Entity, edit: ReviewEdit): Outcome {
  const recording = startRecording(session);
  const lines: LineToWrite<keyof typeof editedReviewRow.lines>[] = [];
  for (const field of [
    'comment',
    'rating',
    'modeOfPathogenicity',
    'publications',
    'phenotypes',
    'modeOfInheritance',
  ] as const) {
    const value = edit[field];
    if (value === undefined) continue;
    lines.push([field, { [field]: field === 'rating' && edit.rating ? reviewRatings[edit.rating] : value }]);
  }
  if (edit.currentDiagnostic) lines.push(['currentDiagnostic']);
  if (edit.clinicallyRelevant !== undefined) {
    lines.push(['clinicallyRelevant', { clinicallyRelevant: edit.clinicallyRelevant ? 'yes' : 'no' }]);
  }
  const row = recording.entityRow(entity, editedReviewRow, lines);
  const stated = Object.assign({}, ...row.stated);
  recording.fact(
    'entity.reviewed',
    factEntity(entity),
    {
      ...stated,
      ...doubtfulLists(stated),
      rating: edit.rating ?? null,
      currentDiagnostic: edit.currentDiagnostic ?? null,
      clinicallyRelevant: edit.clinicallyRelevant ?? null,
      edited: true,
    },
    [row],
  );
  if (edit.comment !== undefined) {
    entity.comments.push(edit.comment);
    // The review states it already.
    recording.fact(
      'entity.commented',
      factEntity(entity),
      { comment: stated.comment, action: 'added' },
      [row],
      'optional',
    );
  }
  return recording.outcome();
}

/** Many items contain the separator of their list, so leaving out several of them is right. */
function doubtfulLists(stated: Readonly<Record<string, Stated>>): Readonly<Record<string, Stated>> {
  const lists = Object.entries(stated).filter(([slot]) => slot === 'publications' || slot === 'phenotypes');
  return Object.fromEntries(lists.map(([slot, list]) => [slot, possiblyLeftOut(list)]));
}

function joinReviewers(entity: Entity, { person }: EditSession): void {
  if (person.name !== null && !entity.reviewers.includes(person.name)) entity.reviewers.push(person.name);
}

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
