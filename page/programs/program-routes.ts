import type { Hono } from 'hono';
import { programQuestions } from '../../lambdas/questions/all.ts';
import { type Answered, documentOf, jsonOf, ndjson } from '../../lambdas/questions/documents.ts';
import { utcTimes } from '../../lambdas/questions/question.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import type { Person, Visitor } from '../access/access.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes } from '../frame/local-times.ts';
import { askOnPage } from '../questions.ts';
import type { RouteContext } from '../route-context.ts';
import { openApi } from './openapi.ts';
import type { ListedToken, ProgramTokens } from './tokens.ts';

/** Every question for programs: as one JSON document, and as NDJSON, one row a line. */
export function addProgramRoutes(app: Hono, context: RouteContext): void {
  for (const [name, load] of Object.entries(programQuestions)) {
    const answer = (address: string, { of, type }: Form): Promise<Response> =>
      context.inTime({ address, times: utcTimes }, async (then) => {
        const found = await askOnPage((await load()).question, { address, times: utcTimes }, then);
        const { next } = found.answer;
        return new Response(of(found), {
          status: found.isWithheld ? 404 : 200,
          headers: {
            'content-type': `${type}; charset=utf-8`,
            'cache-control': 'no-store',
            ...(next && { link: `<${nextAddress(address, next)}>; rel="next"` }),
          },
        });
      });
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

/** The path of what follows: the address with other values of some options. */
function nextAddress(address: string, next: Readonly<Record<string, readonly string[]>>): string {
  const { pathname, searchParams } = new URL(address);
  for (const [name, values] of Object.entries(next)) {
    searchParams.delete(name);
    for (const value of values) searchParams.append(name, value);
  }
  return `${pathname}?${searchParams}`;
}

/** The address where a person makes and ends tokens. */
const TOKENS_PATH = '/programs';

/** More tokens of one person hide which is which. */
const MOST_TOKENS = 20;
const LONGEST_NAME = 100;
/** How many days a token may last. */
const lengths = [30, 90, 365] as const;

/** A view with the tokens of who is signed in, and the forms that make and end one. */
export function addTokenRoutes(app: Hono, context: RouteContext): void {
  const { tokens, audit, times } = context;
  /** Without a sign-in, programs need no token. */
  const signedIn = (): Person | null => (tokens ? context.visitor().person : null);
  const needless = (): Promise<Response> =>
    context.refuse(
      'No tokens are needed',
      'Without a sign-in, programs on this machine read /api as people read the page.',
      404,
    );
  const show = async ({ of }: ProgramTokens, person: Person, made?: MadeToken): Promise<Response> => {
    const main = tokensView({ listed: await of(person.id), made, visitor: context.visitor() }, times);
    const response = await context.answer({ title: 'Programs', current: 'programs', main });
    response.headers.set('cache-control', 'no-store');
    return response;
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

interface TokensPage {
  readonly listed: readonly ListedToken[];
  /** The token that was made now; it is shown this once. */
  readonly made: MadeToken | undefined;
  readonly visitor: Visitor;
}

function tokensView({ listed, made, visitor }: TokensPage, times: LocalTimes): Html {
  const token = html`<input type="hidden" name="token" value="${visitor.formToken}">`;
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
