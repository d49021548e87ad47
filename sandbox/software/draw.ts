import { type FormEdit, withoutSame } from './actions/form-lines.ts';
import type { PanelEdit } from './actions/panel.ts';
import type { FirstReview } from './actions/panel-entities.ts';
import type { Review, ReviewEdit } from './actions/review.ts';
import { panelTypes } from './listing.ts';
import { panelStatuses, reviewRatings } from './slots.ts';
import { type Entity, type Panel, type Rating, ratingOfSource, type Span, sourceOfRating } from './state.ts';
import { chance, type EntityType, maybe, pick, several, someOf, type Values } from './values.ts';

const reviewRating = Object.keys(reviewRatings) as (keyof typeof reviewRatings)[];

/** What a person may say of an entity while adding it. */
export function drawFirstReview(values: Values): FirstReview {
  return {
    rating: maybe(values, 40, () => pick(values, reviewRating)),
    clinicallyRelevant: chance(values, 20),
    currentDiagnostic: chance(values, 20),
    comment: maybe(values, 40, () => values.comment()),
  };
}

/** What a person may enter into the form of a review. */
export function drawReview(values: Values): Review {
  return {
    rating: maybe(values, 80, () => pick(values, reviewRating)),
    modeOfPathogenicity: maybe(values, 40, () => values.modeOfPathogenicity()),
    publications: several(values, 0, 3, () => values.publication()),
    phenotypes: several(values, 0, 3, () => values.phenotype()),
    modeOfInheritance: maybe(values, 70, () => values.modeOfInheritance()),
    currentDiagnostic: chance(values, 20),
    clinicallyRelevant: chance(values, 20),
  };
}

/** At least one change, since an edit without any is not logged. */
export function drawReviewEdit(values: Values, entity: Entity): ReviewEdit {
  const edit: ReviewEdit = {
    ...perhaps(values, 'comment', 60, () => values.comment()),
    ...perhaps(values, 'rating', 40, () => pick(values, reviewRating)),
    ...perhaps(values, 'modeOfPathogenicity', 30, () => values.modeOfPathogenicity()),
    ...perhaps(values, 'publications', 40, () => several(values, 1, 3, () => values.publication())),
    ...perhaps(values, 'phenotypes', 30, () => several(values, 1, 3, () => values.phenotype())),
    // The software writes no line for an emptied field.
    ...perhaps(values, 'modeOfInheritance', 30, () => values.modeOfInheritance() || 'Unknown'),
    ...(chance(values, 20) ? { currentDiagnostic: true } : {}),
    ...(entity.type === 'str' && chance(values, 40) ? { clinicallyRelevant: chance(values, 50) } : {}),
  };
  return Object.keys(edit).length > 0 ? edit : { comment: values.comment() };
}

/** What is entered in the edit form of a gene, STR or region. */
export function drawFormEdit(values: Values, entity: Entity, append: boolean): FormEdit {
  const edit: FormEdit = {
    append,
    ...(entity.type === 'gene' ? drawGeneEdit(values) : drawPlaceEdit(values, entity)),
    ...drawSources(values, entity, append),
    tagsRemoved: append ? [] : someOf(values, 40, entity.tags),
    tagsAdded: several(values, 0, 2, () => values.tag()).filter((tag) => !entity.tags.includes(tag)),
    ...perhaps(values, 'modeOfInheritance', 30, () => values.modeOfInheritance()),
    ...perhaps(values, 'phenotypes', 30, () => several(values, append ? 1 : 0, 3, () => values.phenotype())),
    ...perhaps(values, 'penetrance', 25, () => values.penetrance()),
    ...perhaps(values, 'publications', 40, () => several(values, 0, 3, () => values.publication())),
  };
  return withoutSame(edit, entity);
}

function drawSources(values: Values, entity: Entity, append: boolean): FormEdit {
  const rating = maybe(values, 40, () => pick(values, ratings));
  const carriers = entity.sources.filter((source) => ratingOfSource(source) !== null);
  const plain = entity.sources.filter((source) => ratingOfSource(source) === null);
  const swapped = rating !== null && !append ? carriers : [];
  return {
    sourcesRemoved: append ? [] : [...someOf(values, 40, plain), ...swapped],
    sourcesAdded: [
      ...several(values, 0, 2, () => values.source()).filter((source) => !entity.sources.includes(source)),
      ...(rating === null ? [] : [sourceOfRating(rating)]),
    ],
    // Entered by itself, it shows only where the row says something else.
    ...(rating === null ? perhaps(values, 'rating', 25, () => pick(values, ratings)) : {}),
  };
}

function drawGeneEdit(values: Values): FormEdit {
  return {
    ...perhaps(values, 'modeOfPathogenicity', 25, () => values.modeOfPathogenicity()),
    ...perhaps(values, 'transcript', 25, () => several(values, 0, 2, () => values.transcript())),
  };
}

function drawPlaceEdit(values: Values, entity: Entity): FormEdit {
  const removes37 = entity.grch37 !== null && chance(values, 15);
  const unlinks = entity.linkedGene !== null && chance(values, 10);
  return {
    ...perhaps(values, 'name', 20, () => drawName(values, entity.type, entity.name)),
    ...perhaps(values, 'chromosome', 15, () => drawChromosome(values)),
    ...(removes37 ? { grch37: null } : perhaps(values, 'grch37', 15, () => drawSpan(values))),
    ...perhaps(values, 'grch38', 20, () => drawSpan(values)),
    ...(unlinks ? { linkedGene: null } : perhaps(values, 'linkedGene', 15, () => values.geneSymbol())),
    ...(entity.type === 'str' ? drawRepeats(values) : drawDosage(values)),
  };
}

