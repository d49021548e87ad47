import { inheritanceGroups } from '../../lambdas/events/inheritance.ts';
import { eventKindNames, type Topic } from '../../lambdas/events/kinds.ts';
import { greenTurnNames, greenTurns } from '../../lambdas/filters/green-turn.ts';
import { placeText } from '../../lambdas/store/history/history.ts';
import {
  howMuchWasRead,
  nothingFoundWords,
  type ReadPart,
  readWords,
} from '../../lambdas/store/history/read-part.ts';
import type { EventPage } from '../../lambdas/store/history/sqlite-pages.ts';
import { directionLabels, kindLabels } from '../../lambdas/words/change-sorts.ts';
import { type Html, html, type LocalTimes } from '../html.ts';
import { unreadView } from '../layout.ts';
import {
  isAllUnknown,
  isNamedFilter,
  nameField,
  type PageNames,
  type UnknownName,
  unknownNamesView,
} from '../names.ts';
import type { PageContent } from '../route-context.ts';
import {
  addressOf,
  type FilterName,
  filterNames,
  parametersOf,
  periods,
  type View,
  withValues,
} from '../view.ts';
import { type Counted, type Counts, type Highlight, highlightNames, highlights } from './counts.ts';
import { streamView } from './stream.ts';

const whole = (count: number): string => count.toLocaleString('en-GB');

function highlightsView(view: View, counts: Counts): Html {
  const cleared = Object.fromEntries(highlightNames.map((name) => [name, []]));
  const chosen = chosenHighlight(view);
  const countOf = (index: number) => counts.highlights[index] ?? { count: 0, apart: 0 };
  const isEmpty = counts.highlights.every(({ count, apart }) => count + apart === 0);
  if (!chosen && isEmpty) return html``;
  return html`<ul class="highlights" aria-label="Counts">${highlights.map((highlight, index) => {
    const { name, values, apart: other } = highlight;
    const isChosen = highlight === chosen;
    const { count, apart } = countOf(index);
    const next = isChosen ? cleared : { ...cleared, ...values };
    const address = addressOf(view, { values: withValues(view, next), before: '', open: '', show: '' });
    const tone = name === 'Turned green' ? 'green' : name === 'No longer green' ? 'amber' : 'plain';
    const words = html`${name} <b>${whole(count)}</b>${other && apart > 0 ? html`, ${other.name} <b>${whole(apart)}</b>` : ''}`;
    if (count + apart === 0 && !isChosen) return html`<li class="none"><span>${words}</span></li>`;
    return html`<li class="${tone}"><a href="${address}"${isChosen ? html` aria-current="true"` : ''}>${words}${isChosen ? html`<span class="unseen">; show all again</span> <span aria-hidden="true">×</span>` : ''}</a></li>`;
  })}</ul>`;
}

function chosenHighlight(view: View): Highlight | undefined {
  return highlights.find(({ values }) =>
    highlightNames.every(
      (name) => [...(values[name] ?? [])].sort().join() === [...(view.values[name] ?? [])].sort().join(),
    ),
  );
}

function chipsView(view: View, names: PageNames): Html {
  const named: readonly string[] = chosenHighlight(view) ? highlightNames : [];
  const chips = filterNames.flatMap((name) =>
    (named.includes(name) ? [] : (view.values[name] ?? [])).map((value) => {
      const rest = (view.values[name] ?? []).filter((each) => each !== value);
      const address = addressOf(view, {
        values: withValues(view, { [name]: rest }),
        before: '',
        open: '',
        show: '',
      });
      const word = isNamedFilter(name) ? names.labelOf(name, value) : wordOf(name, value);
      return html`<li><a href="${address}">${filterLabels[name]}: <b>${word}</b><span class="unseen">; remove this filter</span> <span aria-hidden="true">×</span></a></li>`;
    }),
  );
  if (view.words !== '') {
    chips.unshift(
      html`<li><a href="${addressOf(view, { words: '', before: '', open: '', show: '' })}">Search: <b>${view.words}</b><span class="unseen">; remove this search</span> <span aria-hidden="true">×</span></a></li>`,
    );
  }
  if (chips.length === 0) return html``;
  const cleared = Object.fromEntries(filterNames.map((name) => [name, []]));
  const none =
    chips.length > 1
      ? html`<li><a class="all" href="${addressOf(view, { values: cleared, words: '', before: '', open: '', show: '' })}">Remove all</a></li>`
      : '';
  return html`<ul class="chips" aria-label="Filters that are set">${chips}${none}</ul>`;
}

