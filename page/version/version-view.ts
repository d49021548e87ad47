import type { VersionState, VersionSummary } from '../../lambdas/panels/version-state.ts';
import { geneAddress, panelAddress, versionAddress } from '../../lambdas/questions/addresses.ts';
import type { PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { streamView } from '../changes/stream.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { ratingView } from '../frame/rating-view.ts';
import { proofSentence } from '../panel/proof-words.ts';
import type { View } from '../view.ts';
import { differencesOf } from './differences.ts';

interface VersionPage {
  readonly catalogue: string;
  readonly state: VersionState;
  /** The version before it whose state is kept; null where there is none. */
  readonly before: VersionState | null;
  readonly after: VersionSummary | null;
  /** The changes of the log that lead to this version, newest first. */
  readonly events: readonly PlacedEvent[];
  /** A view of all changes of the panel, for the links of the changes. */
  readonly view: View;
}

/** What a version of a panel changed, what was published of it, with its rows, and whether it is proven. */
export function versionPageView(page: VersionPage, moment: Moment): Html {
  const { catalogue, state, before, after, events, view } = page;
  const { times } = moment;
  const { panelId, panelName, version, validFrom, validTo, proof } = state;
  const link = (to: VersionSummary | null, words: string): Html =>
    to === null
      ? html``
      : html`<a href="${versionAddress(catalogue, panelId, to.version)}">${words} ${cleanLine(to.version)}</a> `;
  return html`<div class="page version-page">
<h1><a href="${panelAddress(catalogue, panelId)}">${cleanLine(panelName)}</a> ${cleanLine(version)}</h1>
<p class="lead">${[catalogue, `since ${dayOf(validFrom, times)}`, validTo !== null && `until ${dayOf(validTo, times)}`].filter(Boolean).join(' · ')}</p>
<p class="${proof.kind === 'unproven' ? 'warning' : ''}">${proofSentence(proof)}</p>
<p class="links">${link(before, 'Before it:')}${link(after, 'After it:')}<a href="${panelAddress(catalogue, panelId)}?version=${encodeURIComponent(version)}#contents">What it holds</a>${before === null ? '' : html` <a href="${versionAddress(catalogue, panelId, version).replace('/version?', '/version.csv?')}">CSV of what it changed</a>`}</p>
<h2>${before === null ? 'What it changed' : `What it changed since ${cleanLine(before.version)}`}</h2>
${before === null ? html`<p>What it changed is unknown: no version before it was read.</p>` : differencesView(before, state)}
<h2>What was published of it</h2>
${
  events.length === 0
    ? html`<p>The history has no change of this version. ${proof.kind === 'explained' || proof.kind === 'proven' ? '' : 'The log of that time may not have been read.'}</p>`
    : html`<p class="fine">Open a change to see its rows. One that was found without a row has none.</p>${streamView(events, { view, times, now: moment.now, severalCatalogues: false })}`
}
</div>`;
}

function differencesView(before: VersionState, now: VersionState): Html {
  const { added, removed, rated, renamed, changed } = differencesOf(before, now);
  const parts = [
    list(
      'Rating changed',
      rated,
      ({ entity, change }) =>
        html`${nameView(entity)} ${ratingView(change.from)} <span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> ${ratingView(change.to)}`,
    ),
    list('Added', added, ({ entity, change }) => html`${nameView(entity)} as ${ratingView(change.rating)}`),
    list(
      'Removed',
      removed,
      ({ entity, change }) => html`${nameView(entity)}, which was ${ratingView(change.rating)}`,
    ),
    list('Renamed', renamed, ({ entity, change }) => html`${cleanLine(change.from)} → ${nameView(entity)}`),
    list('Changed otherwise', changed, ([name, words]) => html`${nameView({ name })}: ${words.join(', ')}`),
  ];
  const isSame = added.length + removed.length + rated.length + renamed.length + changed.length === 0;
  return isSame
    ? html`<p>Both versions hold the same genes, STRs and regions, with the same ratings and annotations, as far as both state them.</p>`
    : html`${parts}`;
}

const MOST_SHOWN = 500;

function list<Item>(title: string, items: readonly Item[], view: (item: Item) => Html): Html {
  if (items.length === 0) return html``;
  return html`<h3>${title} <span class="facts">${items.length}</span></h3>
<ul class="differences">${items.slice(0, MOST_SHOWN).map((item) => html`<li>${view(item)}</li>`)}${items.length > MOST_SHOWN ? html`<li>and ${items.length - MOST_SHOWN} more</li>` : ''}</ul>`;
}

const nameView = (entity: { readonly name: string } | null): Html =>
  entity ? html`<a href="${geneAddress(entity.name)}">${cleanLine(entity.name)}</a>` : html``;

const dayOf = (at: bigint, times: LocalTimes): string => times.shortDay(times.day(Number(at / 1000n)));
