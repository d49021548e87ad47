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

/**
 * Readers of values of JSON, for resources of which one answer holds thousands. A schema of zod makes two objects for each
 * value that it looks at: for the entities of a panel, thirty times the processor time and the memory of these.
 */

type Reader<Value> = (value: unknown) => Value;
type Readers = Readonly<Record<string, Reader<unknown>>>;
type Fields<Of extends Readers> = { readonly [Field in keyof Of]: ReturnType<Of[Field]> };
type ReadBy<Of> = Of extends Reader<infer Value> ? Value : never;

class UnreadableValue extends Error {
  override readonly name = 'UnreadableValue';
  /** Where it is within what is read. */
  readonly path: PropertyKey[] = [];
}

/** Runs a reader on a part; an error of it names the part. */
function within<Value>(part: PropertyKey, value: unknown, read: Reader<Value>): Value {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof UnreadableValue) error.path.unshift(part);
    throw error;
  }
}

function text(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (value === null) return null;
  if (typeof value === 'number' || JSON.isRawJSON(value)) return JSON.stringify(value);
  throw new UnreadableValue('expected text');
}

/** Text that is not empty. */
function name(value: unknown): string {
  const read = text(value);
  if (read === null) throw new UnreadableValue('expected text');
  return read;
}

function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new UnreadableValue('expected a whole number');
}

function oneOf<const Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new UnreadableValue(`expected one of ${values.join(', ')}`);
    return found;
  };
}

function orNull<Value>(read: Reader<Value>): Reader<Value | null> {
  return (value) => (value === null ? null : read(value));
}

function listOf<Value>(read: Reader<Value>): Reader<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new UnreadableValue('expected a list');
    return value.map((item, place) => within(place, item, read));
  };
}

const listOfTexts = listOf(text);

/** Most lists are so short that a set of them costs more than looking through them. */
const FEW = 16;

/** Each text once, in the order received; none for null. */
function texts(value: unknown): string[] {
  if (value === null) return [];
  const items = listOfTexts(value);
  if (items.length > FEW) return [...new Set(items.filter((item) => item !== null))];
  return items.filter((item, place) => item !== null && items.indexOf(item) === place) as string[];
}

function pairOf<Value>(read: Reader<Value>): Reader<readonly [Value, Value]> {
  return (value) => {
    const [first, second, ...more] = listOf(read)(value);
    if (first === undefined || second === undefined || more.length > 0) {
      throw new UnreadableValue('expected a list of two');
    }
    return [first, second];
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

/**
 * The entries of an object with any keys. As an object, the engine would reserve room for each number below a key that is a
 * number.
 */
function entriesOf<Value>(read: Reader<Value>): Reader<readonly (readonly [string, Value])[]> {
  return (value) => {
    if (!isObject(value)) throw new UnreadableValue('expected an object');
    return Object.keys(value).map((key) => [key, within(key, value[key], read)]);
  };
}

/** An object with fields; others are left out, and a field that may be absent stays absent. */
function objectOf<Required extends Readers, Optional extends Readers>(
  required: Required,
  optional: Optional,
): Reader<Fields<Required> & Partial<Fields<Optional>>> {
  const fields = Object.entries<Reader<unknown>>({ ...required, ...optional }).map(([field, read]) => ({
    field,
    read,
    isNeeded: field in required,
  }));
  return (value) => {
    if (!isObject(value)) throw new UnreadableValue('expected an object');
    const object: Record<string, unknown> = {};
    for (const { field, read, isNeeded } of fields) {
      const given = value[field];
      if (given !== undefined || isNeeded) object[field] = within(field, given, read);
    }
    return object as Fields<Required> & Partial<Fields<Optional>>;
  };
}

/** A schema of what a reader reads, as a part of others. Of several problems, it names the first. */
function schemaOf<Value>(read: Reader<Value>) {
  return z.unknown().transform((value, { issues }): Value => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      issues.push({ code: 'custom', path: error.path, message: error.message, input: value });
      return z.NEVER;
    }
  });
}
