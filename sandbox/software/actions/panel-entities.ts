import {
  type EditSession,
  type LineToWrite,
  type Outcome,
  type Recording,
  record,
  type WrittenRow,
} from '../recording.ts';
import { reviewRatings } from '../slots.ts';
import {
  type Entity,
  isMitochondrial,
  isOneOf,
  type Panel,
  type Rating,
  raiseVersion,
  ratingOfSource,
} from '../state.ts';
import { addedRow } from '../wordings/row-shape.ts';

/** How entities come onto a panel and leave it. */

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
  return record(session, (recording) => {
    admitEntity(session, entity);
    const row = writeAdded(recording, entity, review);
    stateAdded(recording, entity, { row, paired: [], copiedFrom: null });
    stateFirstReview(recording, entity, review, row);
  });
}

/** A bulk import: one row an entity, further apart than the rows of one action, in one long transaction. */
export function importEntities(
  session: EditSession,
  entities: readonly Entity[],
  gap: () => number,
): Outcome {
  let at = session.at;
  const outcomes = entities.map((entity) => {
    const outcome = addEntity({ ...session, at }, entity, noFirstReview);
    at += gap();
    return outcome;
  });
  return together(outcomes);
}

/** The rows and facts of several actions as those of one. */
function together(outcomes: readonly Outcome[]): Outcome {
  let before = 0;
  const truth = outcomes.flatMap(({ rows, truth: facts }) => {
    const start = before;
    before += rows.length;
    return facts.map((fact) => ({ ...fact, rows: fact.rows.map((row) => row + start) }));
  });
  return {
    rows: outcomes.flatMap(({ rows }) => rows),
    truth,
    ambiguous: outcomes.some(({ ambiguous }) => ambiguous),
  };
}

/**
 * Copies an entity to another panel: the row of an ordinary addition and a paired row on the panel's level, or,
 * where the entity is there already, its reviews only (Australian code).
 */
export function copyEntity(session: EditSession, entity: Entity, target: Panel): Outcome {
  const { type, name } = entity;
  const from = session.panel.name;
  const slots = { entity: name, otherPanel: from };
  const targetSession = { ...session, panel: target };
  return record(targetSession, (recording) => {
    const held = target.entities.some((other) => type === other.type && name === other.name);
    const panelRow = held ? copyReviews() : copyWhole();
    // Where the name of an entity or a panel contains " from panel ", the text does not say which entity was copied.
    if (isOneOf(panelRow.whole.entity)) recording.markAmbiguous();

    function copyReviews(): WrittenRow {
      const row = recording.panelLine(`${type} reviews copied`, slots);
      recording.fact('entity.reviews-copied', entity, { fromPanel: from }, [row]);
      return row;
    }

    function copyWhole(): WrittenRow {
      const copied = { ...structuredClone(entity), tags: [], reviewers: [], comments: [], ready: false };
      admitEntity(targetSession, copied);
      const row = writeAdded(recording, copied, noFirstReview);
      const paired = recording.panelLine(`${type} copied`, slots);
      stateAdded(recording, copied, { row, paired: [paired], copiedFrom: from });
      return paired;
    }
  });
}

/** Removes an entity from its panel: a row about the panel, in whose text alone the entity is named. */
export function deleteEntity(session: EditSession, entity: Entity): Outcome {
  const { panel, at } = session;
  raiseVersion(panel, at);
  panel.entities = panel.entities.filter((other) => other !== entity);
  return record(session, ({ panelLine, fact }) => {
    const row = panelLine(`${entity.type} removed`, { entity: entity.name });
    const rating = { oneOf: [null, entity.rating, entity.statedRating] };
    fact('entity.removed', entity, { rating }, [row]);
  });
}

/** Puts the entity on the panel, with the rating that follows from its sources or from the role of the person. */
function admitEntity({ panel, person, at }: EditSession, entity: Entity): void {
  entity.statedRating = ratingOfSources(entity);
  entity.rating = entity.statedRating ?? (person.curator ? 'red' : 'none');
  if (isMitochondrial(entity)) entity.modeOfInheritance = 'MITOCHONDRIAL';
  if (person.curator) raiseVersion(panel, at);
  panel.entities.push(entity);
}

