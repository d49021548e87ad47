import * as z from 'zod';
import { type Changes, changeSchemas } from './changes.ts';
import { type About, type EventKindName, entityTypes, eventKinds, typeName } from './kinds.ts';

export { entityTypes, kindOf, typeName } from './kinds.ts';

/**
 * The envelope: CloudEvents 1.0 in structured JSON mode, and what every `data` holds
 * (event reference: `docs/events.md`, made from here). The schemas are made when they are asked for: a function that
 * publishes events needs none, and to make them takes a tenth of the time in which it loads.
 */

/** The ids of a gene, or of the gene that an STR is linked to, as far as the catalogue gives them. */
const entityIdsSchema = z.lazy(() =>
  z.object({
    hgncId: z
      .string()
      .optional()
      .describe(
        'Such as `HGNC:1100`. It stays the same where the symbol changes. Absent where the panel was not read.',
      ),
    ensemblId: z.string().optional().describe('Of GRCh38, in the newest release that the catalogue gives.'),
    omimIds: z.array(z.string()).optional().describe('Of the gene in OMIM.'),
  }),
);
export type EntityIds = z.infer<typeof entityIdsSchema>;

/** What was signed off of a panel at the time of a change, as the list of signed-off versions shows it. */
const signedOffVersionSchema = z.lazy(() =>
  z.object({
    signedOffVersion: z
      .string()
      .optional()
      .describe('The version that was signed off at the time of the change; hardly ever `version`.'),
    signedOffDate: z
      .string()
      .optional()
      .describe('The day from which it is signed off, such as `2024-03-06`; it may lie in the future.'),
  }),
);
export type SignedOffVersion = z.infer<typeof signedOffVersionSchema>;

const entitySchema = () =>
  z.object({
    type: z.enum(entityTypes),
    name: z.string().describe('Gene symbol, or name of the STR or region, as the catalogue spells it.'),
    ...entityIdsSchema.unwrap().shape,
  });
export type Entity = z.infer<ReturnType<typeof entitySchema>>;

export const panelFactsSchema = z.lazy(() =>
  z.object({
    types: z.array(z.string()).describe('Slugs of the panel types, such as `gms-signed-off`.'),
    diseaseGroup: z.string(),
    diseaseSubGroup: z.string(),
    relevantDisorders: z.array(z.string()).describe('Disorder names and test-directory codes such as R59.'),
    signedOff: z
      .boolean()
      .describe('Whether one of the types says that some version of the panel is signed off.'),
    superPanels: z
      .array(z.object({ id: z.number().int(), name: z.string() }))
      .optional()
      .describe('The super panels that hold the panel, where the catalogue lists them.'),
  }),
);
/** The facts of a panel, as `/panels/` states them. */
export type PanelFacts = z.infer<typeof panelFactsSchema>;

/** The facts of a panel as far as they are known. */
export const someFactsSchema = z.lazy(() => panelFactsSchema.unwrap().partial());
export type SomePanelFacts = z.infer<typeof someFactsSchema>;

const eventPanelSchema = () =>
  z.object({
    id: z
      .number()
      .int()
      .nullable()
      .describe('Null where the catalogue had deleted the panel when the row was read.'),
    name: z.string().describe('The name at the time of the change.'),
    version: z
      .string()
      .nullable()
      .describe(
        'The version after the change; found by a listing, the version that was listed: the change may be of an earlier one. Null in rows from before June 2018.',
      ),
    ...someFactsSchema.unwrap().shape,
    ...signedOffVersionSchema.unwrap().shape,
    factsReadAt: z
      .string()
      .optional()
      .describe(
        'When the list of public panels was read that gave these facts, in UTC. Later rows replace facts that they state.',
      ),
  });
export type EventPanel = z.infer<ReturnType<typeof eventPanelSchema>>;

/** A row of the log as received, under the catalogue's own field names. */
const rowSchema = () =>
  z.looseObject({
    textTruncated: z
      .literal(true)
      .optional()
      .describe('Present where the text was cut, to fit into a message.'),
  });
export type Row = z.infer<ReturnType<typeof rowSchema>>;

/** What every `data` holds. */
const commonSchema = () =>
  z.object({
    catalogue: z.string().describe('Name of the catalogue, as configured.'),
    actor: z
      .string()
      .nullable()
      .describe('Display name of the curator or reviewer; null where the row names none.'),
    summary: z.string().describe('One sentence for people, complete in itself.'),
    late: z
      .boolean()
      .describe(
        'True where the row appeared late, or an event of its entity with a later place was published before.',
      ),
    activities: z
      .array(rowSchema())
      .describe('The rows of the log that state the change, as received. Empty where no row states it.'),
    corrects: z
      .string()
      .optional()
      .describe('The id of an event that stated something false: this one takes its place.'),
  });

