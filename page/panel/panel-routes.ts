import type { Hono } from 'hono';
import { heldInVersion } from '../../lambdas/panels/held-at.ts';
import type { SignOff } from '../../lambdas/panels/version-state.ts';
import { entityAddress, versionAddress } from '../../lambdas/questions/addresses.ts';
import { csv, documentOf } from '../../lambdas/questions/documents.ts';
import { utcTimes } from '../../lambdas/questions/question.ts';
import { question, stateList } from '../../lambdas/questions/state.ts';
import { type Instant, instantOf } from '../../lambdas/run/instant.ts';
import type { ReadPart } from '../../lambdas/store/history/read-part.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { entityName, pageAddress, panelName, withoutEntity } from '../../lambdas/words/panel-words.ts';
import type { LocalTimes } from '../html.ts';
import { type Html, html, ratingView } from '../html.ts';
import { unreadView } from '../layout.ts';
import { newestOf } from '../names/page-names.ts';
import { csvResponse, fileWord } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';
import { contentsView, entitiesAsked, type PanelContents, readContentsQuery } from './contents-view.ts';
import {
  goneSince,
  type Milestone,
  MOST_TRACKS,
  type PanelHistory,
  readPanelHistory,
  type Track,
  timelinePicture,
} from './panel-history.ts';

/** A panel: what it holds, and its timeline. */
export function addPanelRoutes(app: Hono, context: RouteContext): void {
  const { history, pages, times, clock } = context;

  async function contentsOf(catalogue: string, id: number, address: string): Promise<PanelContents> {
    const query = readContentsQuery(new URL(address).searchParams);
    const states = context.states(catalogue);
    const versions = await states.versions(id);
    const version = query.version || versions.at(-1)?.version;
    const place = { catalogue, states, history: history };
    const held = version === undefined ? null : await heldInVersion(id, version, place);
    return { query, state: held?.state ?? null, asOf: held?.isChanged ? held.asOf : null, versions };
  }

  app.get('/panel/:catalogue/:id', async ({ req }) => {
    const [catalogue, given] = [req.param('catalogue'), req.param('id')];
    const id = /^\d{1,9}$/.test(given) ? Number(given) : null;
    const contents = id === null ? null : await contentsOf(catalogue, id, req.url);
    const found = id === null ? null : await readPanelHistory(history, catalogue, id);
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
      [documentOf(csv, { question, answer, times: utcTimes })],
      `panel-${given}-${fileWord(state.version)}`,
    );
  });
}

interface Place {
  readonly catalogue: string;
  readonly id: number;
  readonly times: LocalTimes;
}

function signOffsView(signOffs: readonly SignOff[], { catalogue, id, times }: Place): Html {
  if (signOffs.length === 0) return html``;
  return html`<h2 id="signed-off">Signed-off versions</h2>
<table class="plain"><thead><tr><th scope="col">Version</th><th scope="col">Signed off</th><th scope="col">Sign-off removed</th></tr></thead><tbody>
${signOffs.toReversed().map(
  ({ version, date, removedAt }) =>
    html`<tr><th scope="row"><a href="${versionAddress(catalogue, id, version)}">${cleanLine(version)}</a></th><td>${times.shortDay(date)}</td><td>${removedAt === null ? '' : html`found on ${times.day(removedAt)}`}</td></tr>
`,
)}</tbody></table>
<p><a href="/compare?panel=${id}">What waits for the next sign-off</a></p>`;
}

/** The most rows of the table; the filters of the stream show more. */
const MOST_ROWS = 300;

interface PanelPage {
  readonly id: number;
  readonly catalogue: string;
  /** The catalogue's own page of the panel; null where unknown. */
  readonly address: string | null;
  readonly history: PanelHistory;
  readonly contents: Html;
  readonly parts: readonly ReadPart[];
}

