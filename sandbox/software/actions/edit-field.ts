import { type Desk, type Outcome, openSheet, type Sheet, type WrittenRow } from '../sheet.ts';
import { type Entity, raiseVersion } from '../state.ts';
import { unknowable } from '../truth.ts';
import { singleEdits } from '../wordings/editing.ts';
import { factEntity, fieldFrom } from './facts.ts';
import { stateComment, writeComment } from './rate.ts';

/** Edits of one field by its own form: a row, and one for the comment (section 1.4). */

type Comment = string | null;

/** Sets the mode of inheritance, with or without a comment. */
export function editModeOfInheritance(desk: Desk, entity: Entity, to: string, comment: Comment): Outcome {
  const from = entity.modeOfInheritance;
  entity.modeOfInheritance = to;
  return edit(desk, entity, 'modeOfInheritance', { from, to }, comment);
}

/** Sets the mode of pathogenicity, with or without a comment. */
export function editModeOfPathogenicity(
  desk: Desk,
  entity: Entity,
  to: string | null,
  comment: Comment,
): Outcome {
  const from = entity.modeOfPathogenicity;
  entity.modeOfPathogenicity = to;
  return edit(desk, entity, 'modeOfPathogenicity', { from, to }, comment);
}

/** Sets the list of phenotypes, with or without a comment. */
export function editPhenotypes(desk: Desk, entity: Entity, to: string[], comment: Comment): Outcome {
  const from = entity.phenotypes;
  entity.phenotypes = to;
  return edit(desk, entity, 'phenotypes', { from, to }, comment);
}

/** The row shows the old list, never the new one: what it was set to is not stated. */
export function editPublications(desk: Desk, entity: Entity, to: string[], comment: Comment): Outcome {
  const from = entity.publications;
  entity.publications = to;
  raiseVersion(desk.panel, desk.at);
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, singleEdits.publications, [['publications', { from }]]);
  const commented = writeComment(sheet, entity, 'publications', comment);
  sheet.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'publications', from: unknowable(row.stated[0]?.from) }] },
    [row],
  );
  stateComment(sheet, entity, comment, commented);
  return sheet.outcome();
}

function edit(
  desk: Desk,
  entity: Entity,
  field: 'modeOfInheritance' | 'modeOfPathogenicity' | 'phenotypes',
  slots: { readonly from: string | string[] | null; readonly to: string | string[] | null },
  comment: Comment,
): Outcome {
  raiseVersion(desk.panel, desk.at);
  const sheet = openSheet(desk);
  const row = sheet.entityRow(entity, singleEdits[field], [[field, slots]]);
  const commented = writeComment(sheet, entity, field, comment);
  stateField(sheet, entity, field, row);
  stateComment(sheet, entity, comment, commented);
  return sheet.outcome();
}

function stateField(sheet: Sheet, entity: Entity, field: string, row: WrittenRow): void {
  sheet.fact('entity.annotated', factEntity(entity), { changes: [fieldFrom(field, row.stated[0])] }, [row]);
}
