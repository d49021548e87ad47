import { isDeepStrictEqual } from 'node:util';
import {
  type EditSession,
  type LineToWrite,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import { changedLists, type SlotValue } from '../slots.ts';
import {
  type CodeLine,
  type Entity,
  isMitochondrial,
  isOneOf,
  possiblyLeftOut,
  type Rating,
  raiseVersion,
  ratingOfSource,
  type Span,
  type Stated,
  type StatedField,
} from '../state.ts';
import { geneForm, regionForm, strForm } from '../wordings/row-shape.ts';
import { directionOf, factEntity, fieldFrom, ratedFact } from './facts.ts';

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

interface FormRow {
  readonly entity: Entity;
  readonly before: Entity;
  readonly codeLine: CodeLine;
  readonly lines: readonly LineToWrite[];
  readonly row: WrittenRow;
}

/** Keys whose lines are facts of their own, not annotations. */
const otherFamilies = ['renamed', 'rating', 'source removed', 'source added', 'tag removed', 'tag added'];

/** What the edit form's row states, one fact for each family that it touches. */
function stateForm(recording: Recording, form: FormRow): void {
  const { entity, lines, row } = form;
  const subject = factEntity(entity);
  const stated = (key: string, slot: string): Stated[] =>
    lines.flatMap(([written], index) => (written === key ? [row.stated[index]?.[slot]] : []));
  const from = stated('renamed', 'from')[0];
  if (from !== undefined) {
    recording.fact('entity.renamed', subject, { from: from as string, to: entity.name }, [row]);
  }
  const changes = [
    ...sourceChange(stated('source removed', 'source'), stated('source added', 'source')),
    ...lines.flatMap(([key], index) =>
      otherFamilies.includes(key) ? [] : [fieldOfLine(key, row.stated[index], form)],
    ),
  ];
  if (changes.length > 0) recording.fact('entity.annotated', subject, { changes }, [row]);
  const removed = stated('tag removed', 'tag') as string[];
  const added = stated('tag added', 'tag') as string[];
  if (removed.length + added.length > 0) {
    recording.fact('entity.tags-changed', subject, { removed, added }, [row]);
  }
  stateRating(recording, form);
}

function stateRating(recording: Recording, { entity, before, lines, row }: FormRow): void {
  if (lines.some(([key]) => key === 'rating')) {
    const change = {
      from: before.rating,
      to: entity.rating,
      direction: directionOf(before.rating, entity.rating),
    };
    recording.fact('entity.classified', factEntity(entity), change, [row]);
    entity.statedRating = entity.rating;
    return;
  }
  // An Expert Review source states the rating; without a line for the rating, it confirms it.
  const confirming = lines.some(
    ([key, slots]) => key === 'source added' && ratingOfSource(String(slots?.source)) === entity.rating,
  );
  if (confirming) ratedFact(recording, entity, entity.rating, [row], 'optional');
}

function sourceChange(removed: readonly Stated[], added: readonly Stated[]): readonly StatedField[] {
  return removed.length + added.length === 0 ? [] : [{ field: 'sources', removed, added }];
}

/** The change that a line states; values that the software prints wrongly are left out. */
function fieldOfLine(
  key: string,
  stated: Readonly<Record<string, Stated>> | undefined,
  { entity, codeLine }: FormRow,
): StatedField {
  const [name = '', suffix] = key.split(' ');
  const change = fieldFrom(name, stated);
  if (suffix === 'removed') return { ...change, to: null };
  if (name.startsWith('coordinates')) return { ...change, from: dashOrNothing(change.from) };
  if (name === 'transcript') return { ...change, from: listOrText(change.from), to: listOrText(change.to) };
  if (entity.type !== 'gene') return change;
  if (name === 'penetrance') return { ...change, from: possiblyLeftOut(change.from) };
  if (name === 'modeOfInheritance' && isMitochondrial(entity)) return { field: name, to: change.to };
  if (name === 'publications' && suffix === undefined) return publicationsChange(change, codeLine);
  return change;
}

/** The Australian code shows the new list twice; where the two are the same, either code may have written them. */
function publicationsChange(change: StatedField, codeLine: CodeLine): StatedField {
  if (codeLine === 'au') return { field: 'publications', to: change.to };
  const same = JSON.stringify(change.from) === JSON.stringify(change.to);
  return same ? { ...change, from: possiblyLeftOut(change.from) } : change;
}

/** Positions that were unset are printed as a dash. */
function dashOrNothing(value: Stated): Stated {
  return value === '-' ? { oneOf: [null, '-'] } : value;
}

/** Transcripts are right as a list and as one text. */
function listOrText(value: Stated): Stated {
  const values = isOneOf(value) ? value.oneOf : [value];
  const texts = values.flatMap((one) => (Array.isArray(one) ? [one.join('; ')] : []));
  return { oneOf: [...values, ...texts] };
}
