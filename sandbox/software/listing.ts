import type { Panel as PanelItem, Region } from '../../lambdas/catalogue/schemas.ts';
import { renderCreated, type Zone } from './created.ts';
import type { CodeLine, Entity, Panel, Rating, Span } from './state.ts';
import { versionOf } from './versions.ts';

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
export const levels: Readonly<Record<Rating, string>> = { green: '3', amber: '2', red: '1', none: '0' };

/** The region on its panel as `/regions/` serves it. */
export function regionItem(region: Entity, panel: PanelItem): Region {
  return { ...regionFields(region), panel };
}

/** The region without its panel. */
export function regionFields(region: Entity) {
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
