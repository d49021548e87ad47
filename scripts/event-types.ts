import { compile } from 'json-schema-to-typescript';
import * as z from 'zod';
import { changeSchemas, ratingSchema } from '../lambdas/events/changes.ts';
import { type EventKindName, eventKindNames, eventKinds } from '../lambdas/events/kinds.ts';
import { eventSchema } from '../lambdas/events/schemas.ts';
import { filterSchema } from '../lambdas/filters/filter-schema.ts';

type Schema = NonNullable<Parameters<typeof compile>[0]>;
type Fields = Readonly<Record<string, Schema>>;

const jsonSchema = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input' }) as Schema;

/**
 * The types of `consumer/event-types.ts` as an editor shows them, each field with its documentation. The packages hold these
 * in place of the inferred ones, so that a program needs no validator to be compiled.
 */
export async function eventTypes(): Promise<string> {
  const { data, type: _type, ...envelope } = fieldsOf(jsonSchema(eventSchema('entity.classified')));
  const { panel = {}, entity = {}, change: _change, correctedChange: _corrected, ...common } = fieldsOf(data);
  const row = (common.activities?.items ?? {}) as Schema;
  const interfaces = await Promise.all([
    ...Object.entries(named).map(([name, part]) => compiled(name, { ...part, ...partsIn(part) })),
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
        'correctedVersion',
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
  return `${interfaces.join('\n')}
${filter.replaceAll(/^( {2}\w+\?: )(\([^)]*\)\[\];|\S.*\[\];)$/gm, '$1readonly $2')}
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

const changeOf = (kind: EventKindName): Fields => fieldsOf(jsonSchema(changeSchemas[kind]()));

/** What several types hold, by the name that it has among them. */
const named: Readonly<Record<string, Schema>> = {
  Rating: { ...jsonSchema(ratingSchema), description: 'The rating of a gene, STR or region on a panel.' },
  Via: { ...changeOf('panel.published').via },
  ComparedEntity: {
    ...fieldsOf(changeOf('panel.signed-off').comparison).entered?.anyOf?.[0]?.items,
    description: 'What two versions of a panel say of one gene, STR or region.',
  },
  DisagreementSide: {
    ...changeOf('entity.disagreement').here,
    description: 'What a panel of one of two compared catalogues says of a gene, STR or region.',
  },
};

const withoutWords = ({ description: _, $schema: _schema, ...rest }: Schema): string => JSON.stringify(rest);

/** The schema with the names of its named parts in place of them. `Via` says itself what it means. */
function byName(schema: Schema): Schema {
  const { description } = schema;
  if (withoutWords(schema) === '{}') return { tsType: 'unknown', ...(description && { description }) };
  for (const [name, part] of Object.entries(named)) {
    const tsType = name;
    if (withoutWords(schema) === withoutWords(part)) {
      return { tsType, ...(description !== part.description && { description }) };
    }
    const [own, parts] = [fieldsOf(schema), Object.entries(fieldsOf(part))];
    const holds = ([key, field]: [string, Schema]) => JSON.stringify(own[key]) === JSON.stringify(field);
    if (parts.length === 0 || !parts.every(holds)) continue;
    const rest = Object.keys(own).filter((key) => !(key in fieldsOf(part)));
    const more = Object.fromEntries(rest.map((key) => [key, own[key] ?? {}]));
    return { allOf: [{ tsType }, { ...objectOf(more), additionalProperties: false }], description } as Schema;
  }
  return { ...schema, ...partsIn(schema) };
}

/** What lies in a schema, with names in place of its named parts. */
const partsIn = ({ properties, items, anyOf }: Schema): Schema =>
  ({
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, byName(field)])),
    }),
    ...(items && { items: byName(items as Schema) }),
    ...(anyOf && { anyOf: anyOf.map(byName) }),
  }) as Schema;

function objectOf(properties: Fields, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required } as Schema;
}

const style = { singleQuote: true, printWidth: 110 } as const;

async function interfaceOf(name: string, schema: Schema): Promise<string> {
  const { title: _title, ...rest } = schema;
  if (Object.keys(fieldsOf(schema)).length === 0) {
    return `/** ${schema.description} */\nexport type ${name} = Record<string, never>;\n`;
  }
  return compiled(name, { additionalProperties: false, ...rest, ...partsIn(rest) } as Schema);
}

async function compiled(name: string, schema: Schema): Promise<string> {
  const text = await compile(schema, name, {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style,
  });
  const docstring = /^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm;
  return text.replaceAll(docstring, (whole, indent: string, words: string) =>
    indent.length + words.length <= style.printWidth - '/**  */'.length ? `${indent}/** ${words} */` : whole,
  );
}
