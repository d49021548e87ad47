import { type Entity, isMitochondrial, ratingOfSource } from '../state.ts';
import type { FormEdit } from './form-edit.ts';

/** Carries an edit of the form over to the entity. */
export function applyEdit(entity: Entity, edit: FormEdit): void {
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
