import * as z from 'zod';
import { type EventKindName, eventKindNames } from '../lambdas/events/changes.ts';
import { envelopeUri, eventSchema, schemaUri, typeName, unionUri } from '../lambdas/events/schemas.ts';

/** What this repository reads of a JSON Schema. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

/** Returns a schema as a consumer validates with it: fields that are added later are valid. */
export const jsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;

/** Returns the JSON Schema of any event, the content of `docs/schemas/event.json`: one file that needs no other. */
export function anyEventSchema(): object {
  return {
    ...dialect,
    $id: unionUri,
    title: 'Any event of the gene panel notifier',
    oneOf: eventKindNames.map((kind) => ({ $ref: `#/$defs/${typeName(kind)}` })),
    $defs: Object.fromEntries(
      eventKindNames.map((kind) => [typeName(kind), { title: typeName(kind), ...envelope(kind) }]),
    ),
  };
}

/**
 * Returns what the package holds beside `event.json`, by its path below `schemas/`: of each type, a schema of the whole
 * event and one of its `data`, which has the URI that events name as their `dataschema`.
 */
export function schemasByType(): ReadonlyMap<string, object> {
  return new Map(
    eventKindNames.flatMap((kind) => {
      const type = typeName(kind);
      const whole = envelope(kind);
      return [
        [
          `${type}.json`,
          { ...dialect, $id: schemaUri(kind), title: `data of ${type}`, ...whole.properties?.data },
        ],
        [`envelopes/${type}.json`, { ...dialect, $id: envelopeUri(kind), title: type, ...whole }],
      ];
    }),
  );
}

function envelope(kind: EventKindName): JsonSchema {
  const { $schema: _dialect, ...schema } = jsonSchema(eventSchema(kind)) as JsonSchema & {
    readonly $schema?: string;
  };
  return schema;
}