function panelPageView(
  { id, catalogue, address, history, contents, parts }: PanelPage,
  times: LocalTimes,
  now: Instant,
): Html {
  const { panel, first, last, events, milestones, tracks } = history;
  const { name, codes } = panelName(panel);
  const day = times.day;
  const facts = [
    codes.trim().slice(1, -1),
    panel.version && `version ${cleanLine(panel.version)}`,
    panel.signedOff && 'has a signed-off version',
    catalogue,
  ].filter(Boolean);
  const greens = tracks.filter(({ steps }) => steps.at(-1)?.status === 'green').length;
  return html`<div class="page panel-page">
<h1>${name}</h1>
<p class="lead">${facts.join(' · ')}</p>
${goneView(goneSince(milestones), day)}
<p>The history holds ${counted(events, 'change')} of this panel in the period that was read, from ${day(first)} to ${day(last)}. ${tracks.length === 0 ? 'No change is about a rating.' : `${tracks.length} ${tracks.length === 1 ? 'gene, STR or region was' : 'genes, STRs and regions were'} rated in it; ${greens === 0 ? 'none' : greens} of them ${greens > 1 ? 'are' : 'is'} green after the last change.`}</p>
${unreadView(parts, times)}
<p class="links"><a href="/?panel=${id}&amp;catalogue=${encodeURIComponent(catalogue)}&amp;since=all">All changes</a> <a href="/report?show=green&amp;panel=${id}">What turned green</a> ${address === null ? '' : html`<a href="${address}" rel="noreferrer" target="_blank">Open in the catalogue<span class="unseen"> (in a new tab)</span></a>`}</p>
${contents}
<h2>Versions and ratings over time</h2>
${timelinePicture(history, times, now)}
<p class="fine legend"><span class="key"><span class="bar green"></span> green</span> <span class="key"><span class="bar amber"></span> amber</span> <span class="key"><span class="bar red"></span> red</span> <span class="key"><span class="bar none"></span> unrated or unknown</span> ${tracks.length > MOST_TRACKS ? `The picture shows ${MOST_TRACKS} of them, first those that are or were green; the table shows ${tracks.length > MOST_ROWS ? `${MOST_ROWS} of ${tracks.length}` : `all ${tracks.length}`}.` : ''}</p>
${
  milestones.length === 0
    ? ''
    : html`<h2>Promotions, sign-offs and other steps</h2>
<table class="plain"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Version</th></tr></thead><tbody>${milestones
        .toReversed()
        .map(
          ({ at, kind, version, id: event }) =>
            html`<tr><td>${day(at)}</td><td><a href="/?open=${event}&amp;panel=${id}&amp;since=all#event">${kind}</a></td><td>${cleanLine(version)}</td></tr>`,
        )}</tbody></table>`
}
${
  tracks.length === 0
    ? ''
    : html`<h2>Ratings</h2>
<table class="plain"><thead><tr><th scope="col">Gene, STR or region</th><th scope="col">Now</th><th scope="col">How it came to be, oldest first</th></tr></thead><tbody>${tracks.slice(0, MOST_ROWS).map((track) => trackRow(track, id, day))}</tbody></table>`
}
</div>`;
}

/** What a panel held last is no list to test by once it is gone. */
function goneView(gone: Milestone | null, day: (at: Instant) => string): Html {
  if (gone === null) return html``;
  return html`<p class="warning">This panel ${gone.kind === 'deleted' ? 'was deleted on' : 'has not been public since'} ${day(gone.at)}. What follows is from before.</p>`;
}

function trackRow({ entity, before, steps }: Track, panel: number, day: (at: Instant) => string): Html {
  const address = entityAddress(entity.name, panel);
  return html`<tr><th scope="row"><a href="${address}">${entityName(entity)}</a></th><td>${ratingView(steps.at(-1)?.status ?? 'unknown')}</td><td class="steps">${ratingView(before)}${steps.map(
    ({ status, at, version, actor }) =>
      html` <span class="arrow" aria-hidden="true">→</span><span class="unseen"> then </span> ${ratingView(status)} <span class="fine">${[day(at), version && `version ${cleanLine(version)}`, cleanLine(actor ?? '')].filter(Boolean).join(', ')}</span>`,
  )}</td></tr>`;
}
