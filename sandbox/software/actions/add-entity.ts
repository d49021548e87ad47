import {
  type EditSession,
  type LineToWrite,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import { reviewRatings as ratingWords, type reviewRatings } from '../slots.ts';
import {
  type Entity,
  isMitochondrial,
  isOneOf,
  type Rating,
  raiseVersion,
  ratingOfSource,
} from '../state.ts';
import { addedRow } from '../wordings/row-shape.ts';
import { factEntity } from './facts.ts';

type AddedLine = keyof typeof addedRow.lines;

/** The fields of the form for a new entity, beside the entity itself. */
export interface FirstReview {
  readonly rating: keyof typeof reviewRatings | null;
  readonly clinicallyRelevant: boolean;
  readonly currentDiagnostic: boolean;
  readonly comment: string | null;
}

export const noFirstReview: FirstReview = {
  rating: null,
  clinicallyRelevant: false,
  currentDiagnostic: false,
  comment: null,
};

/** Adds an entity to the panel: one row. */
export function addEntity(session: EditSession, entity: Entity, review: FirstReview): Outcome {
  const recording = startRecording(session);
  admitEntity(session, entity);
  const row = writeAdded(recording, entity, review);
  stateAdded(recording, entity, review, { row, paired: [], copiedFrom: null });
  return recording.outcome();
}

/** Puts the entity on the panel, with the rating that follows from its sources or from the role of the person. */
export function admitEntity({ panel, person, at }: EditSession, entity: Entity): void {
  entity.rating = initialRating(entity) ?? (person.curator ? 'red' : 'none');
  entity.statedRating = initialRating(entity);
  if (isMitochondrial(entity)) entity.modeOfInheritance = 'MITOCHONDRIAL';
  if (person.curator) raiseVersion(panel, at);
  panel.entities.push(entity);
}

function initialRating({ sources }: Entity): Rating | null {
  return sources.map(ratingOfSource).find((rating) => rating !== null) ?? null;
}

/** Writes the row of an entity that was added, with what its form said. */
export function writeAdded(recording: Recording, entity: Entity, review: FirstReview): WrittenRow {
  const { sources, tags, publications, phenotypes, penetrance, modeOfPathogenicity } = entity;
  const commented = review.comment !== null || review.rating !== null;
  const lines: LineToWrite<AddedLine>[] = [['added'], ['added to panel', { sources }]];
  if (tags.length > 0) lines.push(['tags given', { tags }]);
  if (isMitochondrial(entity)) lines.push(['mitochondrial']);
  else lines.push(['modeOfInheritance', { modeOfInheritance: entity.modeOfInheritance }]);
  if (publications.length > 0) lines.push(['publications', { publications }]);
  if (phenotypes.length > 0) lines.push(['phenotypes', { phenotypes }]);
  if (penetrance) lines.push(['penetrance', { penetrance }]);
  if (modeOfPathogenicity) {
    // STRs and regions have no such field: the value is given, not stored, and printed as None.
    lines.push([
      'modeOfPathogenicity',
      { modeOfPathogenicity: entity.type === 'gene' ? modeOfPathogenicity : null },
    ]);
  }
  if (review.rating) lines.push(['review rating', { rating: ratingWords[review.rating] }]);
  if (review.clinicallyRelevant) lines.push(['clinically relevant']);
  if (review.currentDiagnostic) lines.push(['current diagnostic']);
  // Without sources, the comment is dropped.
  if (review.comment !== null && sources.length > 0) {
    lines.push(['comment', { comment: review.comment, commentSources: sources }]);
  } else if (commented) lines.push(['comment of sources', { commentSources: sources }]);
  if (entity.type !== 'gene') entity.modeOfPathogenicity = null;
  return recording.entityRow(entity, addedRow, lines);
}

interface AddedRows {
  readonly row: WrittenRow;
  readonly paired: readonly WrittenRow[];
  readonly copiedFrom: string | null;
}

/** What the row of an added entity states: of membership, rating, tags and reviews. */
export function stateAdded(
  recording: Recording,
  entity: Entity,
  review: FirstReview,
  { row, paired, copiedFrom }: AddedRows,
): void {
  const subject = factEntity(entity);
  const stated = Object.assign({}, ...row.stated);
  const rating = initialRating(entity);
  recording.fact(
    'entity.added',
    subject,
    {
      rating,
      sources: stated.sources,
      tags: stated.tags ?? [],
      copiedFrom,
      // The line shows MITOCHONDRIAL for such a symbol, even where another value was stored.
      modeOfInheritance: isMitochondrial(entity) ? null : stated.modeOfInheritance,
      modeOfPathogenicity: stated.modeOfPathogenicity ?? null,
      penetrance: stated.penetrance ?? null,
      phenotypes: stated.phenotypes ?? [],
      publications: stated.publications ?? [],
    },
    [row, ...paired],
  );
  if (rating)
    recording.fact('entity.classified', subject, { from: null, to: rating, direction: 'new' }, [row]);
  if (stated.tags) {
    // Where the text does not say which tags, a change of tags would state nothing.
    const optional = isOneOf(stated.tags) ? 'optional' : undefined;
    recording.fact('entity.tags-changed', subject, { added: stated.tags, removed: [] }, [row], optional);
  }
  stateFirstReview(recording, entity, review, row);
}

/**
 * The review that comes with an added entity. Its comment may be published with the review or by itself, so
 * an event of its own is optional where there is a review.
 */
function stateFirstReview(recording: Recording, entity: Entity, review: FirstReview, row: WrittenRow): void {
  const reviewed = review.rating !== null || review.clinicallyRelevant || review.currentDiagnostic;
  const typed = entity.sources.length > 0 ? review.comment : null;
  const ofSources = `Sources: ${entity.sources.join(', ')}`;
  const stored = typed === null ? ofSources : `${typed} \n${ofSources}`;
  const commented = review.rating !== null || review.comment !== null;
  if (reviewed) {
    recording.fact(
      'entity.reviewed',
      factEntity(entity),
      {
        rating: review.rating,
        clinicallyRelevant: review.clinicallyRelevant || { oneOf: [null, false] },
        currentDiagnostic: review.currentDiagnostic || { oneOf: [null, false] },
        comment: commented ? { oneOf: [null, typed, stored] } : null,
        edited: false,
      },
      [row],
    );
  }
  if (!commented) return;
  recording.fact(
    'entity.commented',
    factEntity(entity),
    { comment: { oneOf: typed === null ? [null, stored, stored.trim()] : [typed, stored] }, action: 'added' },
    [row],
    reviewed || typed === null ? 'optional' : undefined,
  );
}
