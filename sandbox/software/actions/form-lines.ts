import { isDeepStrictEqual } from 'node:util';
import {
  anyOf,
  directionOf,
  type EditSession,
  fieldFrom,
  type LineToWrite,
  type Outcome,
  type Recording,
  rateByRows,
  record,
  type WrittenRow,
} from '../recording.ts';
import { changedLists, type SlotValue } from '../slots.ts';
import {
  type CodeLine,
  type Entity,
  isMitochondrial,
  possiblyLeftOut,
  raiseVersion,
  ratingOfSource,
  type Span,
  type Stated,
  type StatedField,
} from '../state.ts';
import { geneForm, regionForm, replacedGene, strForm } from '../wordings/row-shape.ts';
import { ratingOfSources } from './panel-entities.ts';

/** What the form does not show as the entity holds it. */
type NotEntered =
  | 'type'
  | 'statedRating'
  | 'sources'
  | 'tags'
  | 'grch38'
  | 'ready'
  | 'reviewers'
  | 'comments';

/**
 * What is entered in the edit form; what is absent stays as it was. A gene's symbol is replaced by `replaceGene`; null removes the
 * coordinates of GRCh37, and unlinks the gene of an STR or region.
 */
export interface FormEdit extends Readonly<Partial<Omit<Entity, NotEntered>>> {
  readonly grch38?: Span;
  readonly sourcesRemoved?: readonly string[];
  readonly sourcesAdded?: readonly string[];
  readonly tagsRemoved?: readonly string[];
  readonly tagsAdded?: readonly string[];
  /** An import: lists are added to, not replaced. */
  readonly append?: boolean;
}

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

/** The keys of the lines of STRs and regions that show a field before and after. */
const placeKeys = {
  name: 'renamed',
  verboseName: 'verboseName',
  chromosome: 'chromosome',
  grch37: 'coordinates.GRCh37',
  grch38: 'coordinates.GRCh38',
  sequence: 'repeats.sequence',
  normalRepeats: 'repeats.normal',
  pathogenicRepeats: 'repeats.pathogenic',
  variantType: 'variantType',
  haploinsufficiency: 'dosage.haploinsufficiency',
  triplosensitivity: 'dosage.triplosensitivity',
  requiredOverlap: 'requiredOverlapPercentage',
  penetrance: 'penetrance',
  publications: 'publications',
} as const satisfies Partial<Record<keyof FormEdit, string>>;
type PlaceField = keyof typeof placeKeys;

/** What only STRs and regions have: a place in the genome, and what repeats or is dosed there. */
function placeLines(before: Entity, after: Entity, edit: FormEdit): LineToWrite[] {
  const entered = (Object.keys(placeKeys) as PlaceField[]).filter((field) => edit[field] !== undefined);
  const lines = entered.map((field) =>
    field === 'grch37' && after.grch37 === null
      ? (['coordinates.GRCh37 removed'] as const)
      : changed(placeKeys[field], shown(before, field), shown(after, field)),
  );
  return edit.linkedGene === undefined
    ? lines
    : [...lines, linkedGeneLine(before.linkedGene, after.linkedGene)];
}

function shown(entity: Entity, field: PlaceField): SlotValue {
  if (field === 'grch37' || field === 'grch38') return entity[field]?.join('-') ?? '-';
  return field === 'requiredOverlap' ? String(entity[field]) : entity[field];
}

function linkedGeneLine(from: string | null, to: string | null): LineToWrite {
  if (to === null) return ['gene removed', { from: from ?? '' }];
  return from === null ? ['gene set', { to }] : changed('gene', from, to);
}

const forms = { gene: geneForm, str: strForm, region: regionForm } as const;

/** Edits an entity by the form: one row, or none where nothing but the rating was entered. */
export function editEntity(session: EditSession, entity: Entity, edit: FormEdit): Outcome {
  return record(session, (recording) => writeForm(recording, session, entity, edit));
}

/**
 * Another symbol in the edit form: the form's row under the old symbol, if anything else changed, then a row
 * under the new one, and for a mitochondrial gene a third. No row says that the old symbol is gone.
 */
