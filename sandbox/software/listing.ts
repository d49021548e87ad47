import type { Panel as PanelItem, Region } from '../../lambdas/catalogue/schemas.ts';
import {
  type CodeLine,
  type Entity,
  type Panel,
  type PanelType,
  type Rating,
  type Span,
  versionOf,
} from './state.ts';
import { genes, originalSymbol, renderCreated, type Zone } from './values.ts';

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

const levels: Readonly<Record<Rating, string>> = { green: '3', amber: '2', red: '1', none: '0' };

/** The region on its panel as `/regions/` serves it. */
export function regionItem(region: Entity, panel: PanelItem): Region {
  return { ...regionFields(region), panel };
}

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

const panelType = (name: string, slug: string, description: string): PanelType => ({
  name,
  slug,
  description,
});

/** The types of panels. Source: docs/interfaces.md, "Panel". */
export const panelTypes: readonly PanelType[] = [
  panelType(
    'GMS Rare Disease Virtual',
    'gms-rare-disease-virtual',
    'Virtual panel for a test of the test directory',
  ),
  panelType('GMS Rare Disease', 'gms-rare-disease', 'Rare disease panel that is not virtual'),
  panelType('GMS signed-off', 'gms-signed-off', 'This panel has been signed off'),
  panelType('Rare Disease 100K', 'rare-disease-100k', 'Rare disease panel of the earlier programme'),
  panelType(
    'Component Of Super Panel',
    'component-of-super-panel',
    'This panel is a component of a super panel',
  ),
  panelType('Super Panel', 'superpanel', 'This panel is a super panel'),
  panelType('Additional findings', 'additional-findings', 'This panel is used for additional findings'),
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
    repeated_sequence: str.sequence,
    chromosome: str.chromosome,
    grch37_coordinates: str.grch37,
    grch38_coordinates: str.grch38,
    normal_repeats: Number(str.normalRepeats),
    pathogenic_repeats: Number(str.pathogenicRepeats),
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

/** The made-up number of a gene starts here, above all that HGNC has given. */
const FIRST_MADE_UP = 900_000;
const trueNumbers: Readonly<Record<string, number>> = { BRCA1: 1100, BRCA2: 1101 };

/** The releases of Ensembl for GRCh37 and GRCh38, and of HGNC. */
const releases = {
  au: { GRch37: '87', GRch38: '115', hgnc: '2023-03-01T00:00:00' },
  'uk-2019': { GRch37: '82', GRch38: '90', hgnc: '2017-11-03' },
} as const satisfies Readonly<Record<CodeLine, object>>;

/**
 * What the catalogue knows of the gene with this symbol, apart from its panels: made up, but always the same, also when HGNC
 * renames it. Source: docs/interfaces.md, "Entity".
 */
function geneDataOf(symbol: string, codeLine: CodeLine) {
  const original = originalSymbol(symbol);
  const number = numberOf(original);
  const { hgnc, GRch37, GRch38 } = releases[codeLine];
  const renamed = original !== symbol;
  return {
    alias: aliasesOf(original, renamed),
    biotype: 'protein_coding',
    hgnc_id: `HGNC:${trueNumbers[original] ?? number}`,
    gene_name: `made-up gene ${original}`,
    omim_gene: number % 10 === 0 ? [] : [String(600_000 + (number % 90_000))],
    alias_name: number % 4 === 0 ? null : [],
    gene_symbol: symbol,
    hgnc_symbol: symbol,
    hgnc_release: number % 7 === 0 ? null : hgnc,
    ensembl_genes:
      number % 20 === 0
        ? {}
        : { GRch37: { [GRch37]: ensemblOf(number, 0) }, GRch38: { [GRch38]: ensemblOf(number, 1500) } },
    hgnc_date_symbol_changed: renamed ? '2024-05-01' : null,
  };
}

function numberOf(original: string): number {
  const place = genes.indexOf(original);
  if (place >= 0) return FIRST_MADE_UP + place;
  let hash = 0;
  for (const letter of original) hash = (hash * 31 + letter.charCodeAt(0)) % 9_000_000;
  return FIRST_MADE_UP + genes.length + hash;
}

/** Some genes have the symbol of another gene as alias, so that who matches by alias goes wrong. */
function aliasesOf(original: string, renamed: boolean): readonly string[] {
  const place = genes.indexOf(original);
  const another = place % 3 === 0 ? genes[place + 1] : undefined;
  return [...(renamed ? [original] : []), ...(another === undefined ? [] : [another])];
}

function ensemblOf(number: number, shift: number) {
  const start = 1_000_000 + ((number * 7919) % 130_000_000) + shift;
  const chromosome = (number % 23) + 1;
  return {
    ensembl_id: `ENSG${String(number).padStart(11, '0')}`,
    location: `${chromosome === 23 ? 'X' : chromosome}:${start}-${start + 9000}`,
  };
}
