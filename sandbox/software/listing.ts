import type { Panel as PanelItem, Region } from '../../lambdas/catalogue/schemas.ts';
import { geneDataOf } from './gene-data.ts';
import {
  type CodeLine,
  type Entity,
  type Panel,
  type PanelType,
  type Rating,
  type Span,
  versionOf,
} from './state.ts';
import { renderCreated, type Zone } from './values.ts';

/** How the server renders what it lists. */
export interface ListingStyle {
  readonly codeLine: CodeLine;
  readonly zone: Zone;
}

/** The panel as `/panels/` serves it, its fields in the software's order. */
export function panelItem(panel: Panel, { codeLine, zone }: ListingStyle): PanelItem {
  const count = (type: Entity['type']): number =>
    heldBy(panel).filter((entity) => entity.type === type).length;
  const au = codeLine === 'au';
  return {
    id: panel.id,
    hash_id: hashIdOf(panel),
    name: panel.name,
    disease_group: panel.diseaseGroup,
    disease_sub_group: panel.diseaseSubGroup,
    ...(au ? { description: panel.description } : {}),
    status: panel.status,
    version: versionOf(panel),
    version_created: renderCreated(panel.versionCreated, zone),
    relevant_disorders: panel.relevantDisorders,
    stats: {
      number_of_genes: count('gene'),
      number_of_strs: count('str'),
      number_of_regions: count('region'),
    },
    types: panel.types.map(({ name, slug, description }) => ({ name, slug, description })),
    ...(au ? { child_panel_ids: panel.childPanels.map(({ id }) => id) } : {}),
  };
}

function heldBy({ entities, childPanels }: Panel): readonly Entity[] {
  return [...entities, ...childPanels.flatMap((child) => child.entities)];
}

/** Panels of the first years have one besides their number. */
export function hashIdOf({ id }: Panel): string | null {
  return id % 3 === 1 ? `5${String(id).padStart(3, '0')}b0b0c0d0e0f0a0b0c0d0` : null;
}

/** The confidence level of a rating. */
const levels: Readonly<Record<Rating, string>> = { green: '3', amber: '2', red: '1', none: '0' };

/** The region on its panel as `/regions/` serves it. */
export function regionItem(region: Entity, panel: PanelItem): Region {
  return { ...regionFields(region), panel };
}

/** The region without its panel. */
function regionFields(region: Entity) {
  return {
    gene_data: null,
    entity_type: 'region',
    entity_name: region.name,
    verbose_name: region.verboseName,
    confidence_level: levels[region.rating],
    penetrance: region.penetrance,
    mode_of_pathogenicity: region.modeOfPathogenicity,
    haploinsufficiency_score: region.haploinsufficiency ?? '',
    triplosensitivity_score: region.triplosensitivity ?? '',
    required_overlap_percentage: region.requiredOverlap,
    type_of_variants: region.variantType,
    publications: region.publications,
    evidence: region.sources,
    phenotypes: region.phenotypes,
    mode_of_inheritance: region.modeOfInheritance,
    chromosome: region.chromosome,
    grch37_coordinates: coordinatesOf(region.grch37),
    grch38_coordinates: coordinatesOf(region.grch38),
    tags: region.tags,
  };
}

function coordinatesOf(span: Span | null): [start: number, end: number] | null {
  return span && [span[0], span[1]];
}

/** The types of panels. Source: docs/interfaces.md, "Panel". */
export const panelTypes: readonly PanelType[] = [
  {
    name: 'GMS Rare Disease Virtual',
    slug: 'gms-rare-disease-virtual',
    description: 'Virtual panel for a test of the test directory',
  },
  {
    name: 'GMS Rare Disease',
    slug: 'gms-rare-disease',
    description: 'Rare disease panel that is not virtual',
  },
  { name: 'GMS signed-off', slug: 'gms-signed-off', description: 'This panel has been signed off' },
  {
    name: 'Rare Disease 100K',
    slug: 'rare-disease-100k',
    description: 'Rare disease panel of the earlier programme',
  },
  {
    name: 'Component Of Super Panel',
    slug: 'component-of-super-panel',
    description: 'This panel is a component of a super panel',
  },
  { name: 'Super Panel', slug: 'superpanel', description: 'This panel is a super panel' },
  {
    name: 'Additional findings',
    slug: 'additional-findings',
    description: 'This panel is used for additional findings',
  },
];

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
