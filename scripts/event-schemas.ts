import * as z from 'zod';
import { attributeNames, messageAttributes } from '../lambdas/events/attributes.ts';
import { type EventKindName, eventKindNames, eventKinds } from '../lambdas/events/changes.ts';
import { type Topic, topics } from '../lambdas/events/kinds.ts';
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

/**
 * The AsyncAPI 3 document of the topics: one channel for each, with its SNS binding, its messages, and the message
 * attributes as headers. Paths of schemas and examples are relative to `docs`.
 */
export function asyncApi(version: string): object {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Gene panel notifier',
      version,
      description:
        'CloudEvents 1.0 in structured JSON mode, read from the activity log of a gene panel catalogue. Each topic is complete for its family of events.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries(topics.map((topic) => [topic, channel(topic)])),
    operations: Object.fromEntries(
      topics.map((topic) => [
        `publish-${topic}`,
        { action: 'send', channel: { $ref: `#/channels/${topic}` }, summary: `Publishes to ${topic}.` },
      ]),
    ),
    components: {
      messages: Object.fromEntries(eventKindNames.map((kind) => [typeName(kind), message(kind)])),
    },
  };
}

const kindsOf = (topic: Topic): readonly EventKindName[] =>
  eventKindNames.filter((kind) => eventKinds[kind].topic === topic);

function channel(topic: Topic): object {
  return {
    address: `{prefix}-${topic}`,
    title: topic,
    parameters: {
      prefix: { description: 'The name of the deployment, such as gene-panel-notifier-production.' },
    },
    messages: Object.fromEntries(
      kindsOf(topic).map((kind) => [typeName(kind), { $ref: `#/components/messages/${typeName(kind)}` }]),
    ),
    bindings: { sns: { name: `{prefix}-${topic}`, ordering: { type: 'standard' }, bindingVersion: '0.1.0' } },
  };
}

function message(kind: EventKindName): object {
  return {
    name: typeName(kind),
    title: typeName(kind),
    summary: eventKinds[kind].meaning,
    contentType: 'application/cloudevents+json',
    headers: headers(kind),
    payload: { $ref: `./schemas/event.json#/$defs/${typeName(kind)}` },
  };
}

/** SNS message attributes; each is there only where the event has a value for it. */
function headers(kind: EventKindName): object {
  const carried = attributeNames.filter((name) => messageAttributes[name].on.includes(kind));
  return {
    type: 'object',
    description: 'SNS message attributes.',
    required: ['type', 'catalogue'],
    properties: Object.fromEntries(
      carried.map((name) => {
        const { type, values, meaning } = messageAttributes[name];
        return [
          name,
          {
            ...(type === 'Number' ? { type: 'integer' } : { type: 'string' }),
            ...(name === 'type' ? { const: typeName(kind) } : values && { enum: [...values] }),
            ...(type === 'String.Array' && { contentMediaType: 'application/json' }),
            ...(meaning && { description: meaning }),
          },
        ];
      }),
    ),
  };
}
