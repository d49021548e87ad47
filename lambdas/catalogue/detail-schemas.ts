import * as z from 'zod';

/**
 * A panel with its entities, as `/panels/<id>/` serves it. Archived versions were written over years: a number stands
 * where text is usual, null for what is empty, and fields of later years are absent. Absent stays absent: it says
 * nothing. Source: docs/interfaces.md, "Panel detail".
 */

/** A value as text: numbers as they are written, and null for what is empty. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number' || JSON.isRawJSON(value)) return JSON.stringify(value);
  return null;
}

const isText = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || JSON.isRawJSON(value);

const anyText = z.lazy(() => z.unknown().refine(isText, 'expected text').transform(textOf));
const name = z.lazy(() => anyText.pipe(z.string()));

/** Each item once, in the order received. */
const texts = z.lazy(() =>
  z
    .array(anyText)
    .nullable()
    .transform((items) => [...new Set((items ?? []).filter((item) => item !== null))]),
);

const ensemblSchema = z.lazy(() =>
  z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ ensembl_id: anyText.optional(), location: anyText.optional() }).nullable(),
    ),
  ),
);

/** The gene of a gene, and of an STR or region that is linked to one. */
const geneDataSchema = z.lazy(() =>
  z.looseObject({
    hgnc_id: anyText.optional(),
    gene_symbol: anyText.optional(),
    omim_gene: texts.optional(),
    ensembl_genes: ensemblSchema.nullable().optional(),
  }),
);

const span = z.lazy(() => z.tuple([z.int(), z.int()]).nullable());

const childPanelSchema = z.lazy(() =>
  z.looseObject({ id: z.int(), name: anyText.optional(), version: anyText.optional() }),
);

const entitySchema = z.lazy(() =>
  z.looseObject({
    entity_type: z.enum(['gene', 'str', 'region']),
    entity_name: name,
    confidence_level: anyText.optional(),
    gene_data: geneDataSchema.nullable().optional(),
    tags: texts.optional(),
    evidence: texts.optional(),
    phenotypes: texts.optional(),
    publications: texts.optional(),
    transcript: texts.optional(),
    mode_of_inheritance: anyText.optional(),
    mode_of_pathogenicity: anyText.optional(),
    penetrance: anyText.optional(),
    chromosome: anyText.optional(),
    grch37_coordinates: span.optional(),
    grch38_coordinates: span.optional(),
    repeated_sequence: anyText.optional(),
    normal_repeats: anyText.optional(),
    pathogenic_repeats: anyText.optional(),
    verbose_name: anyText.optional(),
    type_of_variants: anyText.optional(),
    haploinsufficiency_score: anyText.optional(),
    triplosensitivity_score: anyText.optional(),
    required_overlap_percentage: anyText.optional(),
    /** The panel of a super panel that holds the entity. */
    panel: childPanelSchema.nullable().optional(),
  }),
);
/** One entity of a panel. */
export type DetailedEntity = z.infer<ReturnType<typeof entitySchema.unwrap>>;

const versionText = z.lazy(() => anyText.pipe(z.string().regex(/^\d+\.\d+$/)));

/** A panel with its entities, now or at the end of a version. */
export const panelDetailSchema = z.lazy(() =>
  z.looseObject({
    id: z.int(),
    hash_id: anyText.optional(),
    name,
    status: anyText.optional(),
    version: versionText,
    version_created: z.string(),
    relevant_disorders: texts.optional(),
    types: z
      .array(z.looseObject({ slug: name }))
      .nullable()
      .optional(),
    child_panel_ids: z.array(z.int()).nullable().optional(),
    genes: z.array(entitySchema),
    strs: z.array(entitySchema).nullable().optional(),
    regions: z.array(entitySchema).nullable().optional(),
  }),
);
export type PanelDetail = z.infer<ReturnType<typeof panelDetailSchema.unwrap>>;

/** An entry of `/panels/signedoff/`: one version of a panel that was signed off. */
export const signedOffPanelSchema = z.lazy(() =>
  z.looseObject({
    id: z.int(),
    name,
    version: versionText,
    version_created: z.string().nullable().optional(),
    signed_off: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  }),
);
export type SignedOffPanel = z.infer<ReturnType<typeof signedOffPanelSchema.unwrap>>;
