import type { Hono } from 'hono';
import { programQuestions } from '../lambdas/questions/all.ts';
import { asOfOptions } from '../lambdas/questions/ask.ts';
import { type Answered, documentOf, jsonOf, ndjson } from '../lambdas/questions/documents.ts';
import { type Option, type Question, utcTimes } from '../lambdas/questions/question.ts';
import { capitalize, safeJson } from '../lambdas/run/text.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import { type Html, html, type LocalTimes } from './html.ts';
import { askInTime } from './questions.ts';
import type { RouteContext } from './route-context.ts';
import type { Person } from './sign-in/access.ts';
import type { ListedToken, ProgramTokens } from './sign-in/sessions.ts';

/** Whether a path is one that programs ask: errors there are problem details (RFC 9457), no views. */
export const isForPrograms = (path: string): boolean => path.startsWith('/api/');

interface Problem {
  readonly status: number;
  /** One short sentence. */
  readonly title: string;
  /** What was seen, what was expected, and what to do. */
  readonly detail: string;
}

/** A response of problem details. */
export const problemResponse = (problem: Problem, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`${JSON.stringify({ type: 'about:blank', ...problem })}\n`, {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  405: 'Method not allowed',
  421: 'Misdirected request',
  429: 'Too many requests',
  503: 'Not available now',
};

/** A refusal in plain text as problem details, with its headers; every other response as it is. */
export async function asProblem(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status < 400 || !type.startsWith('text/plain')) return response;
  const { status, headers } = response;
  const detail = (await response.text()).trim();
  const kept = [...headers].filter(([name]) => name !== 'content-type' && name !== 'content-length');
  return problemResponse({ status, title: titles[status] ?? 'Refused', detail }, Object.fromEntries(kept));
}

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

/** Every question for programs: as one JSON document, and as NDJSON, one row a line. */
export function addProgramRoutes(app: Hono, context: RouteContext): void {
  for (const [name, load] of Object.entries(programQuestions)) {
    const answer = async (address: string, { of, type }: Form): Promise<Response> =>
      askInTime(
        context,
        (await load()).question,
        address,
        (found) => {
          const { next } = found.answer;
          return new Response(of(found), {
            status: found.isWithheld ? 404 : 200,
            headers: {
              'content-type': `${type}; charset=utf-8`,
              'cache-control': 'no-store',
              ...(next && { link: `<${nextAddress(address, next)}>; rel="next"` }),
            },
          });
        },
        utcTimes,
      );
    app.get(`/api/${name}`, ({ req }) => answer(req.url, { of: jsonOf, type: 'application/json' }));
    app.get(`/api/${name}.ndjson`, ({ req }) =>
      answer(req.url, { of: linesOf, type: 'application/x-ndjson' }),
    );
  }
  app.get('/api/openapi.json', async () =>
    Response.json(await openApi(), { headers: { 'cache-control': 'no-store' } }),
  );
}

interface Form {
  readonly of: typeof jsonOf;
  readonly type: string;
}

/** A row a line, and then a line for each limit: no rows alone would be an all-clear. */
const linesOf = (answered: Answered): string =>
  documentOf(ndjson, answered) +
  answered.answer.limits
    .map((limit) => `${safeJson(JSON.stringify({ what: 'limit', ...limit }))}\n`)
    .join('');

function nextAddress(address: string, next: Readonly<Record<string, readonly string[]>>): string {
  const { pathname, searchParams } = new URL(address);
  for (const [name, values] of Object.entries(next)) {
    searchParams.delete(name);
    for (const value of values) searchParams.append(name, value);
  }
  return `${pathname}?${searchParams}`;
}

const TOKENS_PATH = '/programs';

/** More tokens of one person hide which is which. */
const MOST_TOKENS = 20;
const LONGEST_NAME = 100;
const lengths = [30, 90, 365] as const;

