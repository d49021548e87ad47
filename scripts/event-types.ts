import { compile } from 'json-schema-to-typescript';
import * as z from 'zod';
import { changeSchemas } from '../lambdas/events/changes.ts';
import { type EventKindName, eventKindNames, eventKinds } from '../lambdas/events/kinds.ts';
import { eventSchema } from '../lambdas/events/schemas.ts';
import { filterSchema } from '../lambdas/filters/filter-schema.ts';

type Schema = NonNullable<Parameters<typeof compile>[0]>;
type Fields = Readonly<Record<string, Schema>>;

const jsonSchema = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input' }) as Schema;

/**
 * The types of events as an editor shows them, each field with its documentation, made from the schemas in
 * `lambdas/events`: a package that holds only them needs no validator.
 */
export async function eventTypes(): Promise<string> {
  const { data, type: _type, ...envelope } = fieldsOf(jsonSchema(eventSchema('entity.classified')));
  const { panel = {}, entity = {}, change: _change, correctedChange: _corrected, ...common } = fieldsOf(data);
  const row = (common.activities?.items ?? {}) as Schema;
  const interfaces = await Promise.all([
    interfaceOf('Entity', { ...entity, description: 'A gene, STR or region on a panel.' }),
    interfaceOf('EventPanel', { ...panel, description: 'The panel that changed, as far as it is known.' }),
    interfaceOf('Row', {
      ...row,
      additionalProperties: true,
      description: 'A row of the log as received, under the names of the catalogue.',
    }),
    interfaceOf('Envelope', {
      ...objectOf({ ...envelope, dataschema: { type: 'string' } }, ['subject', 'time']),
      description: 'The attributes of CloudEvents 1.0 that every event has.',
    }),
    interfaceOf('Common', {
      ...objectOf({ ...common, activities: { ...common.activities, items: { tsType: 'Row' } } as Schema }, [
        'corrects',
      ]),
      description: 'What the `data` of every event holds.',
    }),
    ...eventKindNames.map((kind) =>
      interfaceOf(nameOf(kind), {
        ...jsonSchema(changeSchemas[kind]()),
        description: eventKinds[kind].meaning,
      }),
    ),
  ]);
  const filter = await interfaceOf('Filter', {
    ...jsonSchema(filterSchema),
    description: 'Which events someone wants to see.',
  });
  const changes = eventKindNames.map((kind) => `  readonly '${kind}': ${nameOf(kind)};`);
  const about = eventKindNames.map((kind) => `  readonly '${kind}': '${eventKinds[kind].about}';`);
  return `// Made from lambdas/events by npm run docs; do not edit it.

${interfaces.join('\n')}
${filter.replaceAll(/^( {2}\w+\?: )(\S.*\[\];)$/gm, '$1readonly $2')}
/** What changed, by kind of event. */
export interface Changes {
${changes.join('\n')}
}

/** What each kind of event is about. */
export interface About {
${about.join('\n')}
}
`;
}

/** \`EntityTagsChanged\` from \`entity.tags-changed\`. */
const nameOf = (kind: EventKindName): string =>
  kind
    .split(/[.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const fieldsOf = (schema: Schema = {}): Fields => (schema.properties ?? {}) as Fields;

function objectOf(properties: Fields, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required } as Schema;
}

const style = { singleQuote: true, printWidth: 110 } as const;

async function interfaceOf(name: string, schema: Schema): Promise<string> {
  const { title: _title, ...rest } = schema;
  if (Object.keys(fieldsOf(schema)).length === 0) {
    return `/**\n * ${schema.description}\n */\nexport type ${name} = Record<string, never>;\n`;
  }
  const closed = { additionalProperties: false, ...rest } as Schema;
  return compile(closed, name, {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style,
  });
}
