import type { Hono } from 'hono';
import { question } from '../../lambdas/questions/state.ts';
import { fileResponse } from '../frame/csv-response.ts';
import { type Html, html } from '../frame/html.ts';
import { phraseView } from '../frame/rating-view.ts';
import { addressOf, askOnPage, asOfView, readerTimes, refuseFile } from '../questions.ts';
import type { RouteContext } from '../route-context.ts';

type Found = Awaited<ReturnType<typeof askOnPage>>;

/** What panels held, as files that other programs load. */
export function addStateFileRoutes(app: Hono, context: RouteContext): void {
  const times = readerTimes(context.times);
  const inTime = (
    address: string,
    answer: (found: Found, then: RouteContext) => Promise<Response>,
  ): Promise<Response> =>
    context.inTime({ address, times }, async (then) =>
      answer(await askOnPage(question, { address, times }, then), then),
    );

  app.get('/state/files', ({ req }) =>
    inTime(req.url, async (found) => {
      const relay = context.relay?.() ?? null;
      const relayed =
        relay === null ? [] : (await context.followed()).map((name) => `${relay}${name}/api/v1/`);
      const main = await filesView(found, relayed);
      return context.answer(
        { title: 'Files of a panel', current: 'state', main },
        found.isWithheld ? 404 : 200,
      );
    }),
  );

  app.get('/state/files/:format', async ({ req }) => {
    const asked = req.param('format');
    const format = Object.entries(question.formats ?? {}).find(([name]) => name === asked)?.[1];
    if (!format) return context.refuse('No such file', `There is no format “${asked.slice(0, 40)}”.`, 404);
    return inTime(req.url, async (found, then) => {
      if (limitsOf(found).length > 0) return refuseFile(found, then);
      const day = then.times.day(then.clock.now());
      const { text } = await format.write({ asked: found.asked, lists: found.answer.lists });
      return fileResponse([text], {
        name: `${question.file}-${day}.${format.extension}`,
        type: 'text/plain',
      });
    });
  });
}

/** What is unknown of what was asked: a file cannot say it. */
const limitsOf = ({ answer }: Found) =>
  answer.limits.filter(({ kind }) => kind !== 'note' && kind !== 'as-of');

/** The files of an answer, each with what it lacks, and where tools read the catalogue itself. */
async function filesView(found: Found, relayed: readonly string[]): Promise<Html> {
  const { texts, asked, answer } = found;
  const limits = limitsOf(found);
  const written = Object.entries(question.formats ?? {}).map(async ([name, { label, write }]) => {
    const { notes } = await write({ asked, lists: answer.lists });
    return html`<tr><th scope="row"><a href="${addressOf(question, texts, `/files/${name}`)}" download>${label}</a></th><td>${notes.join(' ')}</td></tr>`;
  });
  const files = await Promise.all(written);
  return html`<div class="page green-page">
<h1>Files for other programs</h1>
<p class="lead"><a href="${addressOf(question, texts)}">What the panel held</a></p>
${answer.lead.map((words) => html`<p>${phraseView(words)}</p>`)}
${asOfView(found)}
${limits.map(({ sentence }) => html`<p class="warning">${sentence}</p>`)}
${limits.length > 0 ? '' : html`<h2>Files</h2><table class="plain"><thead><tr><th scope="col">For</th><th scope="col">Note</th></tr></thead><tbody>${files}</tbody></table>`}
<h2>For tools that read the catalogue</h2>
${relayed.length === 0 ? html`<p>They can read it here, also as of a day: start <code>watch</code> with <code>--relay-port</code>.</p>` : html`<p>They can read it here, also as of a day, without a limit:</p>${relayed.map((address) => html`<p><code>${address}</code></p>`)}`}
</div>`;
}
