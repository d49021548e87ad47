import type { Hono } from 'hono';
import type { SignOff } from '../../lambdas/panels/version-state.ts';
import { versionAddress } from '../../lambdas/questions/addresses.ts';
import { csvOf } from '../../lambdas/questions/documents.ts';
import { utcTimes } from '../../lambdas/questions/question.ts';
import { question, stateList } from '../../lambdas/questions/state.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { pageAddress, withoutEntity } from '../../lambdas/words/panel-words.ts';
import { csvResponse, fileWord } from '../frame/csv-response.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes } from '../frame/local-times.ts';
import { newestOf } from '../newest-event.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { entitiesAsked, readContentsQuery } from './contents-query.ts';
import { contentsView, type PanelContents } from './contents-view.ts';
import { readPanelHistory } from './panel-history.ts';
import { panelPageView } from './panel-view.ts';

/** A panel: what it holds, and its timeline. */
export function addPanelRoutes(app: Hono, context: RouteContext): void {
  const { history, pages, times, clock } = context;

  async function contentsOf(catalogue: string, id: number, address: string): Promise<PanelContents> {
    const query = readContentsQuery(new URL(address).searchParams);
    const store = context.states(catalogue);
    const state = query.version === '' ? await store.newest(id) : await store.find(id, query.version);
    return { query, state, versions: await store.versions(id) };
  }

  app.get('/panel/:catalogue/:id', async ({ req }) => {
    const [catalogue, given] = [req.param('catalogue'), req.param('id')];
    const id = /^\d{1,9}$/.test(given) ? Number(given) : null;
    const contents = id === null ? null : await contentsOf(catalogue, id, req.url);
    const found = id === null ? null : await readPanelHistory(yieldingHistory(history), catalogue, id);
    const name = found?.panel.name ?? contents?.versions.at(-1)?.panelName;
    if (id === null || contents === null || name === undefined) {
      return context.refuse(
        'No such panel',
        `The history has no change of a panel ${given.slice(0, 40)} of “${catalogue.slice(0, 80)}”, and no version of one was read.`,
        404,
      );
    }
    const held = html`${signOffsView(await context.states(catalogue).signOffs(id), { catalogue, id, times })}${contentsView(contents, { catalogue, id }, times)}`;
    const newest = newestOf(pages, catalogue, id);
    const main =
      found === null
        ? html`<div class="page panel-page"><h1>${cleanLine(name)}</h1><p class="lead">${catalogue}</p><p>The history has no change of this panel in the period that was read.</p>${held}</div>`
        : panelPageView(
            {
              id,
              catalogue,
              address: newest ? pageAddress(withoutEntity(newest)) : null,
              history: found,
              contents: held,
              parts: await context.readParts({ catalogue }),
            },
            times,
            instantOf(clock.now()),
          );
    return context.answer({ title: cleanLine(name), current: 'none', main });
  });

  app.get('/panel/:catalogue/:id/contents.csv', async ({ req }) => {
    const [catalogue, given] = [req.param('catalogue'), req.param('id')];
    const contents = /^\d{1,9}$/.test(given) ? await contentsOf(catalogue, Number(given), req.url) : null;
    if (!contents?.state) {
      return context.refuse(
        'No such version',
        `No panel ${given.slice(0, 40)} of “${catalogue.slice(0, 80)}” has a state of this version that is kept: what it held is unknown here.`,
        404,
      );
    }
    const { state, query } = contents;
    const list = stateList({
      catalogue,
      state: { ...state, entities: entitiesAsked(state.entities, query) },
    });
    const answer = { lead: [], lists: [list], limits: [] };
    return csvResponse(
      [csvOf({ question, answer, times: utcTimes })],
      `panel-${given}-${fileWord(state.version)}`,
    );
  });
}

interface Place {
  readonly catalogue: string;
  readonly id: number;
  readonly times: LocalTimes;
}

/** The versions of a panel that were signed off, as far as the list of signed-off versions was read, the newest first. */
function signOffsView(signOffs: readonly SignOff[], { catalogue, id, times }: Place): Html {
  if (signOffs.length === 0) return html``;
  return html`<h2 id="signed-off">Signed-off versions</h2>
<table class="plain"><thead><tr><th scope="col">Version</th><th scope="col">Signed off</th><th scope="col">Sign-off removed</th></tr></thead><tbody>
${signOffs.toReversed().map(
  ({ version, date, removedAt }) =>
    html`<tr><th scope="row"><a href="${versionAddress(catalogue, id, version)}">${cleanLine(version)}</a></th><td>${times.shortDay(date)}</td><td>${removedAt === null ? '' : html`found on ${times.shortDay(times.day(Number(removedAt / 1000n)))}`}</td></tr>
`,
)}</tbody></table>
<p><a href="/compare?panel=${id}">What waits for the next sign-off</a></p>`;
}
