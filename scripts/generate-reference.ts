import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { attributeNames, messageAttributes } from '../lambdas/events/attributes.ts';
import {
  type About,
  changeSchemas,
  type EventKindName,
  eventKinds,
  eventKindNames as kinds,
  ratings,
} from '../lambdas/events/changes.ts';
import { topics } from '../lambdas/events/kinds.ts';
import { eventSchema, typeName } from '../lambdas/events/schemas.ts';
import { openApi } from '../page/programs.ts';
import { anyEventSchema, asyncApi, type JsonSchema, jsonSchema } from './event-schemas.ts';
import {
  attributesForCli,
  correctionExample,
  exampleEvents,
  exampleMessage,
  snapshotExample,
} from './example-event.ts';
import { channelsPage, wordingsPage } from './reference-pages.ts';

/**
 * Writes the event reference (`docs/events.md`), the AsyncAPI document (`docs/asyncapi.yaml`), the OpenAPI document
 * (`docs/openapi.json`), the JSON Schema of any event (`docs/schemas`), one event of each type (`docs/examples`), the pages of wordings and channels, and the
 * notebook of the pandas guide, from the schemas in `lambdas/events`. With `--check` it writes nothing and fails where a file is not what it would write.
 */

const docs = new URL('../docs/', import.meta.url);

