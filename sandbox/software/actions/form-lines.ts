import type { LineToWrite } from '../row-text.ts';
import { changedLists } from '../slots.ts';
import { type CodeLine, type Entity, isMitochondrial, type Span } from '../state.ts';
import type { SlotValue } from '../template.ts';
import type { FormEdit } from './form-edit.ts';

/** The lines of the edit form's row, from the entity before and after; the table of the form orders them. */
export function formLines(
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
