import { addEntity, noFirstReview } from './actions/add-entity.ts';
import { clearExpertReview, clearSource } from './actions/clear-sources.ts';
import { editComment } from './actions/comment.ts';
import { editEntity } from './actions/edit-form.ts';
import { editTags } from './actions/edit-tags.ts';
import {
  type LegacyField,
  type LegacyStyle,
  legacyChanged,
  legacyClassified,
  legacyReview,
  legacySet,
} from './actions/legacy.ts';
import { importEntities } from './actions/panel-entities.ts';
import { replaceGene } from './actions/replace-gene.ts';
import { drawFirstReview, drawFormEdit } from './draw-edits.ts';
import { drawEntity, drawName } from './draw-entity.ts';
import type { EntityType } from './entity-type.ts';
import type { Scene } from './scene.ts';
import type { Outcome } from './sheet.ts';
import type { Entity } from './state.ts';
import { chance, maybe, pick, several } from './values.ts';

/** How the longer kinds of action draw what is entered, and play it. */

/** A comment, for half of the actions that may have one. */
export function comment({ values }: Scene): string | null {
  return maybe(values, 50, () => values.comment());
}

/** Adds an entity of a type, sometimes with a first review. */
export function addOf(type: EntityType): (scene: Scene) => Outcome {
  return (scene) => {
    const entity = newEntity(scene, type);
    const { values, desk } = scene;
    return addEntity(desk, entity, chance(values, 40) ? drawFirstReview(values) : noFirstReview);
  };
}

/** Imports two to four genes. */
export function importSome(scene: Scene): Outcome {
  const { desk, values } = scene;
  const drawn = Array.from({ length: values.integer(2, 4) }, () => newEntity(scene, 'gene'));
  const distinct = [...new Map(drawn.map((entity) => [entity.name, entity])).values()];
  return importEntities(desk, distinct, () => values.integer(26_000, 64_000));
}

/** An entity that is not on the panel yet. */
function newEntity({ desk, values }: Scene, type: EntityType): Entity {
  const entity = drawEntity(values, type);
  const taken = (): boolean =>
    desk.panel.entities.some((other) => other.type === type && other.name === entity.name);
  for (let tries = 0; taken() && tries < 20; tries += 1) entity.name = drawName(values, type);
  // A draw that keeps repeating itself: any other name will do.
  while (taken()) entity.name += '2';
  return entity;
}

/** Removes some of the tags and adds others. */
export function changeTags({ desk, entity, values }: Scene): Outcome {
  const removed = entity.tags.filter(() => chance(values, 40));
  const added = several(values, removed.length > 0 ? 0 : 1, 2, () => values.tag());
  return editTags(desk, entity, { removed, added });
}

/** Removes one source. */
export function clearOneSource(scene: Scene): Outcome {
  return clearSource(scene.desk, scene.entity, pick(scene.values, sourcesOf(scene)));
}

/** Removes the sources that carry a rating. */
export function clearReviewSources(scene: Scene): Outcome {
  return clearExpertReview(scene.desk, scene.entity, sourcesOf(scene));
}

function sourcesOf({ entity, values }: Scene): readonly string[] {
  return entity.sources.length > 0 ? entity.sources : [values.source()];
}

/** Edits the last comment. */
export function changeComment({ desk, entity, values }: Scene): Outcome {
  return editComment(desk, entity, entity.comments.at(-1) ?? values.comment(), values.comment());
}

/** Edits fields of an entity in its form. */
export function fillForm({ desk, entity, values }: Scene): Outcome {
  return editEntity(desk, entity, drawFormEdit(values, entity, false));
}

/** Adds to lists of an entity by an import. */
export function appendByImport({ desk, entity, values }: Scene): Outcome {
  return editEntity(desk, entity, drawFormEdit(values, entity, true));
}

/** Replaces a gene by another symbol, sometimes with further edits. */
export function changeSymbol(scene: Scene): Outcome {
  const { desk, entity, values } = scene;
  const to = newEntity(scene, 'gene').name;
  const edit = maybe(values, 50, () => drawFormEdit(values, entity, false));
  return replaceGene(desk, entity, to, edit ?? {});
}

/** How a row of the years before 2018 is worded. */
export function styleOf({ values }: Scene): LegacyStyle {
  return { labelled: chance(values, 60), unnamed: chance(values, 30) };
}

/** Reviews a gene, worded as in the years before 2018. */
export function reviewLongAgo(scene: Scene): Outcome {
  return legacyReview(scene.desk, scene.entity, chance(scene.values, 50), styleOf(scene));
}

/** Rates a gene, worded as in the years before 2018. */
export function classifyLongAgo(scene: Scene): Outcome {
  const to = pick(scene.values, ['green', 'amber', 'red'] as const);
  return legacyClassified(scene.desk, scene.entity, to, styleOf(scene));
}

const legacyFields: readonly LegacyField[] = ['phenotypes', 'publications', 'modeOfInheritance'];

/** Sets a field of a gene, worded as in the years before 2018. */
export function setLongAgo({ desk, entity, values }: Scene): Outcome {
  return legacySet(desk, entity, pick(values, legacyFields));
}

/** Changes a field of a gene, worded as in the years before 2018. */
export function changeLongAgo({ desk, entity, values }: Scene): Outcome {
  const field = pick(values, legacyFields);
  if (field === 'modeOfInheritance') return legacyChanged(desk, entity, field, values.modeOfInheritance());
  const item = (): string => (field === 'phenotypes' ? values.phenotype() : values.publication());
  return legacyChanged(desk, entity, field, several(values, 0, 3, item));
}
