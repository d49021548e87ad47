import * as z from 'zod';

/**
 * The catalogue's resources. Unknown fields pass through, so that a new field in the catalogue breaks nothing.
 * Source: docs/interfaces.md, "Panel", "Region" and "Activity".
 */

/** A version is the text `<major>.<minor>`: as a number, 3.10 would become 3.1. */
const versionSchema = z.string().regex(/^\d+\.\d+$/);

/** One row of `/activities/`. Whether `created` is a time is checked where it is parsed. */
export const activitySchema = z.lazy(() =>
  z.looseObject({
    created: z.string(),
    panel_name: z.string(),
    /** Null in a row that a token shows of a panel that was deleted. */
    panel_id: z.int().nullable(),
    panel_version: z.string().nullable(),
    user_name: z.string().nullable(),
    item_type: z.string().nullable(),
    text: z.string(),
    entity_name: z.string().nullable(),
    entity_type: z.string().nullable(),
  }),
);
export type Activity = z.infer<typeof activitySchema>;

const panelTypeSchema = z.lazy(() =>
  z.looseObject({ name: z.string(), slug: z.string(), description: z.string() }),
);

/** One item of `/panels/`. */
export const panelSchema = z.lazy(() =>
  z.looseObject({
    id: z.int(),
    hash_id: z.string().nullable(),
    name: z.string(),
    disease_group: z.string(),
    disease_sub_group: z.string(),
    /** Only PanelApp Australia has it, and `child_panel_ids`. */
    description: z.string().nullable().optional(),
    status: z.string(),
    version: versionSchema,
    version_created: z.string(),
    relevant_disorders: z.array(z.string()),
    /** Empty where the catalogue has not computed the numbers. */
    stats: z.looseObject({
      number_of_genes: z.int().optional(),
      number_of_strs: z.int().optional(),
      number_of_regions: z.int().optional(),
    }),
    types: z.array(panelTypeSchema),
    /** The panels of a super panel. */
    child_panel_ids: z.array(z.int()).optional(),
  }),
);
export type Panel = z.infer<typeof panelSchema>;

/** The panel inside a region: id, name and version are needed, all other fields are optional. */
const regionPanelSchema = z.lazy(() =>
  panelSchema.unwrap().partial().required({ id: true, name: true, version: true }),
);

const coordinatesSchema = z.lazy(() => z.tuple([z.int(), z.int()]).nullable());

/** One item of `/regions/`: a region on one panel. */
export const regionSchema = z.lazy(() =>
  z.looseObject({
    gene_data: z.unknown(),
    entity_type: z.string(),
    entity_name: z.string(),
    verbose_name: z.string().nullable(),
    confidence_level: z.string(),
    penetrance: z.string().nullable(),
    mode_of_pathogenicity: z.string().nullable(),
    haploinsufficiency_score: z.string().nullable(),
    triplosensitivity_score: z.string().nullable(),
    required_overlap_percentage: z.int().nullable(),
    type_of_variants: z.string(),
    publications: z.array(z.string()),
    evidence: z.array(z.string()),
    phenotypes: z.array(z.string()),
    mode_of_inheritance: z.string().nullable(),
    chromosome: z.string().nullable(),
    grch37_coordinates: coordinatesSchema,
    grch38_coordinates: coordinatesSchema,
    tags: z.array(z.string()),
    panel: regionPanelSchema,
  }),
);
export type Region = z.infer<typeof regionSchema>;
