import { type EditSession, type Outcome, type Recording, startRecording } from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import type { Entity } from '../state.ts';
import { raiseVersion } from '../versions.ts';
import { geneForm, regionForm, strForm } from '../wordings/edit-form.ts';
import { applyEdit } from './apply-edit.ts';
import type { FormEdit } from './form-edit.ts';
import { formLines } from './form-lines.ts';
import { stateForm } from './state-form.ts';

const forms = { gene: geneForm, str: strForm, region: regionForm } as const;

/** Edits an entity by the form: one row, or none where nothing but the rating was entered. */
export function editEntity(session: EditSession, entity: Entity, edit: FormEdit): Outcome {
  const recording = startRecording(session);
  writeForm(recording, session, entity, edit);
  return recording.outcome();
}

/** Writes the form's row into a recording to which other rows are added. */
export function writeForm(recording: Recording, session: EditSession, entity: Entity, edit: FormEdit): void {
  const before = structuredClone(entity);
  const after = structuredClone(entity);
  applyEdit(after, edit);
  const written = formLines(before, after, edit, session.codeLine);
  if (written.length > 0) raiseVersion(session.panel, session.at);
  Object.assign(entity, after);
  if (written.length === 0) return;
  const shape = forms[entity.type];
  const order = Object.keys(shape.lines);
  const lines = written.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const row = recording.entityRow(entity, shape, lines as LineToWrite<keyof typeof shape.lines>[]);
  stateForm(recording, { entity, before, codeLine: session.codeLine, lines, row });
}
