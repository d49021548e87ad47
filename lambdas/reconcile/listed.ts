import * as z from 'zod';
import type { Panel, Region } from '../catalogue/schemas.ts';
import { type Rating, ratingSchema } from '../events/changes.ts';
import { eventsSchema } from '../store/store.ts';

/**
 * What the sweep keeps of the catalogue's listings: the fields that it compares, and no more
 * (docs/interfaces.md, "Panel" and "Region").
 */

const listedPanelSchema = z.lazy(() =>
  z.object({
    id: z.number().int(),
    name: z.string(),
    status: z.string(),
    version: z.string(),
    /** As the catalogue wrote it. */
    versionCreated: z.string(),
    types: z.array(z.object({ slug: z.string(), name: z.string() })),
    diseaseGroup: z.string(),
    diseaseSubGroup: z.string(),
    /** Null where the catalogue does not serve it. */
    description: z.string().nullable(),
    relevantDisorders: z.array(z.string()),
    /** Null where the catalogue has not counted. */
    genes: z.number().int().nullable(),
    strs: z.number().int().nullable(),
    regions: z.number().int().nullable(),
    /** Ids of the panels of a super panel; null where the catalogue does not serve them. */
    childPanels: z.array(z.number().int()).nullable(),
  }),
);
/** One panel as `/panels/` lists it. */
export type ListedPanel = z.infer<typeof listedPanelSchema>;

const coordinatesSchema = z.lazy(() => z.tuple([z.number(), z.number()]).nullable());

const listedRegionSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    rating: ratingSchema,
    verboseName: z.string().nullable(),
    chromosome: z.string().nullable(),
    grch37: coordinatesSchema,
    grch38: coordinatesSchema,
    haploinsufficiency: z.string().nullable(),
    triplosensitivity: z.string().nullable(),
    requiredOverlap: z.number().nullable(),
    variantType: z.string(),
    modeOfInheritance: z.string().nullable(),
    modeOfPathogenicity: z.string().nullable(),
    penetrance: z.string().nullable(),
    phenotypes: z.array(z.string()),
    publications: z.array(z.string()),
    tags: z.array(z.string()),
    sources: z.array(z.string()),
    /** Symbol of the linked gene; null where it has none. */
    gene: z.string().nullable(),
  }),
);
/** One region on one panel as `/regions/` lists it. */
export type ListedRegion = z.infer<typeof listedRegionSchema>;

export const knownPanelSchema = z.lazy(() =>
  z.object({
    panel: listedPanelSchema,
    regions: z.array(listedRegionSchema),
    /** Present where the regions were perhaps not listed with the panel: those that were listed before are kept. */
    regionsUnread: z.literal(true).optional(),
    /** The numbers of entities to which the events lead, where the catalogue shows others. */
    expected: z.object({ genes: z.number().optional(), strs: z.number().optional() }).optional(),
    /** Up to which version of the poller's position its events are contained; absent where the listing's holds. */
    readTo: z.number().optional(),
    /** Events of a panel that vanished, from between the listing that showed it last and the one that did not. */
    events: eventsSchema.optional(),
    /** When it was listed last, in milliseconds since the epoch; absent while it is listed. */
    lastListedAt: z.number().optional(),
  }),
);
/** A panel with its regions, as the sweep saw it last. */
export type KnownPanel = z.infer<typeof knownPanelSchema>;

export const snapshotSchema = z.object({
  /** When the listings were read, in milliseconds since the epoch. */
  listedAt: z.number(),
  panels: z
    .array(knownPanelSchema)
    .transform((panels) => new Map(panels.map((known) => [known.panel.id, known]))),
});
/** All panels that the sweep has seen, by id. Panels that vanished stay, in case they come back. */
export type Snapshot = Omit<z.infer<typeof snapshotSchema>, 'panels'> & {
  readonly panels: ReadonlyMap<number, KnownPanel>;
};

/** The panels that were listed last, without those that vanished before. */
export const listedIn = ({ panels }: Pick<Snapshot, 'panels'>): readonly KnownPanel[] =>
  [...panels.values()].filter(({ lastListedAt }) => lastListedAt === undefined);

/** Characters of a description that are compared: an event holds it before and after. */
const LONGEST_DESCRIPTION = 10_000;

/** The part of a panel that is compared. */
export function listedPanel(panel: Panel): ListedPanel {
  return {
    id: panel.id,
    name: panel.name,
    status: panel.status,
    version: panel.version,
    versionCreated: panel.version_created,
    types: panel.types.map(({ slug, name }) => ({ slug, name })),
    diseaseGroup: panel.disease_group,
    diseaseSubGroup: panel.disease_sub_group,
    description: panel.description?.slice(0, LONGEST_DESCRIPTION) ?? null,
    relevantDisorders: panel.relevant_disorders,
    genes: panel.stats.number_of_genes ?? null,
    strs: panel.stats.number_of_strs ?? null,
    regions: panel.stats.number_of_regions ?? null,
    childPanels: panel.child_panel_ids?.toSorted((one, other) => one - other) ?? null,
  };
}

/** The part of a region that is compared. */
export function listedRegion(region: Region): ListedRegion {
  return {
    name: region.entity_name,
    rating: ratingOfLevel(region.confidence_level),
    verboseName: region.verbose_name,
    chromosome: region.chromosome,
    grch37: region.grch37_coordinates,
    grch38: region.grch38_coordinates,
    haploinsufficiency: region.haploinsufficiency_score,
    triplosensitivity: region.triplosensitivity_score,
    requiredOverlap: region.required_overlap_percentage,
    variantType: region.type_of_variants,
    modeOfInheritance: region.mode_of_inheritance,
    modeOfPathogenicity: region.mode_of_pathogenicity,
    penetrance: region.penetrance,
    phenotypes: region.phenotypes,
    publications: region.publications,
    tags: region.tags,
    sources: region.evidence,
    gene: linkedGene(region.gene_data),
  };
}

const linkedGeneSchema = z.lazy(() => z.looseObject({ gene_symbol: z.string() }));

/** The symbol of the gene that a region is linked to. */
function linkedGene(data: unknown): string | null {
  return linkedGeneSchema.safeParse(data).data?.gene_symbol ?? null;
}

/** The catalogue's confidence level as a rating: 3 and 4 are green. */
function ratingOfLevel(level: string): Rating {
  if (level === '3' || level === '4') return 'green';
  if (level === '2') return 'amber';
  return level === '1' ? 'red' : 'none';
}