/** The form of all filters, with counts. It sends an address; nothing of it needs a script. */
function filterForm(view: View, counts: Counts): Html {
  const set = Object.values(view.values).flat().length;
  const custom = !periods.some(([value]) => value === view.since);
  const field = (name: FilterName, suggestions: readonly Counted[] = []): Html =>
    nameField({ name, label: filterLabels[name], given: view.values[name] ?? [], suggestions });
  const boxes = (name: FilterName, facet: Parameters<Counts['of']>[0]): Html =>
    checkboxes(name, view, counts.of(facet));
  return html`<details class="filters">
<summary>Filters${set > 0 ? html` <b>${set}</b>` : ''}</summary>
<form action="/" method="get" id="filters" aria-label="Filters">
${view.words === '' ? '' : html`<input type="hidden" name="q" value="${view.words}">`}
${view.catalogue === '' ? '' : html`<input type="hidden" name="catalogue" value="${view.catalogue}">`}
<div class="field"><label for="f-since">Period</label>
<select id="f-since" name="since">${custom ? html`<option value="${view.since}" selected>Since ${view.since}</option>` : ''}${periods.map(
    ([value, label]) =>
      html`<option value="${value}"${value === view.since ? html` selected` : ''}>${label}</option>`,
  )}</select></div>
${view.until === '' ? '' : html`<div class="field"><label for="f-until">Changed before</label><input id="f-until" name="until" type="date" value="${view.until}"></div>`}
${field('panel', counts.of('panels'))}
${field('r-code', counts.of('rCodes'))}
${field('gene')}
${boxes('to', 'to')}
${boxes('from-rating', 'from')}
${boxes('direction', 'direction')}
${boxes('green', 'green')}
${boxes('inheritance-from', 'inheritanceFrom')}
${boxes('inheritance-to', 'inheritanceTo')}
${boxes('topic', 'topics')}
${typeField(view, counts.of('types'))}
${field('tag', counts.of('tags'))}
${field('actor', counts.of('actors'))}
${boxes('panel-type', 'panelTypes')}
${boxes('entity-type', 'entityTypes')}
${boxes('late', 'late')}
<p class="buttons"><button>Show</button> <a href="/">Clear</a></p>
</form>
</details>`;
}

function checkboxes(name: FilterName, view: View, counted: readonly Counted[]): Html {
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const given = view.values[name] ?? [];
  const known = Object.keys(valueWords[name] ?? {});
  const all = [...new Set([...known, ...counts.keys(), ...given])];
  // Nearly all changes are not late: that is no choice, though an address may state it.
  const offered = all.filter((value) => name !== 'late' || value === 'true' || given.includes(value));
  const shown = offered.filter((value) => (counts.get(value) ?? 0) > 0 || given.includes(value));
  if (shown.length === 0) return html``;
  return html`<fieldset><legend>${filterLabels[name]}</legend>${shown.map(
    (value) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${given.includes(value) ? html` checked` : ''}> <span class="${name === 'to' || name === 'from-rating' ? `rating ${value}` : ''}">${wordOf(name, value)}</span> <span class="count">${whole(counts.get(value) ?? 0)}</span></label>`,
  )}</fieldset>`;
}

function typeField(view: View, counted: readonly Counted[]): Html {
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const [first = '', ...others] = view.values.type ?? [];
  const shown = eventKindNames.filter((kind) => (counts.get(kind) ?? 0) > 0 || kind === first);
  const isOther = first !== '' && !eventKindNames.some((kind) => kind === first);
  return html`<div class="field"><label for="f-type">${filterLabels.type}</label>