export function replaceGene(session: EditSession, entity: Entity, to: string, edit: FormEdit): Outcome {
  return record(session, (recording) => {
    const { entityLine, fact, annotated } = recording;
    const from = entity.name;
    if (!writeForm(recording, session, entity, edit)) raiseVersion(session.panel, session.at);
    entity.name = to;
    const renamed = entityLine(entity, replacedGene, ['renamed', { from }]);
    fact('entity.renamed', entity, { from, to }, [renamed]);
    if (!isMitochondrial(entity)) return;
    entity.modeOfInheritance = 'MITOCHONDRIAL';
    const set = entityLine(entity, replacedGene, ['modeOfInheritance', { oldSymbol: from }]);
    annotated(entity, [{ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }], set);
  });
}

/** Writes the form's row, if it has any line. */
function writeForm(recording: Recording, session: EditSession, entity: Entity, edit: FormEdit): boolean {
  const { panel, at, codeLine } = session;
  const before = structuredClone(entity);
  const after = structuredClone(entity);
  applyEdit(after, edit);
  const written = formLines(before, after, edit, codeLine);
  if (written.length > 0) raiseVersion(panel, at);
  Object.assign(entity, after);
  if (written.length === 0) return false;
  const shape = forms[entity.type];
  const order = Object.keys(shape.lines);
  const lines = written.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const row = recording.entityRow(entity, shape, lines as LineToWrite<keyof typeof shape.lines>[]);
  stateForm(recording, { entity, before, codeLine, lines, row });
  return true;
}

function applyEdit(entity: Entity, edit: FormEdit): void {
  const { sourcesRemoved = [], sourcesAdded = [], tagsRemoved = [], tagsAdded = [], ...entered } = edit;
  const { append = false, phenotypes = entity.phenotypes, ...fields } = entered;
  const rating = edit.rating ?? ratingOfSources({ sources: sourcesAdded }) ?? entity.rating;
  Object.assign(entity, fields, {
    rating,
    sources: [...entity.sources.filter((source) => !sourcesRemoved.includes(source)), ...sourcesAdded],
    tags: [...entity.tags.filter((tag) => !tagsRemoved.includes(tag)), ...tagsAdded],
    phenotypes: append ? [...new Set([...entity.phenotypes, ...phenotypes])] : phenotypes,
  });
  if (isMitochondrial(entity)) entity.modeOfInheritance = 'MITOCHONDRIAL';
  if (append) dropOtherRatings(entity, sourcesAdded);
}

/** An import swaps the Expert Review source without mentioning the one that goes. */
function dropOtherRatings(entity: Entity, sourcesAdded: readonly string[]): void {
  if (!sourcesAdded.some((source) => ratingOfSource(source) !== null)) return;
  entity.sources = entity.sources.filter(
    (source) => ratingOfSource(source) === null || sourcesAdded.includes(source),
  );
}

/** Without the fields whose value an entity holds already. */
export function withoutSame(edit: FormEdit, entity: Entity): FormEdit {
  const held: Readonly<Record<string, unknown>> = { ...entity };
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
  const { entity, before, lines, row } = form;
  const { fact, annotated } = recording;
  const stated = (key: string, slot: string): string[] =>
    lines.flatMap(([written], index) => (written === key ? [row.stated[index]?.[slot] as string] : []));
  const [from] = stated('renamed', 'from');
  if (from !== undefined) fact('entity.renamed', entity, { from, to: entity.name }, [row]);
  const sources = { removed: stated('source removed', 'source'), added: stated('source added', 'source') };
  const changes = [
    ...(sources.removed.length + sources.added.length > 0 ? [{ field: 'sources', ...sources }] : []),
    ...lines.flatMap(([key], index) =>
      otherFamilies.includes(key) ? [] : [fieldOfLine(key, row.stated[index], form)],
    ),
  ];
  if (changes.length > 0) annotated(entity, changes, row);
  const removed = stated('tag removed', 'tag');
  const added = stated('tag added', 'tag');
  if (removed.length + added.length > 0) fact('entity.tags-changed', entity, { removed, added }, [row]);

  const { rating: to } = entity;
  if (lines.some(([key]) => key === 'rating')) {
    const direction = directionOf(before.rating, to);
    fact('entity.classified', entity, { from: before.rating, to, direction }, [row]);
    entity.statedRating = to;
    return;
  }
  // An Expert Review source states the rating; without a line for the rating, it confirms it.
  const confirming = lines.some(
    ([key, slots]) => key === 'source added' && ratingOfSource(String(slots?.source)) === to,
  );
  if (confirming) rateByRows(recording, entity, to, [row], 'optional');
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
  const values = anyOf(value);
  const texts = values.flatMap((one) => (Array.isArray(one) ? [one.join('; ')] : []));
  return { oneOf: [...values, ...texts] };
}