/** The rating that the first of an entity's sources with one carries. */
export function ratingOfSources({ sources }: { readonly sources: readonly string[] }): Rating | null {
  return sources.map(ratingOfSource).find((rating) => rating !== null) ?? null;
}

/** Writes the row of an entity that was added, with what its form said. */
function writeAdded(recording: Recording, entity: Entity, review: FirstReview): WrittenRow {
  const { sources, tags, publications, phenotypes, penetrance, modeOfPathogenicity } = entity;
  const commented = review.comment !== null || review.rating !== null;
  const lines: LineToWrite<keyof typeof addedRow.lines>[] = [['added'], ['added to panel', { sources }]];
  if (tags.length > 0) lines.push(['tags given', { tags }]);
  if (isMitochondrial(entity)) lines.push(['mitochondrial']);
  else lines.push(['modeOfInheritance', { modeOfInheritance: entity.modeOfInheritance }]);
  if (publications.length > 0) lines.push(['publications', { publications }]);
  if (phenotypes.length > 0) lines.push(['phenotypes', { phenotypes }]);
  if (penetrance) lines.push(['penetrance', { penetrance }]);
  if (modeOfPathogenicity) {
    // STRs and regions have no such field: the value is given, not stored, and printed as None.
    const printed = entity.type === 'gene' ? modeOfPathogenicity : null;
    lines.push(['modeOfPathogenicity', { modeOfPathogenicity: printed }]);
  }
  if (review.rating) lines.push(['review rating', { rating: reviewRatings[review.rating] }]);
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

/** What the row of an added entity states: of membership, rating and tags. */
function stateAdded({ fact }: Recording, entity: Entity, { row, paired, copiedFrom }: AddedRows): void {
  const { whole } = row;
  const rating = ratingOfSources(entity);
  fact(
    'entity.added',
    entity,
    {
      rating,
      sources: whole.sources as string[],
      tags: (whole.tags ?? []) as string[],
      copiedFrom,
      // The line shows MITOCHONDRIAL for such a symbol, even where another value was stored.
      modeOfInheritance: isMitochondrial(entity) ? null : (whole.modeOfInheritance as string),
      modeOfPathogenicity: (whole.modeOfPathogenicity ?? null) as string | null,
      penetrance: (whole.penetrance ?? null) as string | null,
      phenotypes: (whole.phenotypes ?? []) as string[],
      publications: (whole.publications ?? []) as string[],
    },
    [row, ...paired],
  );
  if (rating) fact('entity.classified', entity, { from: null, to: rating, direction: 'new' }, [row]);
  if (whole.tags) {
    // Where the text does not say which tags, a change of tags would state nothing.
    const optional = isOneOf(whole.tags) ? 'optional' : undefined;
    fact('entity.tags-changed', entity, { added: whole.tags as string[], removed: [] }, [row], optional);
  }
}

/**
 * The review that comes with an added entity. Its comment may be published with the review or by itself, so
 * an event of its own is optional where there is a review.
 */
function stateFirstReview({ fact }: Recording, entity: Entity, review: FirstReview, row: WrittenRow): void {
  const { rating, clinicallyRelevant, currentDiagnostic } = review;
  const reviewed = rating !== null || clinicallyRelevant || currentDiagnostic;
  const commented = rating !== null || review.comment !== null;
  const typed = entity.sources.length > 0 ? review.comment : null;
  const ofSources = `Sources: ${entity.sources.join(', ')}`;
  const stored = typed === null ? ofSources : `${typed} \n${ofSources}`;
  if (reviewed) {
    const change = {
      rating,
      clinicallyRelevant: clinicallyRelevant || { oneOf: [null, false] },
      currentDiagnostic: currentDiagnostic || { oneOf: [null, false] },
      comment: commented ? { oneOf: [null, typed, stored] } : null,
      edited: false,
    };
    fact('entity.reviewed', entity, change, [row]);
  }
  if (!commented) return;
  const comment = { oneOf: typed === null ? [null, stored, stored.trim()] : [typed, stored] };
  const optional = reviewed || typed === null ? 'optional' : undefined;
  fact('entity.commented', entity, { comment, action: 'added' }, [row], optional);
}
