import { type EditSession, type Outcome, type Recording, startRecording } from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import { type Entity, isMitochondrial, ratingOfSource } from '../state.ts';
import { raiseVersion } from '../versions.ts';
import { geneForm, regionForm, strForm } from '../wordings/edit-form.ts';
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

/** Carries an edit of the form over to the entity. */
function applyEdit(entity: Entity, edit: FormEdit): void {
  const { sourcesRemoved = [], sourcesAdded = [], tagsRemoved = [], tagsAdded = [] } = edit;
  entity.name = edit.name ?? entity.name;
  entity.verboseName = edit.verboseName ?? entity.verboseName;
  entity.chromosome = edit.chromosome ?? entity.chromosome;
  if (edit.grch37 !== undefined) entity.grch37 = edit.grch37;
  entity.grch38 = edit.grch38 ?? entity.grch38;
  entity.repeats = {
    sequence: edit.sequence ?? entity.repeats.sequence,
    normal: edit.normalRepeats ?? entity.repeats.normal,
    pathogenic: edit.pathogenicRepeats ?? entity.repeats.pathogenic,
  };
  entity.variantType = edit.variantType ?? entity.variantType;
  entity.haploinsufficiency = edit.haploinsufficiency ?? entity.haploinsufficiency;
  entity.triplosensitivity = edit.triplosensitivity ?? entity.triplosensitivity;
  entity.requiredOverlap = edit.requiredOverlap ?? entity.requiredOverlap;
  entity.sources = [...entity.sources.filter((source) => !sourcesRemoved.includes(source)), ...sourcesAdded];
  entity.modeOfInheritance = edit.modeOfInheritance ?? entity.modeOfInheritance;
  if (edit.modeOfPathogenicity !== undefined) entity.modeOfPathogenicity = edit.modeOfPathogenicity;
  if (edit.phenotypes)
    entity.phenotypes = edit.append ? union(entity.phenotypes, edit.phenotypes) : edit.phenotypes;
  if (edit.penetrance !== undefined) entity.penetrance = edit.penetrance;
  entity.publications = edit.publications ?? entity.publications;
  entity.transcript = edit.transcript ?? entity.transcript;
  entity.tags = [...entity.tags.filter((tag) => !tagsRemoved.includes(tag)), ...tagsAdded];
  if (edit.linkedGene !== undefined) entity.linkedGene = edit.linkedGene;
  if (isMitochondrial(entity)) entity.modeOfInheritance = 'MITOCHONDRIAL';
  if (edit.append) dropOtherRatings(entity, sourcesAdded);
  const fromSources = sourcesAdded.map(ratingOfSource).find((rating) => rating !== null);
  entity.rating = edit.rating ?? fromSources ?? entity.rating;
}

/** An import swaps the Expert Review source without mentioning the one that goes. */
function dropOtherRatings(entity: Entity, sourcesAdded: readonly string[]): void {
  if (!sourcesAdded.some((source) => ratingOfSource(source) !== null)) return;
  entity.sources = entity.sources.filter(
    (source) => ratingOfSource(source) === null || sourcesAdded.includes(source),
  );
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
