import type { Recording, WrittenRow } from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import {
  type CodeLine,
  type Entity,
  isMitochondrial,
  isOneOf,
  possiblyLeftOut,
  ratingOfSource,
  type Stated,
  type StatedField,
} from '../state.ts';
import { directionOf, factEntity, fieldFrom, ratedFact } from './facts.ts';

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
export function stateForm(recording: Recording, form: FormRow): void {
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
