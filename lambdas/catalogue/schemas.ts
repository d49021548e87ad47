import * as z from 'zod';

/**
 * The catalogue's resources as the interface specification shows them ("Resources and their fields").
 * Unknown fields pass through, so that an addition to the catalogue breaks nothing.
 */

/** A version is text, `<major>.<minor>`; a number would make 3.10 into 3.1. */
const versionSchema = z.string().regex(/^\d+\.\d+$/);

/** One row of `/activities/`. `created` is checked when it is read as an instant. */
export const activitySchema = z.looseObject({
  created: z.string(),
  panel_name: z.string(),
  panel_id: z.int(),
  panel_version: z.string().nullable(),
  user_name: z.string().nullable(),
  item_type: z.string().nullable(),
  text: z.string(),
  entity_name: z.string().nullable(),
  entity_type: z.string().nullable(),
});
export type Activity = z.infer<typeof activitySchema>;

const panelTypeSchema = z.looseObject({ name: z.string(), slug: z.string(), description: z.string() });

/** One item of `/panels/`. */
export const panelSchema = z.looseObject({
  id: z.int(),
  hash_id: z.string().nullable(),
  name: z.string(),
  disease_group: z.string(),
  disease_sub_group: z.string(),
  /** Served by PanelApp Australia only, as are `child_panel_ids`. */
  description: z.string().nullable().optional(),
  status: z.string(),
  version: versionSchema,
  version_created: z.string(),
  relevant_disorders: z.array(z.string()),
  /** Empty for a panel whose numbers the catalogue has not worked out. */
  stats: z.looseObject({
    number_of_genes: z.int().optional(),
    number_of_strs: z.int().optional(),
    number_of_regions: z.int().optional(),
  }),
  types: z.array(panelTypeSchema),
  /** The panels of a super panel. */
  child_panel_ids: z.array(z.int()).optional(),
});
export type Panel = z.infer<typeof panelSchema>;

/** The panel in a region: what tells panels apart is needed, all else is as good as it comes. */
const regionPanelSchema = panelSchema.partial().required({ id: true, name: true, version: true });

const coordinatesSchema = z.tuple([z.int(), z.int()]).nullable();

/** One item of `/regions/`: a region on one panel. */
export const regionSchema = z.looseObject({
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
});
export type Region = z.infer<typeof regionSchema>;
