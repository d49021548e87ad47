import type { Hono } from 'hono';
import { ratings } from '../../lambdas/events/changes.ts';
import { nameKey } from '../../lambdas/filters/names.ts';
import type { StateEntity, VersionState, VersionSummary } from '../../lambdas/panels/version-state.ts';
import {
  geneAddress,
  panelAddress,
  stateAddress,
  versionAddress,
} from '../../lambdas/questions/addresses.ts';
import { choice } from '../../lambdas/questions/options.ts';
import { type Asked, type Option, utcTimes } from '../../lambdas/questions/question.ts';
import { question } from '../../lambdas/questions/state.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { proofSentence, proofWord } from '../../lambdas/words/panel-words.ts';
import { ratingWord } from '../../lambdas/words/phrase.ts';
import { type Html, html, type LocalTimes, phraseView, ratingView } from '../html.ts';
import { addressOf, askInTime, asOfView, type Found, fieldOf, refuseFile } from '../questions.ts';
import { fileResponse, readAddressOptions } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';

const ratingWords = Object.fromEntries(ratings.map((rating) => [rating, ratingWord(rating)])) as Record<
  (typeof ratings)[number],
  string
>;

/** What a panel holds at one version, and which versions can be asked for. */
export interface PanelContents {
  readonly query: ContentsQuery;
  /** The version that was asked for; null where no state of it is kept. */
  readonly state: VersionState | null;
  /** Up to when events changed what was read; null where none did. */
  readonly asOf: Instant | null;
  /** The versions whose states are kept, oldest first. */
  readonly versions: readonly VersionSummary[];
}

/** What a panel holds, by rating, as of a version that can be chosen. */
export function contentsView(
  { query, state, asOf, versions }: PanelContents,
  panel: { readonly catalogue: string; readonly id: number },
  times: LocalTimes,
): Html {
  if (versions.length === 0) {
    return html`<h2 id="contents">What it holds</h2>
<p class="notice">What this panel holds is unknown: no version of it was read from the catalogue yet.</p>`;
  }
  const address = panelAddress(panel.catalogue, panel.id);
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
<p class="buttons"><button>Show</button> ${state === null ? '' : html`<a href="${csvAddress(address, query)}">CSV</a> <a href="${filesAddress(state, panel)}">More files</a>`}</p>
</form>
${
  state === null
    ? html`<p class="warning">No state of version ${query.version} is kept. What it held is unknown here; the versions that can be chosen are known.</p>`
    : stateView(state, query, { ...panel, times, asOf })
}`;
}

function csvAddress(address: string, { version, name, rating }: ContentsQuery): string {
  return `${address}/contents.csv?${new URLSearchParams({ version, name, rating })}`;
}

const filesAddress = (
  { panelId, version }: VersionState,
  { catalogue }: { readonly catalogue: string },
): string => `/state/files?${new URLSearchParams({ panel: String(panelId), version, catalogue })}`;

interface StateContext {
  readonly catalogue: string;
  readonly id: number;
  readonly times: LocalTimes;
  readonly asOf: Instant | null;
}

function stateView(
  state: VersionState,
  query: ContentsQuery,
  { catalogue, id, times, asOf }: StateContext,
): Html {
  const { version, validFrom, validTo, readAt, entities, proof } = state;
  const found = entitiesAsked(entities, query);
  const end = validTo === null ? `read ${times.moment(readAt)}` : `until ${times.day(validTo)}`;
  const changed = asOf === null ? '' : `, with what events state up to ${times.moment(asOf)}`;
  const isAll = found.length === entities.length;
  return html`<p>Version <b>${cleanLine(version)}</b>, since ${times.day(validFrom)}, ${end}${changed}: ${heldWords(entities.length)}${isAll ? '' : html`, of which <b>${found.length}</b> ${found.length === 1 ? 'matches' : 'match'}`}. <a href="${versionAddress(catalogue, id, version)}">What this version changed</a> · <a href="${stateAddress(catalogue, id)}">on a day, or as signed off</a></p>
<p class="fine">${proofSentence(proof)}</p>
${[...ratings, null].map((rating) =>
  ratingSection(
    rating,
    found.filter((entity) => entity.rating === rating),
  ),
)}`;
}

const heldWords = (count: number): string =>
  count === 1 ? 'one gene, STR or region' : `${count.toLocaleString('en-GB')} genes, STRs and regions`;

function ratingSection(rating: StateEntity['rating'], entities: readonly StateEntity[]): Html {
  if (entities.length === 0) return html``;
  const sorted = entities.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return html`<h3>${ratingView(rating)} <span class="facts">${entities.length.toLocaleString('en-GB')}</span></h3>
<table class="plain contents"><colgroup><col class="of-name"><col class="of-id"><col><col class="of-tags"></colgroup><thead class="unseen"><tr><th scope="col">Gene, STR or region</th><th scope="col">HGNC id</th><th scope="col">Mode of inheritance</th><th scope="col">Tags</th></tr></thead><tbody>
${sorted.map(
  ({ type, name, hgncId, modeOfInheritance, tags, child }) =>
    html`<tr><th scope="row"><a href="${geneAddress(name)}">${cleanLine(name)}</a>${type === 'gene' ? '' : html` <span class="fine">${type === 'str' ? 'STR' : type}</span>`}${child === null ? '' : html` <span class="fine">from ${cleanLine(child.name ?? `panel ${child.id}`)}</span>`}</th><td class="number">${hgncId ?? ''}</td><td>${cleanLine(modeOfInheritance ?? '')}</td><td>${cleanLine((tags ?? []).join(', '))}</td></tr>
`,
)}</tbody></table>`;
}

const contentsOptions = {
  /** Empty for the newest. */
  version: { help: 'a version', read: ([text = '']) => text } satisfies Option<string>,
  /** A part of a name; empty for all. */
  name: { help: 'a part of a name', read: ([text = '']) => text } satisfies Option<string>,
  rating: choice('a rating', 'Rating', { '': 'all', ...ratingWords }),
};

type ContentsQuery = Asked<typeof contentsOptions>;

/**
 * Reads the parameters of a panel's address.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export const readContentsQuery = (parameters: URLSearchParams): ContentsQuery =>
  readAddressOptions(contentsOptions, parameters, { now: 0n, times: utcTimes }).asked;

/** The entities that are asked for, by a part of their names and by rating. */
export function entitiesAsked(
  entities: readonly StateEntity[],
  { name, rating }: ContentsQuery,
): readonly StateEntity[] {
  const part = nameKey(name);
  return entities.filter(
    (entity) => nameKey(entity.name).includes(part) && (rating === '' || entity.rating === rating),
  );
}

/** What panels held, as files that other programs load. */
export function addStateFileRoutes(app: Hono, context: RouteContext): void {
  const load = async () => ({ question });
  app.get('/state/files', ({ req }) =>
    askInTime(context, { load, address: req.url }, async (found) => {
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
    return askInTime(context, { load, address: req.url }, async (found, then) => {
      if (limitsOf(found).length > 0) return refuseFile(found, then);
      const day = then.times.iso(then.clock.now());
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
