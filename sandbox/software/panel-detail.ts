import { geneDataOf } from './gene-data.ts';
import { type ListingStyle, levels, panelItem, regionFields } from './listing.ts';
import type { Entity, Panel } from './state.ts';

/** How the server keeps a version: as it is served today, or as old software archived it. */
type DetailForm = 'today' | 'old archive';

/**
 * The panel with its entities as `/panels/{id}/` serves it. A super panel lists those of its children, each with its child.
 * An old archive has no tags and no transcripts, and its confidence levels are numbers.
 */
export function panelDetail(panel: Panel, style: ListingStyle, form: DetailForm = 'today'): object {
  const held = [
    ...panel.entities.map((entity) => ({ entity, item: entityItem(entity, style) })),
    ...panel.childPanels.flatMap((child) => {
      const childItem = panelItem(child, style);
      return child.entities.map((entity) => ({
        entity,
        item: { ...entityItem(entity, style), panel: childItem },
      }));
    }),
  ].toSorted((one, other) => byName(one.entity, other.entity));
  const ofType = (type: Entity['type']): readonly object[] =>
    held.flatMap(({ entity, item }) =>
      entity.type === type ? [form === 'today' ? item : oldItem(item)] : [],
    );
  return {
    ...panelItem(panel, style),
    genes: ofType('gene'),
    strs: ofType('str'),
    regions: ofType('region'),
  };
}

function byName(one: Entity, other: Entity): number {
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}

type Item = Readonly<Record<string, unknown>>;

function entityItem(entity: Entity, style: ListingStyle): Item {
  switch (entity.type) {
    case 'gene':
      return geneItem(entity, style);
    case 'str':
      return strItem(entity, style);
    case 'region':
      return regionFields(entity);
    default:
      return entity.type satisfies never;
  }
}

function geneItem(gene: Entity, { codeLine }: ListingStyle): Item {
  return {
    gene_data: geneDataOf(gene.name, codeLine),
    ...commonFields(gene),
    mode_of_pathogenicity: gene.modeOfPathogenicity,
    ...(codeLine === 'au' ? { transcript: gene.transcript } : {}),
  };
}

function strItem(str: Entity, { codeLine }: ListingStyle): Item {
  return {
    gene_data: str.linkedGene === null ? null : geneDataOf(str.linkedGene, codeLine),
    ...commonFields(str),
    repeated_sequence: str.repeats.sequence,
    chromosome: str.chromosome,
    grch37_coordinates: str.grch37,
    grch38_coordinates: str.grch38,
    normal_repeats: Number(str.repeats.normal),
    pathogenic_repeats: Number(str.repeats.pathogenic),
  };
}

function commonFields(entity: Entity): Item {
  return {
    entity_type: entity.type,
    entity_name: entity.name,
    confidence_level: levels[entity.rating],
    penetrance: entity.penetrance,
    publications: entity.publications,
    evidence: entity.sources,
    phenotypes: entity.phenotypes,
    mode_of_inheritance: entity.modeOfInheritance,
    tags: entity.tags,
  };
}

function oldItem({ tags: _tags, transcript: _transcript, ...item }: Item): Item {
  return { ...item, confidence_level: Number(item.confidence_level) };
}