/** The panel and the entity of `data`, by what a kind of event is about. */
const aboutSchemas = {
  panel: () => z.object({ panel: eventPanelSchema(), entity: z.null() }),
  entity: () => z.object({ panel: eventPanelSchema(), entity: entitySchema() }),
  'entity if named': () =>
    z.object({
      panel: eventPanelSchema(),
      entity: entitySchema().nullable().describe('Null where the row does not name it.'),
    }),
  row: () =>
    z.object({
      panel: eventPanelSchema().nullable().describe('Null where the row could not be read.'),
      entity: entitySchema().nullable().describe('Null where the row could not be read, or names none.'),
    }),
} as const satisfies Readonly<Record<About, () => z.ZodType>>;

/** The schema of `data` for one kind of event. */
function dataSchema(kind: EventKindName): z.ZodType {
  const { about } = eventKinds[kind];
  const { catalogue, ...others } = commonSchema().shape;
  return z.object({
    catalogue,
    ...aboutSchemas[about]().shape,
    ...others,
    change: changeSchemas[kind](),
    correctedChange: changeSchemas[kind]()
      .optional()
      .describe('With `corrects`: the change as the corrected event stated it.'),
    correctedVersion: z
      .string()
      .optional()
      .describe(
        'With `corrects`: the version that the corrected event named, where the change was already in an earlier one.',
      ),
  });
}

/** The URI of the JSON Schema of `data`; it is the `$id` of a file that the package holds. */
export function schemaUri(kind: EventKindName): string {
  return `urn:gene-panel-notifier:schema:${typeName(kind)}`;
}

/** The URI of the JSON Schema of a whole event of one kind. */
export const envelopeUri = (kind: EventKindName): string => `${schemaUri(kind)}:event`;
/** The URI of the JSON Schema of a whole event of any kind. */
export const unionUri = 'urn:gene-panel-notifier:schema:event';

/** The envelope's schema for one kind of event. */
export function eventSchema(kind: EventKindName): z.ZodType {
  return z.object({
    specversion: z.literal('1.0'),
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('The same change read again has the same id.'),
    source: z.string().describe("The catalogue's `/api/v1/` URL."),
    type: z.literal(typeName(kind)),
    subject: z.string().optional().describe('`panels/<id>` or `panels/<id>/<entity type>/<entity name>`.'),
    time: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      .optional()
      .describe(
        "When the change happened, in UTC with six fractional digits. The row's `created`; when a listing was read or a disagreement found; or when the version began whose state shows the change, or just after the last row of that entity in it. Absent where the row has no usable time.",
      ),
    datacontenttype: z.literal('application/json'),
    dataschema: z.literal(schemaUri(kind)),
    data: dataSchema(kind),
  });
}

/** The `data` of an event of a kind. */
export type EventData<Kind extends EventKindName = EventKindName> = {
  [K in Kind]: z.infer<ReturnType<typeof commonSchema>> &
    z.infer<ReturnType<(typeof aboutSchemas)[(typeof eventKinds)[K]['about']]>> & {
      readonly change: Changes[K];
      readonly correctedChange?: Changes[K] | undefined;
      readonly correctedVersion?: string | undefined;
    };
}[Kind];

/** One event as it is published. Narrow it by `type`. */
export type PanelEvent<Kind extends EventKindName = EventKindName> = {
  [K in Kind]: {
    readonly specversion: '1.0';
    readonly id: string;
    readonly source: string;
    readonly type: `gene-panel.${K}.v1`;
    readonly subject?: string;
    readonly time?: string;
    readonly datacontenttype: 'application/json';
    readonly dataschema: string;
    readonly data: EventData<K>;
  };
}[Kind];

/** The body of an event around the rows of its log: `head` + `rows` + `tail` is the body. */
export interface SplitBody {
  readonly head: string;
  /** JSON of the rows, with brackets; empty where the body was not split. */
  readonly rows: string;
  readonly tail: string;
}

const BEFORE_ROWS = ',"activities":';
const AFTER_ROWS = ',"change":';
const WHOLE = '"type":"gene-panel.activity.unclassified.';

/**
 * Splits the body of an event, so that it can be read without its rows. A body whose `change` may hold anything
 * (`activity.unclassified`) stays whole. JSON strings cannot hold these keys unescaped; rows may, hence the last one.
 */
export function splitBody(body: string): SplitBody {
  const start = body.indexOf(BEFORE_ROWS) + BEFORE_ROWS.length;
  const end = body.lastIndexOf(AFTER_ROWS);
  // The type comes before all that the catalogue writes.
  const type = body.indexOf('"type":');
  const splits = !body.startsWith(WHOLE, type) && start >= BEFORE_ROWS.length && end > start;
  if (!splits) return { head: body, rows: '', tail: '' };
  return { head: body.slice(0, start), rows: body.slice(start, end), tail: body.slice(end) };
}

/** JSON of the event with empty `activities`, or whole where the body was not split. */
export function withoutRows({ head, tail }: Pick<SplitBody, 'head' | 'tail'>): string {
  return tail === '' ? head : `${head}[]${tail}`;
}
