import { type Desk, type Outcome, openSheet, type Sheet, type WrittenRow } from '../sheet.ts';
import { classifiedLists, headlineLists } from '../slots.ts';
import { type Entity, type Rating, raiseVersion } from '../state.ts';
import { commentOn, commentRow, ratingRows } from '../wordings/rating.ts';
import { commentFact, factEntity, ratedFact } from './facts.ts';

/** Rates an entity by hand: two rows, three with a comment (section 1.2). */
export function rate(desk: Desk, entity: Entity, to: Rating, comment: string | null): Outcome {
  raiseVersion(desk.panel, desk.at);
  const sheet = openSheet(desk);
  const headline = writeHeadline(sheet, entity, to);
  const commented = writeComment(sheet, entity, 'list', comment);
  const classified = sheet.entityRow(entity, ratingRows.classified, [
    ['classified', { list: classifiedLists[to] }],
  ]);
  ratedFact(sheet, entity, to, [headline, classified]);
  stateComment(sheet, entity, comment, commented);
  return sheet.outcome();
}

/**
 * Marks an entity as ready: the rating is set again to what it was, so that the first row reads like a
 * classification although nothing changed (section 1.3).
 */
export function markReady(desk: Desk, entity: Entity, comment: string | null): Outcome {
  const sheet = openSheet(desk);
  const headline = writeHeadline(sheet, entity, entity.rating);
  const commented = writeComment(sheet, entity, 'ready', comment);
  const ready = sheet.entityRow(entity, ratingRows['marked ready'], [['marked ready']]);
  sheet.fact(
    'entity.classified',
    factEntity(entity),
    { to: entity.rating, from: { oneOf: [null, entity.rating] }, direction: 'unchanged' },
    [headline],
  );
  stateComment(sheet, entity, comment, commented);
  sheet.fact('entity.marked-ready', factEntity(entity), {}, [ready]);
  entity.statedRating = entity.rating;
  entity.ready = true;
  return sheet.outcome();
}

function writeHeadline(sheet: Sheet, entity: Entity, to: Rating): WrittenRow {
  if (to === 'none')
    return sheet.entityRow(entity, ratingRows['removed from panel'], [['removed from panel']]);
  return sheet.entityRow(entity, ratingRows['classified headline'], [
    ['classified headline', { list: headlineLists[to] }],
  ]);
}

/** The row of a comment given with an action; undefined where none was given. */
export function writeComment(
  sheet: Sheet,
  entity: Entity,
  about: keyof typeof commentOn,
  comment: string | null,
): WrittenRow | undefined {
  if (comment === null) return undefined;
  const stored = commentOn[about] + comment;
  entity.comments.push(stored);
  return sheet.entityRow(entity, commentRow['comment added'], [['comment added', { comment: stored }]]);
}

/** States that a comment was written, where a row shows it. */
export function stateComment(
  sheet: Sheet,
  entity: Entity,
  typed: string | null,
  row: WrittenRow | undefined,
): void {
  if (typed === null || row === undefined) return;
  commentFact(sheet, entity, { typed, stored: row.stated[0]?.comment }, row);
}