/** A view with the tokens of who is signed in, and the forms that make and end one. */
export function addTokenRoutes(app: Hono, context: RouteContext): void {
  const { tokens, audit } = context;
  /** Without a sign-in, programs need no token. */
  const signedIn = (): Person | null => (tokens ? context.visitor().person : null);
  const needless = (): Promise<Response> =>
    context.refuse(
      'No tokens are needed',
      'Without a sign-in, programs on this machine read /api as people read the page.',
      404,
    );
  const show = async ({ of }: ProgramTokens, person: Person, made?: MadeToken): Promise<Response> => {
    const main = tokensView(await of(person.id), made, context);
    return context.answer({ title: 'Programs', current: 'programs', main });
  };

  app.get(TOKENS_PATH, async () => {
    const person = signedIn();
    return tokens && person ? show(tokens, person) : needless();
  });

  app.post(TOKENS_PATH, async ({ req, redirect }) => {
    const person = signedIn();
    if (!tokens || !person) return needless();
    const form = await req.parseBody();
    const textOf = (name: string): string => (typeof form[name] === 'string' ? form[name].trim() : '');
    const noted = (action: 'token-made' | 'token-ended', name: string) =>
      audit?.write({ action, person: person.id, name: person.name, token: name });
    const ended = textOf('end');
    if (ended !== '') {
      const token = await tokens.end(person.id, ended);
      if (!token)
        return context.refuse('No such token', 'You have no token like it: it may have ended.', 404);
      await noted('token-ended', token.name);
      return redirect(TOKENS_PATH, 303);
    }
    const name = cleanLine(textOf('name'), LONGEST_NAME);
    const days = lengths.find((length) => String(length) === textOf('days'));
    if (name === '' || days === undefined)
      return context.refuse('No token was made', 'Say what it is for, and how long it lasts.', 400);
    if ((await tokens.of(person.id)).length >= MOST_TOKENS)
      return context.refuse('No token was made', `You have ${MOST_TOKENS}. End one first.`, 400);
    await noted('token-made', name);
    const stated = req.header('origin') ?? 'null';
    const origin = stated === 'null' ? new URL(req.url).origin : stated;
    return show(tokens, person, { name, origin, token: await tokens.make(person, { name, days }) });
  });
}

interface MadeToken {
  readonly name: string;
  readonly token: string;
  /** Of the page, as the browser sees it. */
  readonly origin: string;
}

/** @param made the token that was made now; it is shown this once */
function tokensView(
  listed: readonly ListedToken[],
  made: MadeToken | undefined,
  { visitor, times }: RouteContext,
): Html {
  const token = html`<input type="hidden" name="token" value="${visitor().formToken}">`;
  return html`<div class="page">
<h1>Programs</h1>
<p>A program reads events, the worklist and every question in your name, and changes nothing. It sends a token; the addresses are in the <a href="/api/openapi.json">OpenAPI document</a>.</p>
${made ? html`<div class="notice" role="status"><h2>The token for “${made.name}”</h2><p>Keep it now: it is not shown again.</p><p><code>${made.token}</code></p><p>To try it:</p><pre>curl -H 'Authorization: Bearer ${made.token}' '${made.origin}/api/history?since=7d'</pre></div>` : ''}
${listed.length === 0 ? html`<p>You have no token.</p>` : listView(listed, token, times)}
<form action="${TOKENS_PATH}" method="post" class="inline">${token}
<div class="field"><label for="token-name">What it is for</label><input id="token-name" name="name" required maxlength="${LONGEST_NAME}" autocomplete="off"></div>
<div class="field"><label for="token-days">Lasts</label><select id="token-days" name="days">${lengths.map((days) => html`<option value="${days}"${days === 90 ? html` selected` : ''}>${days} days</option>`)}</select></div>
<p class="buttons"><button>Make a token</button></p>
</form>
</div>`;
}

const listView = (
  listed: readonly ListedToken[],
  token: Html,
  times: LocalTimes,
): Html => html`<table class="plain">
<thead><tr><th scope="col">For</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col"><span class="unseen">End it</span></th></tr></thead>
<tbody>${listed.map(
  ({ id, name, made, used, ends }) =>
    html`<tr><th scope="row">${name}</th><td data-label="Made">${times.moment(made)}</td><td data-label="Last used">${used === null ? 'never' : times.moment(used)}</td><td data-label="Ends">${times.moment(ends)}</td><td><form action="${TOKENS_PATH}" method="post" class="inline">${token}<input type="hidden" name="end" value="${id}"><button>End<span class="unseen"> the token for ${name}</span></button></form></td></tr>`,
)}</tbody>
</table>`;
