import type { LineToWrite } from '../said.ts';
import { type Desk, type Outcome, openSheet, type Sheet } from '../sheet.ts';
import { type Entity, type Rating, raiseVersion, type Span } from '../state.ts';
import { geneForm, regionForm, strForm } from '../wordings/edit-form.ts';
import { applyEdit } from './apply-edit.ts';
import { formLines } from './form-lines.ts';
import { stateForm } from './state-form.ts';

/** What is entered in the edit form; what is absent stays as it was. */
export interface FormEdit {
  /** STRs and regions. A gene's symbol is replaced by `replaceGene`. */
  readonly name?: string;
  readonly verboseName?: string;
  readonly chromosome?: string;
  /** Null removes them. */
  readonly grch37?: Span | null;
  readonly grch38?: Span;
  readonly sequence?: string;
  readonly normalRepeats?: string;
  readonly pathogenicRepeats?: string;
  readonly variantType?: 'cnv_gain' | 'cnv_loss';
  readonly haploinsufficiency?: string;
  readonly triplosensitivity?: string;
  readonly requiredOverlap?: number;
  readonly sourcesRemoved?: readonly string[];
  readonly sourcesAdded?: readonly string[];
  readonly modeOfInheritance?: string;
  readonly modeOfPathogenicity?: string | null;
  readonly phenotypes?: string[];
  readonly penetrance?: string | null;
  readonly publications?: string[];
  readonly transcript?: string[];
  readonly tagsRemoved?: readonly string[];
  readonly tagsAdded?: readonly string[];
  /** STRs and regions; null unlinks it. */
  readonly linkedGene?: string | null;
  readonly rating?: Rating;
  /** An import: lists are added to, not replaced. */
  readonly append?: boolean;
}

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