<select id="f-type" name="type"><option value="">any</option>${isOther ? html`<option value="${first}" selected>${wordOf('type', first)}</option>` : ''}${shown.map(
    (kind) =>
      html`<option value="${kind}"${kind === first ? html` selected` : ''}>${wordOf('type', kind)} (${whole(counts.get(kind) ?? 0)})</option>`,
  )}</select>${others.map((value) => html`<input type="hidden" name="type" value="${value}">`)}</div>`;
}

const filterLabels: Readonly<Record<FilterName, string>> = {
  panel: 'Panel',
  'r-code': 'R code',
  gene: 'Gene, STR or region',
  'from-rating': 'Rating before',
  to: 'Rating now',
  direction: 'How the rating changed',
  green: 'Green list',
  'inheritance-from': 'Mode of inheritance before',
  'inheritance-to': 'Mode of inheritance now',
  topic: 'About',
  type: 'What happened',
  'entity-type': 'Genes, STRs and regions',
  'panel-type': 'Panel type',
  tag: 'Tag',
  actor: 'Curator or reviewer',
  late: 'Late',
};

const ratings = {
  green: 'green',
  amber: 'amber',
  red: 'red',
  none: 'unrated',
  unknown: 'unknown',
} as const;

const green = Object.fromEntries(greenTurnNames.map((turn) => [turn, greenTurns[turn].words]));

const topics: Readonly<Record<Topic, string>> = {
  classifications: 'ratings',
  promotions: 'promotions and sign-offs',
  tags: 'tags',
  membership: 'added, removed, renamed',
  annotations: 'annotations',
  reviews: 'reviews and comments',
  panels: 'panels',
  disagreements: 'disagreements of catalogues',
  unclassified: 'not recognised',
};

const entityTypes = { gene: 'genes', str: 'STRs', region: 'regions' } as const;
const panelTypes = { 'gms-signed-off': 'with a signed-off version (GMS)' } as const;
const late = { true: 'late only', false: 'not late' } as const;

const valueWords: Readonly<Partial<Record<FilterName, Readonly<Record<string, string>>>>> = {
  'from-rating': ratings,
  to: ratings,
  direction: directionLabels,
  green,
  'inheritance-from': inheritanceGroups,
  'inheritance-to': inheritanceGroups,
  topic: topics,
  type: kindLabels,
  'entity-type': entityTypes,
  'panel-type': panelTypes,
  late,
};

/** The word of a value; the value where it has none. Types of events may have their long form. */
function wordOf(filter: FilterName, value: string): string {
  const short = value.replace(/^gene-panel\.(.*)\.v\d+$/, '$1');
  return valueWords[filter]?.[short] ?? value;
}

interface ChangesPage {
  readonly view: View;
  readonly page: EventPage;
  readonly counts: Counts;
  /** The open event; null where none is, or where the history does not have it. */
  readonly open: Html | null;
  /** The number of the event that was appended last when the page was made. */
  readonly lastAppended: number;
  /** The time of the newest event in the history; null for an empty one. */
  readonly newest: string | null;
  readonly severalCatalogues: boolean;
  readonly names: PageNames;
  readonly unknown: readonly UnknownName[];
  /** What the names of the filter find besides what a reader expects, in sentences. */
  readonly foundToo: readonly string[];
  readonly parts: readonly ReadPart[];
  readonly times: LocalTimes;
  readonly now: number;
}

/** The stream of changes with its filters, and one event beside it. */
export function changesView(content: ChangesPage): PageContent {
  const { view, open, lastAppended } = content;
  const { open: _open, show: _show, before: _before, ...shared } = view;
  const live = parametersOf({ ...shared, open: '', show: '', before: '' });
  live.set('after', String(lastAppended));
  const beside =
    view.open === ''
      ? html``
      : (open ??
        html`<article><p class="close"><a href="${addressOf(view, { open: '', show: '' })}">Close <span aria-hidden="true">×</span></a></p><h2 id="event-title" tabindex="-1">No such event</h2><p>The history has no event <code>${view.open.slice(0, 80)}</code>. It may be of another history, or the address was cut short.</p></article>`);
  return {
    title: titleOf(view, content.names),
    current: 'changes',
    words: view.words,
    hidden: [...parametersOf(view, { words: '', before: '', open: '', show: '' })],
    live: `/live?${live}`,
    bodyClass: view.open === '' ? 'changes' : 'changes with-event',
    skips: [
      ['#changes', 'Skip to the content'],
      ['#stream', 'Skip to the counts'],
    ],
    main: html`<h1 class="unseen">Changes of gene panels</h1>
<div class="columns">
<div class="side">${filterForm(view, content.counts)}</div>
<div class="stream" id="stream" tabindex="-1">
${paperHeading(content)}
${highlightsView(view, content.counts)}
${chipsView(view, content.names)}
${streamPart(content)}
</div>
<aside class="event" id="event" aria-label="Open event">${beside}</aside>
</div>`,
  };
}

function paperHeading({ view, names, page: { events, next }, times, now }: ChangesPage): Html {
  const isAll = next === null && view.before === '';
  const title = titleOf(view, names);
  return html`<div class="paper-only"><p class="paper-title">${title === 'Changes' ? 'Changes of gene panels' : `Changes of gene panels: ${title}`}</p>
