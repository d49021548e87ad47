import type { Hono } from 'hono';
import { ratings } from '../lambdas/events/changes.ts';
import { nameKey } from '../lambdas/filters/names.ts';
import { heldInVersion } from '../lambdas/panels/held-at.ts';
import type { SignOff, StateEntity, VersionState } from '../lambdas/panels/version-state.ts';
import {
  entityAddress,
  geneAddress,
  panelAddress,
  stateAddress,
  versionAddress,
} from '../lambdas/questions/addresses.ts';
import { csv, documentOf } from '../lambdas/questions/documents.ts';
import { choice } from '../lambdas/questions/options.ts';
import { type Asked, type Option, utcTimes } from '../lambdas/questions/question.ts';
import { byRating, question, stateList } from '../lambdas/questions/state.ts';
import { type Instant, instantOf } from '../lambdas/run/instant.ts';
import { counted } from '../lambdas/run/text.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import {
  entityName,
  pageAddress,
  panelName,
  proofSentence,
  proofWord,
} from '../lambdas/words/panel-words.ts';
import { ratingWord } from '../lambdas/words/phrase.ts';
import { type Html, html, type LocalTimes, ratingView } from './html.ts';
import { unreadView } from './layout.ts';
import { newestOf } from './names.ts';
import {
  goneSince,
  type Milestone,
  MOST_TRACKS,
  type PanelHistory,
  readPanelHistory,
  type Track,
  timelinePicture,
} from './panel-history.ts';
import { fieldOf } from './questions.ts';
import { csvResponse, fileWord, readAddressOptions } from './read-address.ts';
import type { RouteContext } from './route-context.ts';

/** A panel: what it holds, and its timeline. */
export function addPanelRoutes(app: Hono, context: RouteContext): void {
  const { history, times } = context;

  app.get('/panel/:catalogue/:id', async ({ req }) => {
    const { catalogue, id } = req.param();
    const panel = panelIn({ catalogue, id });
    const contents = panel && (await readContents(panel, req.url, context));
    const found = panel && (await readPanelHistory(history, catalogue, panel.id));
    const name = found?.panel.name ?? contents?.versions.at(-1)?.panelName;
    if (!contents || name === undefined) {
      return context.refuse(
        'No such panel',
        `The history has no change of a panel ${id.slice(0, 40)} of “${catalogue.slice(0, 80)}”, and no version of one was read.`,
        404,
      );
    }
    const signOffs = await context.states(catalogue).signOffs(panel.id);
    const held = html`${signOffsView(signOffs, panel, times)}${contentsView(contents, panel, times)}`;
    const main =
      found === null
        ? html`<div class="page panel-page"><h1>${cleanLine(name)}</h1><p class="lead">${catalogue}</p><p>The history has no change of this panel in the period that was read.</p>${held}</div>`
        : await panelPageView(panel, found, held, context);
    return context.answer({ title: cleanLine(name), current: 'none', main });
  });

  app.get('/panel/:catalogue/:id/contents.csv', async ({ req }) => {
    const { catalogue, id } = req.param();
    const panel = panelIn({ catalogue, id });
    const contents = panel && (await readContents(panel, req.url, context));
    if (!contents?.state) {
      return context.refuse(
        'No such version',
        `No panel ${id.slice(0, 40)} of “${catalogue.slice(0, 80)}” has a state of this version that is kept: what it held is unknown here.`,
        404,
      );
    }
    const { state, query } = contents;
    const entities = entitiesAsked(state.entities, query);
    const answer = { lead: [], lists: [stateList({ catalogue, state: { ...state, entities } })], limits: [] };
    return csvResponse(
      [documentOf(csv, { question, answer, times: utcTimes })],
      `panel-${id}-${fileWord(state.version)}`,
    );
  });
}

interface Panel {
  readonly catalogue: string;
  readonly id: number;
}

/** The panel of an address; null where it names none. */
const panelIn = ({ catalogue, id }: { readonly catalogue: string; readonly id: string }): Panel | null =>
  /^\d{1,9}$/.test(id) ? { catalogue, id: Number(id) } : null;

type Contents = Awaited<ReturnType<typeof readContents>>;

/** What a panel holds at the version that is asked for, and which versions can be. */
async function readContents({ catalogue, id }: Panel, address: string, context: RouteContext) {
  const moment = { now: 0n, times: utcTimes };
  const query = readAddressOptions(contentsOptions, new URL(address).searchParams, moment).asked;
  const states = context.states(catalogue);
  /** Those whose states are kept, oldest first. */
  const versions = await states.versions(id);
  const version = query.version || versions.at(-1)?.version;
  const place = { catalogue, states, history: context.history };
  const held = version === undefined ? null : await heldInVersion(id, version, place);
  return {
    ...{ query, versions },
    /** Null where no state of the version is kept. */
    state: held?.state ?? null,
    /** Up to when events changed what was read; null where none did. */
    asOf: held?.isChanged ? held.asOf : null,
  };
}

