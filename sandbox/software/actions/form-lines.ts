import { isDeepStrictEqual } from 'node:util';
import { type EditSession, type Outcome, type Recording, startRecording } from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import { changedLists, type SlotValue } from '../slots.ts';
import {
  type CodeLine,
  type Entity,
  isMitochondrial,
  type Rating,
  raiseVersion,
  ratingOfSource,
  type Span,
} from '../state.ts';
import { geneForm, regionForm, strForm } from '../wordings/row-shape.ts';
import { stateForm } from './state-form.ts';

/** The lines of the edit form's row, from the entity before and after; the table of the form orders them. */
function formLines(
  before: Entity,
  after: Entity,
  edit: FormEdit,
  codeLine: CodeLine,
): readonly LineToWrite[] {
  const lines = [
    ...(after.type === 'gene' ? geneLines(before, after, edit, codeLine) : placeLines(before, after, edit)),
    ...sourcesAndTags(edit),
    ...described(before, after, edit),
  ];
  // The rating is never the only line of the row.
  if (lines.length > 0 && before.rating !== after.rating) {
    lines.push(changed('rating', changedLists[before.rating], changedLists[after.rating]));
  }
  return lines;
}

function changed(key: string, from: SlotValue, to: SlotValue): LineToWrite {
  return [key, { from, to }];
}

function sourcesAndTags(edit: FormEdit): LineToWrite[] {
  return [
    ...(edit.sourcesRemoved ?? []).map((source): LineToWrite => ['source removed', { source }]),
    ...(edit.sourcesAdded ?? []).map((source): LineToWrite => ['source added', { source }]),
    ...(edit.tagsRemoved ?? []).map((tag): LineToWrite => ['tag removed', { tag }]),
    ...(edit.tagsAdded ?? []).map((tag): LineToWrite => ['tag added', { tag }]),
  ];
}

/** Mode of inheritance and phenotypes, which every entity has. */
function described(before: Entity, after: Entity, edit: FormEdit): LineToWrite[] {
  const lines: LineToWrite[] = [];
  if (edit.modeOfInheritance !== undefined) {
    // The line of a mitochondrial gene shows the new value twice, which the software has just set.
    const from =
      after.type === 'gene' && isMitochondrial(after) ? after.modeOfInheritance : before.modeOfInheritance;
    lines.push(changed('modeOfInheritance', from, after.modeOfInheritance));
  }
  if (edit.phenotypes && edit.append) lines.push(['phenotypes appended', { added: edit.phenotypes }]);
  else if (edit.phenotypes) lines.push(changed('phenotypes', before.phenotypes, after.phenotypes));
  return lines;
}

function geneLines(before: Entity, after: Entity, edit: FormEdit, codeLine: CodeLine): LineToWrite[] {
  const lines: LineToWrite[] = [];
  const appended = edit.append && codeLine === 'au';
  if (edit.modeOfPathogenicity !== undefined) {
    lines.push(changed('modeOfPathogenicity', before.modeOfPathogenicity, after.modeOfPathogenicity));
  }
  if (edit.penetrance !== undefined) lines.push(['penetrance', { from: before.penetrance }]);
  if (edit.publications && appended) {
    lines.push(changed('publications appended', before.publications, after.publications));
  } else if (edit.publications) {
    // The Australian code shows the new list twice.
    const from = codeLine === 'au' ? after.publications : before.publications;
    lines.push(changed('publications', from, after.publications));
  }
  if (edit.transcript && codeLine === 'au') {
    lines.push(changed(appended ? 'transcript appended' : 'transcript', before.transcript, after.transcript));
  }
  return lines;
}

/** What only STRs and regions have: a place in the genome, and what repeats or is dosed there. */
function placeLines(before: Entity, after: Entity, edit: FormEdit): LineToWrite[] {
  const fields: readonly (readonly [given: unknown, key: string, from: SlotValue, to: SlotValue])[] = [
    [edit.name, 'renamed', before.name, after.name],
    [edit.verboseName, 'verboseName', before.verboseName, after.verboseName],
    [edit.chromosome, 'chromosome', before.chromosome, after.chromosome],
    [edit.grch37 ?? undefined, 'coordinates.GRCh37', span(before.grch37), span(after.grch37)],
    [edit.grch38, 'coordinates.GRCh38', span(before.grch38), span(after.grch38)],
    [edit.sequence, 'repeats.sequence', before.repeats.sequence, after.repeats.sequence],
    [edit.normalRepeats, 'repeats.normal', before.repeats.normal, after.repeats.normal],
    [edit.pathogenicRepeats, 'repeats.pathogenic', before.repeats.pathogenic, after.repeats.pathogenic],
    [edit.variantType, 'variantType', before.variantType, after.variantType],
    [
      edit.haploinsufficiency,
      'dosage.haploinsufficiency',
      before.haploinsufficiency,
      after.haploinsufficiency,
    ],
    [edit.triplosensitivity, 'dosage.triplosensitivity', before.triplosensitivity, after.triplosensitivity],
    [
      edit.requiredOverlap,
      'requiredOverlapPercentage',
      String(before.requiredOverlap),
      String(after.requiredOverlap),
    ],
    [edit.penetrance, 'penetrance', before.penetrance, after.penetrance],
    [edit.publications, 'publications', before.publications, after.publications],
  ];
  const lines = fields
    .filter(([given]) => given !== undefined)
    .map(([, key, from, to]) => changed(key, from, to));
  if (edit.grch37 === null) lines.push(['coordinates.GRCh37 removed']);
  if (edit.linkedGene !== undefined) lines.push(linkedGeneLine(before.linkedGene, after.linkedGene));
  return lines;
}

function span(position: Span | null): string {
  return position ? position.join('-') : '-';
}

function linkedGeneLine(from: string | null, to: string | null): LineToWrite {
  if (to === null) return ['gene removed', { from: from ?? '' }];
  return from === null ? ['gene set', { to }] : changed('gene', from, to);
}

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

/** Without the fields whose value an entity holds already. */
export function withoutSame(edit: FormEdit, entity: Entity): FormEdit {
  const { sequence, normal: normalRepeats, pathogenic: pathogenicRepeats } = entity.repeats;
  const held: Readonly<Record<string, unknown>> = { ...entity, sequence, normalRepeats, pathogenicRepeats };
  return Object.fromEntries(
    Object.entries(edit).filter(([field, entered]) => !isDeepStrictEqual(entered, held[field])),
  );
}
