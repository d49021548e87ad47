import { type EditSession, type Outcome, startRecording } from '../recording.ts';
import { type Entity, isMitochondrial } from '../state.ts';
import { raiseVersion } from '../versions.ts';
import { replacedGene } from '../wordings/edit-form.ts';
import { writeForm } from './edit-form.ts';
import { factEntity } from './facts.ts';
import type { FormEdit } from './form-edit.ts';

/**
 * Another symbol in the edit form: the form's row under the old symbol, if anything else changed, then a row
 * under the new one, and for a mitochondrial gene a third. No row says that the old symbol is gone.
 */
export function replaceGene(session: EditSession, entity: Entity, to: string, edit: FormEdit): Outcome {
  const recording = startRecording(session);
  const from = entity.name;
  writeForm(recording, session, entity, edit);
  if (recording.outcome().rows.length === 0) raiseVersion(session.panel, session.at);
  entity.name = to;
  const renamed = recording.entityRow(entity, replacedGene.renamed, [['renamed', { from }]]);
  recording.fact('entity.renamed', factEntity(entity), { from, to }, [renamed]);
  if (!isMitochondrial(entity)) return recording.outcome();
  entity.modeOfInheritance = 'MITOCHONDRIAL';
  const set = recording.entityRow(entity, replacedGene.mitochondrial, [
    ['modeOfInheritance', { oldSymbol: from }],
  ]);
  recording.fact(
    'entity.annotated',
    factEntity(entity),
    { changes: [{ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }] },
    [set],
  );
  return recording.outcome();
}
