import * as z from 'zod';
import {
  entriesOf,
  listOf,
  name,
  objectOf,
  oneOf,
  orNull,
  pairOf,
  type ReadBy,
  schemaOf,
  text,
  texts,
  whole,
} from './json-readers.ts';

/**
 * A panel with its entities, as `/panels/<id>/` serves it. Archived versions were written over years: a number stands
 * where text is usual, null for what is empty, and fields of later years are absent. Absent stays absent: it says
 * nothing. Source: docs/interfaces.md, "Panel detail".
 */

const release = objectOf({}, { ensembl_id: text, location: text });

/** The gene of a gene, and of an STR or region that is linked to one. */
const geneData = objectOf(
  {},
  {
    hgnc_id: text,
    gene_symbol: text,
    omim_gene: texts,
    ensembl_genes: orNull(entriesOf(entriesOf(orNull(release)))),
  },
);

/** The panel of a super panel that holds an entity. */
const childPanel = objectOf({ id: whole }, { name: text, version: text });

const entity = objectOf(
  { entity_type: oneOf('gene', 'str', 'region'), entity_name: name },
  {
    confidence_level: text,
    gene_data: orNull(geneData),
    tags: texts,
    evidence: texts,
    phenotypes: texts,
    publications: texts,
    transcript: texts,
    mode_of_inheritance: text,
    mode_of_pathogenicity: text,
    penetrance: text,
    chromosome: text,
    grch37_coordinates: orNull(pairOf(whole)),
    grch38_coordinates: orNull(pairOf(whole)),
    repeated_sequence: text,
    normal_repeats: text,
    pathogenic_repeats: text,
    verbose_name: text,
    type_of_variants: text,
    haploinsufficiency_score: text,
    triplosensitivity_score: text,
    required_overlap_percentage: text,
    panel: orNull(childPanel),
  },
);
/** One entity of a panel. */
export type DetailedEntity = ReadBy<typeof entity>;

const anyText = z.lazy(() => schemaOf(text));
const anyName = z.lazy(() => schemaOf(name));
const entities = z.lazy(() => schemaOf(listOf(entity)));
const versionText = z.lazy(() => anyName.pipe(z.string().regex(/^\d+\.\d+$/)));

/** A panel with its entities, now or at the end of a version. */
export const panelDetailSchema = z.lazy(() =>
  z.looseObject({
    id: z.int(),
    hash_id: anyText.optional(),
    name: anyName,
    status: anyText.optional(),
    version: versionText,
    version_created: z.string(),
    relevant_disorders: schemaOf(texts).optional(),
    types: z
      .array(z.looseObject({ slug: anyName }))
      .nullable()
      .optional(),
    child_panel_ids: z.array(z.int()).nullable().optional(),
    genes: entities,
    strs: entities.nullable().optional(),
    regions: entities.nullable().optional(),
  }),
);
export type PanelDetail = z.infer<ReturnType<typeof panelDetailSchema.unwrap>>;

/**
 * An entry of `/panels/signedoff/`: one version of a panel that was signed off. Version and day may be impossible:
 * `impossiblePanels` names the panels, so that one wrong entry does not make the whole list unreadable.
 */
export const signedOffPanelSchema = z.lazy(() =>
  z.looseObject({
    id: z.int(),
    name: anyName,
    version: anyName,
    version_created: z.string().nullable().optional(),
    signed_off: anyName,
  }),
);
export type SignedOffPanel = z.infer<ReturnType<typeof signedOffPanelSchema.unwrap>>;
