import type { EntityFacts, Shown, ShownEntity, ShownPanel } from '../differences/shown.ts';
import type { StateEntity, VersionState } from './version-state.ts';

/**
 * The entities of a panel at a version, as they are compared. The facts of the panel itself are left to the listings,
 * which show all of them.
 */
export function shownState({ entities, whole }: Pick<VersionState, 'entities' | 'whole'>): ShownPanel {
  return { facts: {}, whole, entities: entities.map(shownEntity) };
}

function shownEntity(entity: StateEntity): ShownEntity {
  const { type, name, hgncId, ensemblIds, omimIds, child } = entity;
  return {
    type,
    name,
    // An STR or region may be linked to another gene, and stays what it is.
    ...(type === 'gene' && hgncId !== null && { hgncId }),
    ...(ensemblIds.GRCh38 !== null && { ensemblId: ensemblIds.GRCh38 }),
    ...(omimIds.length > 0 && { omimIds }),
    ...(child && { ofPanel: child.id }),
    facts: factsOf(entity),
  };
}

function factsOf(entity: StateEntity): Shown<EntityFacts> {
  const { type, rating, evidence, locations } = entity;
  // A gene lies where Ensembl says, not where a curator does.
  const place = (build: 'GRCh37' | 'GRCh38'): string | null | undefined =>
    type === 'gene' ? undefined : (locations[build]?.split(':').at(-1) ?? null);
  return {
    rating: rating ?? undefined,
    tags: entity.tags,
    sources: evidence,
    modeOfInheritance: entity.modeOfInheritance,
    modeOfPathogenicity: entity.modeOfPathogenicity,
    penetrance: entity.penetrance,
    phenotypes: entity.phenotypes,
    publications: entity.publications,
    transcript: entity.transcript,
    gene: undefined,
    verboseName: entity.verboseName,
    chromosome: type === 'gene' ? undefined : entity.chromosome,
    grch37: place('GRCh37'),
    grch38: place('GRCh38'),
    repeatedSequence: entity.repeatedSequence,
    normalRepeats: entity.normalRepeats,
    pathogenicRepeats: entity.pathogenicRepeats,
    haploinsufficiency: entity.haploinsufficiency,
    triplosensitivity: entity.triplosensitivity,
    requiredOverlap: entity.requiredOverlap,
    variantType: entity.variantType,
  };
}