function drawRepeats(values: Values): FormEdit {
  return {
    ...perhaps(values, 'sequence', 15, () => pick(values, ['CAG', 'CTG', 'GGGGCC', 'AAGGG'])),
    ...perhaps(values, 'normalRepeats', 20, () => String(values.integer(5, 30))),
    ...perhaps(values, 'pathogenicRepeats', 20, () => String(values.integer(31, 90))),
  };
}

function drawDosage(values: Values): FormEdit {
  return {
    ...perhaps(values, 'verboseName', 15, () => values.verboseName()),
    ...perhaps(values, 'variantType', 15, () => pick(values, ['cnv_gain', 'cnv_loss'] as const)),
    ...perhaps(values, 'haploinsufficiency', 25, () => drawScore(values)),
    ...perhaps(values, 'triplosensitivity', 25, () => drawScore(values)),
    ...perhaps(values, 'requiredOverlap', 15, () => values.integer(40, 90)),
  };
}

/** What is entered in a panel's form. */
export function drawPanelEdit(values: Values, panel: Panel, children: readonly Panel[]): PanelEdit {
  const edit: PanelEdit = {
    ...perhaps(values, 'name', 20, () => values.panelName(panel.name)),
    ...perhaps(values, 'hpoTerms', 20, () => several(values, 0, 2, () => values.hpoTerm())),
    ...perhaps(values, 'relatedPanels', 25, () => several(values, 0, 2, () => values.disorder())),
    ...perhaps(values, 'status', 20, () => pick(values, panelStatuses.slice(0, 3))),
    ...(panel.childPanels.length > 0
      ? perhaps(values, 'childPanels', 40, () => someOf(values, 60, children))
      : {}),
    ...perhaps(values, 'types', 25, () => someOf(values, 40, panelTypes)),
  };
  const idle = Object.keys(edit).length === 0;
  return idle || chance(values, 20) ? { ...edit, signedOff: panel.signOffs.length === 0 } : edit;
}

/** The field in so many percent of the draws, else nothing. */
function perhaps<Name extends string, T>(
  values: Values,
  name: Name,
  percent: number,
  draw: () => T,
): { readonly [N in Name]?: T } {
  return (chance(values, percent) ? { [name]: draw() } : {}) as { readonly [N in Name]?: T };
}

export const ratings = ['green', 'amber', 'red', 'none'] as const satisfies readonly Rating[];

/** A name for an entity of a type; `before` is the one that an STR or region has now. */
export function drawName(values: Values, type: EntityType, before?: string): string {
  if (type === 'gene') return values.geneSymbol();
  return type === 'str' ? values.strName(before) : values.regionName(before);
}

function drawSpan(values: Values): Span {
  const start = values.integer(10_000, 150_000_000);
  return [start, start + values.integer(50, 3_000_000)];
}

function drawChromosome(values: Values): string {
  return pick(values, [...Array.from({ length: 22 }, (_, index) => String(index + 1)), 'X']);
}

/** A dosage sensitivity score of ClinGen, or none. */
function drawScore(values: Values): string {
  return pick(values, ['0', '1', '2', '3', '30', '40', '']);
}

/** An entity as it is entered; the panel that admits it sets its rating. */
export function drawEntity(values: Values, type: EntityType): Entity {
  const rating = maybe(values, 50, () => pick(values, ratings));
  return {
    type,
    name: drawName(values, type),
    rating: 'red',
    statedRating: null,
    sources: [
      ...several(values, 0, 3, () => values.source()),
      ...(rating === null ? [] : [sourceOfRating(rating)]),
    ],
    tags: several(values, 0, 2, () => values.tag()),
    modeOfInheritance: values.modeOfInheritance(),
    modeOfPathogenicity: maybe(values, 30, () => values.modeOfPathogenicity()),
    phenotypes: several(values, 0, 3, () => values.phenotype()),
    publications: several(values, 0, 3, () => values.publication()),
    penetrance: maybe(values, 40, () => values.penetrance()),
    transcript: maybe(values, 40, () => several(values, 0, 2, () => values.transcript())),
    linkedGene: type === 'gene' ? null : maybe(values, 60, () => values.geneSymbol()),
    verboseName: values.verboseName(),
    chromosome: drawChromosome(values),
    grch37: maybe(values, 60, () => drawSpan(values)),
    grch38: maybe(values, 80, () => drawSpan(values)),
    sequence: 'CAG',
    normalRepeats: String(values.integer(5, 30)),
    pathogenicRepeats: String(values.integer(31, 90)),
    variantType: chance(values, 50) ? 'cnv_gain' : 'cnv_loss',
    haploinsufficiency: maybe(values, 80, () => drawScore(values)),
    triplosensitivity: maybe(values, 80, () => drawScore(values)),
    requiredOverlap: pick(values, [60, 80]),
    ready: false,
    reviewers: [],
    comments: [],
  };
}