async function reference(): Promise<ReadonlyMap<string, string>> {
  const files = new Map([['events.md', page()]]);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  files.set(
    'asyncapi.yaml',
    `# Made from lambdas/events by npm run docs; do not edit it.\n${toYaml(asyncApi(version))}`,
  );
  files.set('wordings.md', wordingsPage());
  files.set('channels.md', channelsPage());
  const pandas = readFileSync(new URL('guides/pandas.md', docs), 'utf8');
  files.set('guides/pandas.ipynb', notebookOf(pandas.split('## Other sources')[0] ?? ''));
  files.set('openapi.json', asJson(await openApi()));
  files.set('schemas/event.json', asJson(anyEventSchema()));
  for (const [kind, event] of exampleEvents()) files.set(`examples/${typeName(kind)}.json`, asJson(event));
  files.set('examples/snapshot.json', asJson(snapshotExample()));
  files.set('examples/correction.json', asJson(correctionExample()));
  const example = exampleMessage();
  files.set('examples/classified.json', `${example.body}\n`);
  files.set('examples/classified.attributes.json', `${JSON.stringify(attributesForCli(example), null, 2)}\n`);
  return files;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function page(): string {
  const envelope = jsonSchema(eventSchema('entity.classified'));
  const data = envelope.properties?.data ?? {};
  const correctedChange = {
    correctedChange: { description: 'With `corrects`: the `change` as the corrected event stated it.' },
  };
  const types = {
    type: { description: 'One of the types below.' },
    dataschema: { description: 'URI of the JSON Schema of `data`.' },
  };
  return `# Event reference

This page is made from \`lambdas/events\` by \`npm run docs\`; do not edit it.

Each message is one [CloudEvents 1.0](https://github.com/cloudevents/spec) event in structured JSON mode. Fields are strings where no
kind is named; those with a \`?\` are absent where the catalogue did not state them. A *rating* is \`green\`, \`amber\`, \`red\` or \`none\` (unrated).
[Guarantees](guides/guarantees.md) says how often and in which order events arrive.

There are [an event of each type](examples), [one without a row](examples/snapshot.json), [a correction](examples/correction.json),
[the JSON Schema](schemas/event.json) of any event, and the [AsyncAPI document](asyncapi.yaml) of the topics. The package also holds
a schema of each type (\`gene-panel-notifier/schemas/envelopes/<type>.json\`) and of its \`data\` (\`…/schemas/<type>.json\`).

## Envelope

${table({ ...envelope, properties: { ...without(envelope.properties, 'data'), ...asText(types) } })}

## \`data\` of every type

\`entity\` is null in types \`panel.…\` and in no others, unless a type below says otherwise.

${table({ ...data, properties: { ...without(data.properties, 'change'), ...correctedChange } })}

\`via\` of a \`change\` says how it was found: ${viaMeaning()}

## Message attributes

For SNS filter policies; only events of the named topics or types carry them.

${attributeTable()}

## Types by topic

The fields are those of \`change\`.

${topics.map(topicSection).join('\n')}`;
}

function attributeTable(): string {
  const rows = attributeNames.map((name) => {
    const { type, values, on, meaning } = messageAttributes[name];
    // The types are listed below, under their topics.
    const listed = name === 'type' ? undefined : values;
    const value = listed ? kindOfValue({ enum: listed }) : type;
    return `- \`${name}\` (${carriers(on)}): ${sentences(value, meaning)}`;
  });
  return rows.join('\n');
}

/** What a field holds, and a sentence on it where there is one. */
const sentences = (value: string, meaning: string): string => {
  if (meaning === '') return value;
  return value.toLowerCase() === 'string' ? meaning : `${value}. ${meaning}`;
};

const aboutPanels = kinds.filter((kind) => kind.startsWith('panel.'));

/** Whole topics by their names, single types by theirs. */
function carriers(on: readonly EventKindName[]): string {
  if (on.length === kinds.length) return 'all';
  if (on.length === kinds.length - aboutPanels.length && !on.some((kind) => aboutPanels.includes(kind)))
    return 'all but `panel.…`';
  return topics
    .flatMap((topic) => {
      const own = kinds.filter((kind) => eventKinds[kind].topic === topic);
      return own.every((kind) => on.includes(kind)) ? [topic] : own.filter((kind) => on.includes(kind));
    })
    .map((name) => `\`${name}\``)
    .join(', ');
}

function topicSection(topic: string): string {
  const own = kinds.filter((kind) => eventKinds[kind].topic === topic);
  return `### Topic \`${topic}\`\n\n${own.map(kindSection).join('\n')}`;
}

/** Where `data.panel` or `data.entity` is null, apart from what the name of a type says. */
const aboutSentence: Readonly<Record<About, string>> = {
  panel: '',
  entity: '',
  'entity if named': ' `entity` is null where the row does not name it.',
  row: ' `panel` and `entity` are null where the row could not be read.',
};

function kindSection(kind: EventKindName): string {
  const change = jsonSchema(changeSchemas[kind]());
  const own = without(change.properties, 'via');
  const via = change.properties?.via && (change.required?.includes('via') ? '- `via`' : '- `via?`');
  const fields = [table({ ...change, properties: own }), via].filter((text) => text).join('\n');
  return `#### \`${typeName(kind)}\`

${eventKinds[kind].meaning}${aboutSentence[eventKinds[kind].about]}

${fields === '' ? '`change` is empty.' : fields}
`;
}

function viaMeaning(): string {
  const described = kinds.map((kind) => jsonSchema(changeSchemas[kind]()).properties?.via?.description);
  const meanings = new Set(described.filter((one) => one !== undefined));
  const [meaning = ''] = meanings;
  if (meanings.size !== 1)
    throw new Error(`"via" has ${meanings.size} descriptions, and the reference states one`);
  return meaning;
}

function table({ properties = {}, required = [] }: JsonSchema): string {
  const shown = new Map<string, readonly string[]>();
  const rows = Object.entries(properties).flatMap(([name, property]) => {
    const fields = fieldsOf(property);
    const like = [...shown].find(([, others]) => others.every((other) => fields.includes(other)))?.[0];
    const inLike = like === undefined ? [] : (shown.get(like) ?? []);
    if (fields.length > 1) shown.set(name, fields);
    const own = fields.filter((field) => !inLike.includes(field));
    const prefix = property.items ? `${name}[]` : name;
    return [
      `${row(name, property, required.includes(name))}${like === undefined ? '' : ` Its fields are those of \`${like}\`${own.length === 0 ? '.' : ', and:'}`}`,
      ...own.map((field) => `- \`${prefix}.${field}`),
    ];
  });
  return rows.join('\n');
}

