import { type Desk, type Outcome, openSheet } from '../sheet.ts';
import { type Entity, isMitochondrial, raiseVersion } from '../state.ts';
import { replacedGene } from '../wordings/edit-form.ts';
import { writeForm } from './edit-form.ts';
import { factEntity } from './facts.ts';
import type { FormEdit } from './form-edit.ts';

/**
 * Another symbol in the edit form: the form's row under the old symbol, if anything else changed, then a row
 * under the new one, and for a mitochondrial gene a third. No row says that the old symbol is gone (section 1.6).
 */
export function replaceGene(desk: Desk, entity: Entity, to: string, edit: FormEdit): Outcome {
  const sheet = openSheet(desk);
  const from = entity.name;
  writeForm(sheet, desk, entity, edit);
  if (sheet.outcome().rows.length === 0) raiseVersion(desk.panel, desk.at);
  entity.name = to;
  const renamed = sheet.entityRow(entity, replacedGene.renamed, [['renamed', { from }]]);
  sheet.fact('entity.renamed', factEntity(entity), { from, to }, [renamed]);
  if (!isMitochondrial(entity)) return sheet.outcome();
  entity.modeOfInheritance = 'MITOCHONDRIAL';
  const set = sheet.entityRow(entity, replacedGene.mitochondrial, [
    ['modeOfInheritance', { oldSymbol: from }],
  ]);
  sheet.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }] },
    [set],
  );
  return sheet.outcome();
}
