import type { LineToWrite } from '../row-text.ts';
import { type Desk, type Outcome, openSheet, type Sheet } from '../sheet.ts';
import { type Entity, raiseVersion } from '../state.ts';
import { geneForm, regionForm, strForm } from '../wordings/edit-form.ts';
import { applyEdit } from './apply-edit.ts';
import type { FormEdit } from './form-edit.ts';
import { formLines } from './form-lines.ts';
import { stateForm } from './state-form.ts';

const forms = { gene: geneForm, str: strForm, region: regionForm } as const;

/** Edits an entity by the form: one row, or none where nothing but the rating was entered (section 1.6). */
export function editEntity(desk: Desk, entity: Entity, edit: FormEdit): Outcome {
  const sheet = openSheet(desk);
  writeForm(sheet, desk, entity, edit);
  return sheet.outcome();
}

/** Writes the form's row on a sheet that other rows follow on. */
export function writeForm(sheet: Sheet, desk: Desk, entity: Entity, edit: FormEdit): void {
  const before = structuredClone(entity);
  applyEdit(entity, edit);
  const written = formLines(before, entity, edit, desk.codeLine);
  if (written.length === 0) return;
  raiseVersion(desk.panel, desk.at);
  const shape = forms[entity.type];
  const order = Object.keys(shape.lines);
  const lines = written.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const row = sheet.entityRow(entity, shape, lines as LineToWrite<keyof typeof shape.lines>[]);
  stateForm(sheet, { entity, before, codeLine: desk.codeLine, lines, row });
}
