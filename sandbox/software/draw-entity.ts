import { type Entity, type Rating, type Span, sourceOfRating } from './state.ts';
import { chance, type EntityType, maybe, pick, several, type Values } from './values.ts';

export const ratings = ['green', 'amber', 'red', 'none'] as const satisfies readonly Rating[];

/** A name for an entity of a type; `before` is the one that an STR or region has now. */
export function drawName(values: Values, type: EntityType, before?: string): string {
  if (type === 'gene') return values.geneSymbol();
  return type === 'str' ? values.strName(before) : values.regionName(before);
}

/** A span of a chromosome, in bases. */
export function drawSpan(values: Values): Span {
  const start = values.integer(10_000, 150_000_000);
  return [start, start + values.integer(50, 3_000_000)];
}

/** A chromosome, from 1 to 22 or X. */
export function drawChromosome(values: Values): string {
  return pick(values, [...Array.from({ length: 22 }, (_, index) => String(index + 1)), 'X']);
}

/** A dosage sensitivity score of ClinGen, or none. */
export function drawScore(values: Values): string {
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
    repeats: {
      sequence: 'CAG',
      normal: String(values.integer(5, 30)),
      pathogenic: String(values.integer(31, 90)),
    },
    variantType: chance(values, 50) ? 'cnv_gain' : 'cnv_loss',
    haploinsufficiency: maybe(values, 80, () => drawScore(values)),
    triplosensitivity: maybe(values, 80, () => drawScore(values)),
    requiredOverlap: pick(values, [60, 80]),
    ready: false,
    reviewers: [],
    comments: [],
  };
}
