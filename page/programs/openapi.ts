import { capitalize } from '../../lambdas/events/capitalize.ts';
import { programQuestions } from '../../lambdas/questions/all.ts';
import { asOfOptions } from '../../lambdas/questions/as-of.ts';
import type { Option, Question } from '../../lambdas/questions/question.ts';

type Json = Readonly<Record<string, unknown>>;

const refusals = {
  400: 'An option is unknown, or has a value that it does not take.',
  401: 'No token was sent, or it has ended.',
  429: 'Too many requests; Retry-After says when the next one is answered.',
  503: 'What is kept cannot be read now.',
} as const;

/** The OpenAPI document of what programs ask, from the declarations of the questions. */
export async function openApi(): Promise<Json> {
  const loaded = await Promise.all(Object.values(programQuestions).map((load) => load()));
  const paths = loaded.flatMap(({ question }) => [
    [`/api/${question.name}`, operation(question, document(question))] as const,
    [`/api/${question.name}.ndjson`, operation(question, lines)] as const,
  ]);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gene panel changes, for programs',
      version: '1',
      description:
        'The questions of the page. Where an answer is not whole, `limits` says what is missing: an empty list is no all-clear then.',
    },
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        token: {
          ...{ type: 'http', scheme: 'bearer' },
          description:
            'A token that a person made on the page, under Programs. A page without a sign-in asks for none.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          `Problem${status}`,
          { description, content: { 'application/problem+json': { schema: schemaOf('Problem') } } },
        ]),
      ),
      schemas: { Problem: problem, Limit: limit },
    },
  };
}

const schemaOf = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const texts: Json = { type: 'array', items: { type: 'string' } };

const problem: Json = {
  description: 'Problem details (RFC 9457).',
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was seen, what was expected, and what to do.' },
  },
};

const limit: Json = {
  description: 'Something that the answer does not cover, or that its reader must know.',
  type: 'object',
  required: ['kind', 'sentence'],
  properties: {
    kind: {
      enum: ['name', 'unread', 'unknown', 'as-of', 'note'],
      description:
        'name: something asked for does not exist. unread: nothing was read of what is asked for. unknown: a part is not covered. as-of: the answer is as of an earlier time. note: the answer is whole all the same.',
    },
    sentence: { type: 'string' },
    unknown: {
      description: 'Of the kind name.',
      type: 'object',
      required: ['option', 'value', 'statement'],
      properties: {
        option: { type: 'string' },
        value: { type: 'string' },
        statement: { type: 'string' },
      },
    },
  },
};

const document = ({ name, columns, rowsAre }: Question): Json => ({
  'application/json': {
    schema: {
      type: 'object',
      required: ['question', 'isWhole', 'scope', 'lead', 'limits', 'rows'],
      properties: {
        question: { const: name },
        isWhole: { type: 'boolean', description: 'Whether the rows are all that was asked for.' },
        scope: { ...texts, description: 'What was asked, in words.' },
        lead: { ...texts, description: 'Sentences that say what was found.' },
        limits: { type: 'array', items: schemaOf('Limit') },
        rows: {
          type: 'array',
          items: rowOf(rowsAre === 'events' ? [] : [...(rowsAre ? [] : ['what']), ...keysOf(columns)]),
        },
      },
    },
  },
});

const keysOf = (columns: Question['columns']): readonly string[] =>
  columns.filter(({ value }) => value).map(({ key }) => key);

/** An event has the form that its own reference states. */
const rowOf = (keys: readonly string[]): Json => ({
  type: 'object',
  ...(keys.length > 0 && { properties: Object.fromEntries(keys.map((key) => [key, {}])) }),
});

const lines: Json = {
  'application/x-ndjson': {
    schema: {
      type: 'string',
      description: 'One row a line, then a line for each limit: {"what":"limit","kind":…,"sentence":…}.',
    },
  },
};

function operation({ name, sentence, about, options }: Question, content: Json): Json {
  const isLines = content === lines;
  const parameters = Object.entries<Option<unknown>>({ ...options, ...asOfOptions }).filter(
    ([, { isFor }]) => isFor !== 'commands',
  );
  return {
    get: {
      operationId: isLines ? `${name}Lines` : name,
      summary: capitalize(sentence),
      description: about,
      parameters: [
        ...parameters.map(([option, declared]) => parameterOf(option, declared)),
        {
          ...{ name: 'catalogue', in: 'query', schema: { type: 'string' } },
          description: 'only this catalogue, by its configured name',
        },
      ],
      responses: {
        200: { description: 'The answer.', headers, content },
        404: { description: 'All that one option names is unknown; `limits` says which.', headers, content },
        ...Object.fromEntries(
          Object.keys(refusals).map((status) => [
            status,
            { $ref: `#/components/responses/Problem${status}` },
          ]),
        ),
      },
    },
  };
}

const headers: Json = {
  link: { description: 'rel="next": the address of the rows that follow.', schema: { type: 'string' } },
};

function parameterOf(name: string, { help, takes, isMultiple, splits, field }: Option<unknown>): Json {
  const value =
    takes === undefined
      ? { enum: ['yes'] }
      : { type: 'string', ...(field?.kind === 'choice' && { enum: Object.keys(field.choices) }) };
  return {
    ...{ name, in: 'query', description: `${help}${splits ? '; commas separate several' : ''}` },
    schema: isMultiple ? { type: 'array', items: value } : value,
  };
}
