import type { Hono } from 'hono';
import { programQuestions } from '../../lambdas/questions/all.ts';
import { type Answered, jsonOf, ndjsonOf } from '../../lambdas/questions/documents.ts';
import { utcTimes } from '../../lambdas/questions/question.ts';
import { safeJson } from '../../lambdas/run/safe-json.ts';
import { askOnPage } from '../questions.ts';
import type { RouteContext } from '../route-context.ts';
import { openApi } from './openapi.ts';

/** Every question for programs: as one JSON document, and as NDJSON, one row a line. */
export function addProgramRoutes(app: Hono, context: RouteContext): void {
  for (const [name, load] of Object.entries(programQuestions)) {
    const answer = async (address: string, { of, type }: Form): Promise<Response> => {
      const found = await askOnPage((await load()).question, { address, times: utcTimes }, context);
      const { next } = found.answer;
      return new Response(of(found), {
        status: found.isWithheld ? 404 : 200,
        headers: {
          'content-type': `${type}; charset=utf-8`,
          'cache-control': 'no-store',
          ...(next && { link: `<${nextAddress(address, next)}>; rel="next"` }),
        },
      });
    };
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
  ndjsonOf(answered) +
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
