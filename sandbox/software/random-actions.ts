import { addEntity, noFirstReview } from './actions/add-entity.ts';
import { clearExpertReview, clearSource } from './actions/edit-field.ts';
import { annotatedFact, factEntity } from './actions/facts.ts';
import { editEntity, type FormEdit, writeForm } from './actions/form-lines.ts';
import {
  type LegacyField,
  type LegacyStyle,
  legacyChanged,
  legacyClassified,
  legacyRow,
  legacySet,
} from './actions/legacy.ts';
import { importEntities } from './actions/panel-entities.ts';
import { editComment } from './actions/review.ts';
import { drawEntity, drawFirstReview, drawFormEdit, drawName } from './draw.ts';
import {
  type ActionInput,
  type EditSession,
  type LineToWrite,
  type Outcome,
  startRecording,
} from './recording.ts';
import { type Entity, isMitochondrial, raiseVersion } from './state.ts';
import { chance, type EntityType, maybe, pick, several } from './values.ts';
import { replacedGene, tagsRow } from './wordings/row-shape.ts';

/** How the longer kinds of action draw what is entered, and play it. */

/** A comment, for half of the actions that may have one. */
export function comment({ values }: ActionInput): string | null {
  return maybe(values, 50, () => values.comment());
}

/** Adds an entity of a type, sometimes with a first review. */
export function addRandom(type: EntityType): (input: ActionInput) => Outcome {
  return (input) => {
    const entity = newEntity(input, type);
    const { values, session } = input;
    return addEntity(session, entity, chance(values, 40) ? drawFirstReview(values) : noFirstReview);
  };
}

/** Imports two to four genes. */
export function importRandomGenes(input: ActionInput): Outcome {
  const { session, values } = input;
  const drawn = Array.from({ length: values.integer(2, 4) }, () => newEntity(input, 'gene'));
  const distinct = [...new Map(drawn.map((entity) => [entity.name, entity])).values()];
  return importEntities(session, distinct, () => values.integer(26_000, 64_000));
}

function newEntity({ session, values }: ActionInput, type: EntityType): Entity {
  const entity = drawEntity(values, type);
  const taken = (): boolean =>
    session.panel.entities.some((other) => other.type === type && other.name === entity.name);
  for (let tries = 0; taken() && tries < 20; tries += 1) entity.name = drawName(values, type);
  // Twenty draws gave names that the panel has already: a digit makes the last one differ.
  while (taken()) entity.name += '2';
  return entity;
}

/** Removes some of the tags and adds others; all where no other was drawn. */
export function changeTags({ session, entity, values }: ActionInput): Outcome {
  const removed = entity.tags.filter(() => chance(values, 40));
  const drawn = several(values, removed.length > 0 ? 0 : 1, 2, () => values.tag());
  // The form compares the tags before with those after.
  const added = drawn.filter((tag) => !entity.tags.includes(tag));
  const isChange = removed.length + added.length > 0;
  return editTags(session, entity, { removed: isChange ? removed : entity.tags, added });
}

/** Removes one source. */
export function clearRandomSource(input: ActionInput): Outcome {
  return clearSource(input.session, input.entity, pick(input.values, sourcesOf(input)));
}

/** Removes the sources that carry a rating. */
export function clearReviewSources(input: ActionInput): Outcome {
  return clearExpertReview(input.session, input.entity, sourcesOf(input));
}

function sourcesOf({ entity, values }: ActionInput): readonly string[] {
  return entity.sources.length > 0 ? entity.sources : [values.source()];
}

/** Edits the last comment. */
export function changeComment({ session, entity, values }: ActionInput): Outcome {
  return editComment(session, entity, entity.comments.at(-1) ?? values.comment(), values.comment());
}

/** Edits fields of an entity in its form. */
export function submitForm({ session, entity, values }: ActionInput): Outcome {
  return editEntity(session, entity, drawFormEdit(values, entity, false));
}

/** Adds to lists of an entity by an import. */
export function appendByImport({ session, entity, values }: ActionInput): Outcome {
  return editEntity(session, entity, drawFormEdit(values, entity, true));
}

/** Replaces a gene by another symbol, sometimes with further edits. */
export function replaceSymbol(input: ActionInput): Outcome {
  const { session, entity, values } = input;
  const to = newEntity(input, 'gene').name;
  const edit = maybe(values, 50, () => drawFormEdit(values, entity, false));
  return replaceGene(session, entity, to, edit ?? {});
}

/** How a row of the years before 2018 is worded. */
function legacyStyle({ values }: ActionInput): LegacyStyle {
  return { labelled: chance(values, 60), unnamed: chance(values, 30) };
}

/** Does something with a gene, worded as in the years before 2018. */
export const randomLegacyRow =
  (key: Parameters<typeof legacyRow>[2]) =>
  (input: ActionInput): Outcome =>
    legacyRow(input.session, input.entity, key, legacyStyle(input));

/** Reviews a gene, worded as in the years before 2018. */
export function randomLegacyReview(input: ActionInput): Outcome {
  const key = chance(input.values, 50) ? 'review edited' : 'reviewed';
  return legacyRow(input.session, input.entity, key, legacyStyle(input));
}

/** Rates a gene, worded as in the years before 2018. */
export function randomLegacyRating(input: ActionInput): Outcome {
  const to = pick(input.values, ['green', 'amber', 'red'] as const);
  return legacyClassified(input.session, input.entity, to, legacyStyle(input));
}

const legacyFields: readonly LegacyField[] = ['phenotypes', 'publications', 'modeOfInheritance'];

/** Sets a field of a gene, worded as in the years before 2018. */
export function randomLegacyEntry({ session, entity, values }: ActionInput): Outcome {
  return legacySet(session, entity, pick(values, legacyFields));
}

/** Changes a field of a gene, worded as in the years before 2018. */
export function randomLegacyChange({ session, entity, values }: ActionInput): Outcome {
  const field = pick(values, legacyFields);
  if (field === 'modeOfInheritance') return legacyChanged(session, entity, field, values.modeOfInheritance());
  const item = (): string => (field === 'phenotypes' ? values.phenotype() : values.publication());
  return legacyChanged(session, entity, field, several(values, 0, 3, item));
}

interface TagEdit {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Edits the tags by their own form: one row, removals first. */
export function editTags(session: EditSession, entity: Entity, { removed, added }: TagEdit): Outcome {
  entity.tags = [...entity.tags.filter((tag) => !removed.includes(tag)), ...added];
  const recording = startRecording(session);
  const row = recording.entityRow(entity, tagsRow, [
    ...removed.map((tag): LineToWrite<'tag removed'> => ['tag removed', { tag }]),
    ...added.map((tag): LineToWrite<'tag added'> => ['tag added', { tag }]),
  ]);
  const tagAt = (index: number): unknown => row.stated[index]?.tag;
  recording.fact(
    'entity.tags-changed',
    factEntity(entity),
    {
      removed: removed.map((_tag, index) => tagAt(index)) as string[],
      added: added.map((_tag, index) => tagAt(removed.length + index)) as string[],
    },
    [row],
  );
  return recording.outcome();
}

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
  annotatedFact(recording, entity, [{ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }], set);
  return recording.outcome();
}