function signOffsView(signOffs: readonly SignOff[], { catalogue, id }: Panel, times: LocalTimes): Html {
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

async function panelPageView(
  { catalogue, id }: Panel,
  history: PanelHistory,
  held: Html,
  context: RouteContext,
): Promise<Html> {
  const { times, clock } = context;
  const newest = newestOf(context.pages, catalogue, id);
  const address = newest ? pageAddress(newest, null) : null;
  const parts = await context.readParts({ catalogue });
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
${held}
<h2>Versions and ratings over time</h2>
${timelinePicture(history, times, instantOf(clock.now()))}
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

const ratingWords = Object.fromEntries(ratings.map((rating) => [rating, ratingWord(rating)])) as Record<
  (typeof ratings)[number],
  string
>;

const contentsOptions = {
  /** Empty for the newest. */
  version: { help: 'a version', read: ([text = '']) => text } satisfies Option<string>,
  /** A part of a name; empty for all. */
  name: { help: 'a part of a name', read: ([text = '']) => text } satisfies Option<string>,
  rating: choice('a rating', 'Rating', { '': 'all', ...ratingWords }),
};

type ContentsQuery = Asked<typeof contentsOptions>;

/** The entities that are asked for, by a part of their names and by rating. */
function entitiesAsked(
  entities: readonly StateEntity[],
  { name, rating }: ContentsQuery,
): readonly StateEntity[] {
  const part = nameKey(name);
  return entities.filter(
    (entity) => nameKey(entity.name).includes(part) && (rating === '' || entity.rating === rating),
  );
}

/** What a panel holds, by rating, as of a version that can be chosen. */
function contentsView(contents: Contents, panel: Panel, times: LocalTimes): Html {
  const { query, state, versions } = contents;
  if (versions.length === 0) {
    return html`<h2 id="contents">What it holds</h2>
<p class="notice">What this panel holds is unknown: no version of it was read from the catalogue yet.</p>`;
  }
  const address = panelAddress(panel.catalogue, panel.id);
  const files = new URLSearchParams({
    ...{ panel: String(panel.id), version: state?.version ?? '', catalogue: panel.catalogue },
  });
  return html`<h2 id="contents">What it holds</h2>
<form action="${address}#contents" method="get" class="inline">
<div class="field"><label for="c-version">Version</label>
<select id="c-version" name="version">${versions
    .toReversed()
    .map(
      ({ version, validFrom, proof }, index) =>
        html`<option value="${index === 0 ? '' : version}"${version === state?.version ? html` selected` : ''}>${cleanLine(version)}${index === 0 ? ', the newest that was read' : ''}, since ${times.day(validFrom)} (${proofWord(proof)})</option>`,
    )}</select></div>
<div class="field"><label for="c-name">Name contains</label><input id="c-name" name="name" value="${query.name}" autocomplete="off" spellcheck="false"></div>
${fieldOf('rating', contentsOptions.rating, { values: [query.rating], asked: query.rating, times: utcTimes })}
<p class="buttons"><button>Show</button> ${state === null ? '' : html`<a href="${address}/contents.csv?${String(new URLSearchParams(query))}">CSV</a> <a href="/state/files?${String(files)}">More files</a>`}</p>
</form>
${
  state === null
    ? html`<p class="warning">No state of version ${query.version} is kept. What it held is unknown here; the versions that can be chosen are known.</p>`
    : stateView(state, contents, panel, times)
}`;
}

function stateView(
  state: VersionState,
  { query, asOf }: Contents,
  { catalogue, id }: Panel,
  times: LocalTimes,
): Html {
  const { version, validFrom, validTo, readAt, entities, proof } = state;
  const found = entitiesAsked(entities, query);
  const end = validTo === null ? `read ${times.moment(readAt)}` : `until ${times.day(validTo)}`;
  const changed = asOf === null ? '' : `, with what events state up to ${times.moment(asOf)}`;
  const isAll = found.length === entities.length;
  return html`<p>Version <b>${cleanLine(version)}</b>, since ${times.day(validFrom)}, ${end}${changed}: ${heldWords(entities.length)}${isAll ? '' : html`, of which <b>${found.length}</b> ${found.length === 1 ? 'matches' : 'match'}`}. <a href="${versionAddress(catalogue, id, version)}">What this version changed</a> · <a href="${stateAddress(catalogue, id)}">on a day, or as signed off</a></p>
<p class="fine">${proofSentence(proof)}</p>
${[...Map.groupBy(byRating(found), ({ rating }) => rating)].map(([rating, held]) => ratingSection(rating, held))}`;
}

const heldWords = (count: number): string =>
  count === 1 ? 'one gene, STR or region' : `${count.toLocaleString('en-GB')} genes, STRs and regions`;

function ratingSection(rating: StateEntity['rating'], entities: readonly StateEntity[]): Html {
  return html`<h3>${ratingView(rating)} <span class="facts">${entities.length.toLocaleString('en-GB')}</span></h3>
<table class="plain contents"><colgroup><col class="of-name"><col class="of-id"><col><col class="of-tags"></colgroup><thead class="unseen"><tr><th scope="col">Gene, STR or region</th><th scope="col">HGNC id</th><th scope="col">Mode of inheritance</th><th scope="col">Tags</th></tr></thead><tbody>
${entities.map(
  ({ type, name, hgncId, modeOfInheritance, tags, child }) =>
    html`<tr><th scope="row"><a href="${geneAddress(name)}">${cleanLine(name)}</a>${type === 'gene' ? '' : html` <span class="fine">${type === 'str' ? 'STR' : type}</span>`}${child === null ? '' : html` <span class="fine">from ${cleanLine(child.name ?? `panel ${child.id}`)}</span>`}</th><td class="number">${hgncId ?? ''}</td><td>${cleanLine(modeOfInheritance ?? '')}</td><td>${cleanLine((tags ?? []).join(', '))}</td></tr>
`,
)}</tbody></table>`;
}
