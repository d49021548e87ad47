import { type EditSession, type LineToWrite, type Outcome, record } from '../recording.ts';
import { reviewRatings } from '../slots.ts';
import { type Entity, possiblyLeftOut, type Stated } from '../state.ts';
import { editedReviewRow, reviewedRow, reviewRows } from '../wordings/row-shape.ts';

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
  const { modeOfPathogenicity, publications, phenotypes, modeOfInheritance } = given;
  const { rating, currentDiagnostic, clinicallyRelevant } = given;
  const lines: LineToWrite<keyof typeof reviewedRow.lines>[] = [
    ['rating', { rating: rating ? reviewRatings[rating] : '' }],
    ['modeOfPathogenicity', { modeOfPathogenicity }],
    ['publications', { publications }],
    ['phenotypes', { phenotypes }],
    ['modeOfInheritance', { modeOfInheritance }],
  ];
  if (currentDiagnostic) lines.push(['currentDiagnostic']);
  if (clinicallyRelevant) lines.push(['clinicallyRelevant']);
  joinReviewers(entity, session);
  return record(session, ({ entityRow, fact }) => {
    const row = entityRow(entity, reviewedRow, lines);
    const change = {
      ...row.whole,
      ...doubtfulLists(row.whole),
      rating,
      currentDiagnostic: currentDiagnostic || { oneOf: [null, false] },
      clinicallyRelevant: clinicallyRelevant || { oneOf: [null, false] },
      edited: false,
    };
    fact('entity.reviewed', entity, change, [row]);
  });
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

const editedFields = [
  'comment',
  'rating',
  'modeOfPathogenicity',
  'publications',
  'phenotypes',
  'modeOfInheritance',
] as const;

/** An edited review: one row of what changed. */
export function editReview(session: EditSession, entity: Entity, edit: ReviewEdit): Outcome {
  const lines: LineToWrite<keyof typeof editedReviewRow.lines>[] = [];
  for (const field of editedFields) {
    const value = edit[field];
    if (value === undefined) continue;
    lines.push([field, { [field]: field === 'rating' && edit.rating ? reviewRatings[edit.rating] : value }]);
  }
  if (edit.currentDiagnostic) lines.push(['currentDiagnostic']);
  if (edit.clinicallyRelevant !== undefined) {
    lines.push(['clinicallyRelevant', { clinicallyRelevant: edit.clinicallyRelevant ? 'yes' : 'no' }]);
  }
  return record(session, ({ entityRow, fact }) => {
    const row = entityRow(entity, editedReviewRow, lines);
    const change = {
      ...row.whole,
      ...doubtfulLists(row.whole),
      rating: edit.rating ?? null,
      currentDiagnostic: edit.currentDiagnostic ?? null,
      clinicallyRelevant: edit.clinicallyRelevant ?? null,
      edited: true,
    };
    fact('entity.reviewed', entity, change, [row]);
    if (edit.comment === undefined) return;
    entity.comments.push(edit.comment);
    const comment = row.whole.comment as string;
    // The review states it already.
    fact('entity.commented', entity, { comment, action: 'added' }, [row], 'optional');
  });
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
  joinReviewers(entity, session);
  return record(session, ({ entityLine, fact }) => {
    const row = entityLine(entity, reviewRows, ['commented']);
    fact('entity.commented', entity, { comment: null, action: 'added' }, [row]);
  });
}

/** A comment by a person with an earlier review. */
export function commentAgain(session: EditSession, entity: Entity, comment: string): Outcome {
  entity.comments.push(comment);
  return record(session, ({ entityLine, fact }) => {
    const row = entityLine(entity, reviewRows, ['commented again', { comment }]);
    fact('entity.commented', entity, { comment: row.whole.comment as string, action: 'added' }, [row]);
  });
}

/** Replaces the text of a comment. */
export function editComment(session: EditSession, entity: Entity, from: string, to: string): Outcome {
  entity.comments = [...entity.comments.filter((comment) => comment !== from), to];
  return record(session, ({ entityLine, fact }) => {
    const row = entityLine(entity, reviewRows, ['comment edited', { from, to }]);
    const { to: comment, from: previousComment } = row.whole as Readonly<Record<'from' | 'to', string>>;
    fact('entity.commented', entity, { comment, previousComment, action: 'edited' }, [row]);
  });
}

/** The row names no entity in its text, and does not hold the comment. */
export function deleteComment(session: EditSession, entity: Entity): Outcome {
  entity.comments.pop();
  return record(session, ({ entityLine, fact }) => {
    const row = entityLine(entity, reviewRows, ['comment deleted']);
    fact('entity.commented', entity, { comment: null, action: 'deleted' }, [row]);
  });
}

/** Deletes the review of the person who acts. */
export function deleteReview(session: EditSession, entity: Entity): Outcome {
  entity.reviewers = entity.reviewers.filter((name) => name !== session.person.name);
  return record(session, ({ entityLine, fact }) => {
    const row = entityLine(entity, reviewRows, ['review deleted']);
    fact('entity.review-deleted', entity, {}, [row]);
  });
}