/** The lines of the fields of an object, or of the objects of a list, without what stands before their names. */
function fieldsOf(property: JsonSchema): readonly string[] {
  const object = property.items?.properties ? property.items : inner(property);
  return Object.entries(object?.properties ?? {}).map(([field, value]) =>
    row(field, value, object?.required?.includes(field) ?? false).slice('- `'.length),
  );
}

function inner(property: JsonSchema): JsonSchema | undefined {
  return property.properties ? property : property.anyOf?.find(({ properties }) => properties);
}

function row(name: string, property: JsonSchema, always: boolean): string {
  const description = property.description ?? '';
  return `- \`${name}${always ? '' : '?'}\`: ${sentences(kindOfValue(property), description)}`;
}

function kindOfValue({ type, enum: values, const: only, items, anyOf }: JsonSchema): string {
  if (only !== undefined) return `\`${String(only)}\``;
  if (values && values.join() === ratings.join()) return 'rating';
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (anyOf) return [...new Set(anyOf.map(kindOfValue))].join(' or ');
  if (type === 'array') return items?.properties ? 'objects' : plural(kindOfValue(items ?? {}));
  return type === undefined ? 'any JSON' : [type].flat().join(' or ');
}

const plural = (kind: string): string => (/^[a-z]+$/.test(kind) ? `${kind}s` : `list of ${kind}`);

function without(properties: JsonSchema['properties'] = {}, name: string): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));
}

function asText(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, { type: 'string', ...property }]),
  );
}

const folders = ['schemas/', 'examples/'];

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(new URL(folder, docs)).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => `${folder}${name}`);
}

async function written(path: string): Promise<string | undefined> {
  return readFile(new URL(path, docs), 'utf8').catch(() => undefined);
}

async function generate(check: boolean): Promise<number> {
  const files = await reference();
  const stray = (await Promise.all(folders.map(filesIn))).flat().filter((path) => !files.has(path));
  const drifted: string[] = [...stray];
  for (const [path, content] of files) if ((await written(path)) !== content) drifted.push(path);
  if (check) {
    if (drifted.length === 0) return 0;
    process.stderr.write(
      `These files are not what npm run docs writes: ${drifted.map((path) => `docs/${path}`).join(', ')}. Run npm run docs and commit what it writes.\n`,
    );
    return 1;
  }
  for (const folder of folders) await mkdir(new URL(folder, docs), { recursive: true });
  for (const path of stray) await rm(new URL(path, docs));
  for (const [path, content] of files) await writeFile(new URL(path, docs), content);
  return 0;
}

if (import.meta.main) process.exitCode = await generate(process.argv.includes('--check'));

/** A JSON value as YAML, in blocks; every text is quoted as in JSON, which YAML reads alike. */
function toYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => lines(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    if (entries.length > 0) return entries.flatMap(([key, each]) => entry(key, each));
  }
  return [JSON.stringify(value)];
}

function entry(key: string, value: unknown): readonly string[] {
  const name = /^[a-z$][\w$.-]*$/i.test(key) ? key : JSON.stringify(key);
  const below = lines(value);
  const nested = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return nested ? [`${name}:`, ...below.map((line) => `  ${line}`)] : [`${name}: ${below[0]}`];
}

/** A page as a Jupyter notebook: its programs are cells, and so is the text between them. */
function notebookOf(page: string): string {
  const cells = page.split(/^```python\n(.*?)^```\n/ms).flatMap((text, at) => {
    const source = text.trim().split(/(?<=\n)/);
    if (text.trim() === '') return [];
    return at % 2 === 0
      ? [{ cell_type: 'markdown', metadata: {}, source }]
      : [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source }];
  });
  const metadata = {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python' },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 4 }, null, 1)}\n`;
}
