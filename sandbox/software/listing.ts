import type { Panel as PanelItem, Region } from '../../lambdas/catalogue/schemas.ts';
import { renderCreated, type Zone } from './created.ts';
import { type CodeLine, type Entity, type Panel, type Rating, versionOf } from './state.ts';

interface ListingStyle {
  readonly codeLine: CodeLine;
  readonly zone: Zone;
}

/** The panel as `/panels/` serves it, its fields in the software's order. */
export function panelItem(panel: Panel, { codeLine, zone }: ListingStyle): PanelItem {
  const count = (type: Entity['type']): number =>
    panel.entities.filter((entity) => entity.type === type).length;
  const au = codeLine === 'au';
  return {
    id: panel.id,
    hash_id: null,
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

const levels: Readonly<Record<Rating, string>> = { green: '3', amber: '2', red: '1', none: '0' };

/** The region on its panel as `/regions/` serves it. */
export function regionItem(region: Entity, panel: PanelItem): Region {
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
    grch37_coordinates: region.grch37 ? [...region.grch37] : null,
    grch38_coordinates: region.grch38 ? [...region.grch38] : null,
    tags: region.tags,
    panel,
  };
}