<p>As known on ${times.moment(now)}.${isAll ? '' : ` Only ${events.length} of the changes are on this paper: the link “Print” of the page lists all.`}</p></div>`;
}

/** What a view is limited to, in words. */
export function titleOf({ values, words }: View, names: PageNames): string {
  const named = filterNames.flatMap((name) =>
    (values[name] ?? []).map((value) =>
      isNamedFilter(name) ? names.labelOf(name, value) : wordOf(name, value),
    ),
  );
  const parts = [words && `“${words}”`, ...named].filter(Boolean);
  return parts.length === 0 ? 'Changes' : parts.join(', ').slice(0, 120);
}

function streamPart(content: ChangesPage): Html {
  const { view, page, newest, severalCatalogues, unknown, foundToo, parts, times, now } = content;
  const { events, next, cutShort } = page;
  const first = addressOf(view, { before: '', open: '', show: '' });
  const csv = addressOf(view, { before: '', open: '', show: '' }, '/events.csv');
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    if (filter === 'catalogue') return addressOf(view, { catalogue: chosen, before: '', open: '', show: '' });
    const rest = (view.values[filter] ?? []).filter((each) => each !== value);
    return addressOf(view, {
      values: withValues(view, { [filter]: [...rest, chosen] }),
      before: '',
      open: '',
      show: '',
    });
  });
  // Where no name of a filter exists, the view says nothing of what was asked.
  if (isAllUnknown(view, unknown)) return html`<div id="changes" tabindex="-1">${notices}</div>`;
  const heading = html`${notices}<div class="about"><p id="found">${foundWords(content)}</p><p class="tools"><button type="button" class="copy" hidden>Copy address</button> <a href="${csv}" download>CSV</a> <a href="${addressOf(view, { before: '', open: '', show: '' }, '/print')}">Print</a> <span id="copied" role="status"></span></p></div>
${foundToo.map((sentence) => html`<p class="fine">${sentence}</p>`)}
${unreadView(parts, times)}
<p id="new-changes" role="status" data-first="${first}"></p>`;
  if (events.length === 0 && view.before === '') {
    return html`${heading}<div id="changes" tabindex="-1">${emptyView(view, { newest, cutShort, parts, times })}${cutShort && next ? olderView(view, page, times) : ''}</div>`;
  }
  return html`${heading}
${view.before === '' ? '' : html`<p class="pager"><a href="${first}">Newest changes</a></p>`}
<div id="changes" tabindex="-1">${streamView(events, { view, times, now, severalCatalogues })}</div>
${next === null ? endView(view) : olderView(view, page, times)}`;
}

function foundWords({ view, counts, parts, times }: ChangesPage): Html {
  const { total, limitedTo, oldest } = counts;
  const period = periods.find(([value]) => value === view.since)?.[1] ?? `Since ${view.since}`;
  const until = view.until === '' ? '' : `, before ${times.shortDay(view.until)}`;
  const most =
    limitedTo === null
      ? ''
      : ` among the newest ${whole(limitedTo)}${oldest === null ? '' : ` (back to ${times.day(oldest)})`}`;
  const read = parts.length === 0 || howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  const span = html`<span class="fine">${period}${until} · times of ${times.zone}</span>`;
  if (total === 0 && howMuchWasRead(parts) === 'nothing') return html`Nothing was read ${span}`;
  return html`<b>${whole(total)}</b> ${total === 1 ? 'change' : 'changes'}${most}${read} ${span}`;
}

function olderView(view: View, { next, cutShort }: EventPage, times: LocalTimes): Html {
  if (next === null) return html``;
  const address = addressOf(view, { before: placeText(next), open: '', show: '' });
  const day = times.day(next.at);
  return cutShort
    ? html`<p class="pager"><span>Searched back to ${day}.</span> <a rel="next" href="${address}">Search further back</a></p>`
    : html`<p class="pager"><a rel="next" href="${address}">Older changes</a></p>`;
}

function endView(view: View): Html {
  if (view.since === 'all') return html`<p class="pager">This is the beginning of the history.</p>`;
  return html`<p class="pager"><span>End of the period.</span> <a href="${addressOf(view, { since: 'all', open: '', show: '' })}">Show all time</a></p>`;
}

interface Empty extends Pick<ChangesPage, 'newest' | 'parts' | 'times'> {
  readonly cutShort: boolean;
}

function emptyView(view: View, { newest, cutShort, parts, times }: Empty): Html {
  if (newest === null) {
    return html`<div class="notice"><h2>Nothing is kept yet</h2><p>The first poll bookmarks the newest row of the log. Changes appear here as curators make them. To see earlier ones, start with <code>--from</code> and a day.</p></div>`;
  }
  if (cutShort)
    return html`<div class="notice"><h2>Nothing matches so far</h2><p>Many changes were made in this period, and none of those searched yet matches.</p></div>`;
  const filtered = view.words !== '' || Object.keys(view.values).length > 0 || view.catalogue !== '';
  const wider =
    view.since === 'all' && view.until === ''
      ? ''
      : html`<a class="button" href="${addressOf(view, { since: 'all', until: '', before: '', open: '', show: '' })}">Search all time</a> `;
  const cleared = filtered ? html`<a href="/">Remove all filters</a>` : '';
  const nothing = filtered ? 'No change matches these filters' : 'No change was made';
  return html`<div class="notice"><h2>${howMuchWasRead(parts) === 'nothing' ? 'Nothing was read' : 'Nothing matches'}</h2><p>${nothingFoundWords(nothing, parts)} The newest change in the history is of ${times.moment(newest)}.</p><p class="links">${wider}${cleared}</p></div>`;
}
