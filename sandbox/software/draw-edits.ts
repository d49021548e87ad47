import type { FirstReview } from './actions/add-entity.ts';
import type { PanelEdit } from './actions/edit-panel.ts';
import { type FormEdit, withoutSame } from './actions/form-lines.ts';
import type { Review, ReviewEdit } from './actions/review.ts';
import { drawChromosome, drawName, drawScore, drawSpan, ratings } from './draw-entity.ts';
import { panelTypes } from './listing.ts';
import { panelStatuses, reviewRatings } from './slots.ts';
import { type Entity, type Panel, ratingOfSource, sourceOfRating } from './state.ts';
import { chance, maybe, pick, several, someOf, type Values } from './values.ts';

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
    ...given(
      'comment',
      maybe(values, 60, () => values.comment()),
    ),
    ...given(
      'rating',
      maybe(values, 40, () => pick(values, reviewRating)),
    ),
    ...given(
      'modeOfPathogenicity',
      maybe(values, 30, () => values.modeOfPathogenicity()),
    ),
    ...given(
      'publications',
      maybe(values, 40, () => several(values, 1, 3, () => values.publication())),
    ),
    ...given(
      'phenotypes',
      maybe(values, 30, () => several(values, 1, 3, () => values.phenotype())),
    ),
    // The software writes no line for an emptied field.
    ...given(
      'modeOfInheritance',
      maybe(values, 30, () => values.modeOfInheritance() || 'Unknown'),
    ),
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
    ...given(
      'modeOfInheritance',
      maybe(values, 30, () => values.modeOfInheritance()),
    ),
    ...given(
      'phenotypes',
      maybe(values, 30, () => several(values, append ? 1 : 0, 3, () => values.phenotype())),
    ),
    ...given(
      'penetrance',
      maybe(values, 25, () => values.penetrance()),
    ),
    ...given(
      'publications',
      maybe(values, 40, () => several(values, 0, 3, () => values.publication())),
    ),
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
    ...(rating === null
      ? given(
          'rating',
          maybe(values, 25, () => pick(values, ratings)),
        )
      : {}),
  };
}

function drawGeneEdit(values: Values): FormEdit {
  return {
    ...given(
      'modeOfPathogenicity',
      maybe(values, 25, () => values.modeOfPathogenicity()),
    ),
    ...given(
      'transcript',
      maybe(values, 25, () => several(values, 0, 2, () => values.transcript())),
    ),
  };
}

function drawPlaceEdit(values: Values, entity: Entity): FormEdit {
  const removes37 = entity.grch37 !== null && chance(values, 15);
  const unlinks = entity.linkedGene !== null && chance(values, 10);
  return {
    ...given(
      'name',
      maybe(values, 20, () => drawName(values, entity.type, entity.name)),
    ),
    ...given(
      'chromosome',
      maybe(values, 15, () => drawChromosome(values)),
    ),
    ...(removes37
      ? { grch37: null }
      : given(
          'grch37',
          maybe(values, 15, () => drawSpan(values)),
        )),
    ...given(
      'grch38',
      maybe(values, 20, () => drawSpan(values)),
    ),
    ...(unlinks
      ? { linkedGene: null }
      : given(
          'linkedGene',
          maybe(values, 15, () => values.geneSymbol()),
        )),
    ...(entity.type === 'str' ? drawRepeats(values) : drawDosage(values)),
  };
}

function drawRepeats(values: Values): FormEdit {
  return {
    ...given(
      'sequence',
      maybe(values, 15, () => pick(values, ['CAG', 'CTG', 'GGGGCC', 'AAGGG'])),
    ),
    ...given(
      'normalRepeats',
      maybe(values, 20, () => String(values.integer(5, 30))),
    ),
    ...given(
      'pathogenicRepeats',
      maybe(values, 20, () => String(values.integer(31, 90))),
    ),
  };
}

function drawDosage(values: Values): FormEdit {
  return {
    ...given(
      'verboseName',
      maybe(values, 15, () => values.verboseName()),
    ),
    ...given(
      'variantType',
      maybe(values, 15, () => pick(values, ['cnv_gain', 'cnv_loss'] as const)),
    ),
    ...given(
      'haploinsufficiency',
      maybe(values, 25, () => drawScore(values)),
    ),
    ...given(
      'triplosensitivity',
      maybe(values, 25, () => drawScore(values)),
    ),
    ...given(
      'requiredOverlap',
      maybe(values, 15, () => values.integer(40, 90)),
    ),
  };
}

/** What is entered in a panel's form. */
export function drawPanelEdit(values: Values, panel: Panel, children: readonly Panel[]): PanelEdit {
  const edit: PanelEdit = {
    ...given(
      'name',
      maybe(values, 20, () => values.panelName(panel.name)),
    ),
    ...given(
      'hpoTerms',
      maybe(values, 20, () => several(values, 0, 2, () => values.hpoTerm())),
    ),
    ...given(
      'relatedPanels',
      maybe(values, 25, () => several(values, 0, 2, () => values.disorder())),
    ),
    ...given(
      'status',
      maybe(values, 20, () => pick(values, panelStatuses.slice(0, 3))),
    ),
    ...given(
      'childPanels',
      panel.childPanels.length > 0 ? maybe(values, 40, () => someOf(values, 60, children)) : null,
    ),
    ...given(
      'types',
      maybe(values, 25, () => someOf(values, 40, panelTypes)),
    ),
  };
  const idle = Object.keys(edit).length === 0;
  return idle || chance(values, 20) ? { ...edit, signedOff: panel.signOffs.length === 0 } : edit;
}

/** The field, or nothing where chance left it out. */
function given<Name extends string, T>(name: Name, value: T | null): { readonly [N in Name]?: T } {
  return (value === null ? {} : { [name]: value }) as { readonly [N in Name]?: T };
}
