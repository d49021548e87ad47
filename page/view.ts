import { inheritanceGroups } from '../lambdas/events/inheritance.ts';
import { eventKindNames, type Topic } from '../lambdas/events/kinds.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { greenTurnNames, greenTurns } from '../lambdas/filters/green-turn.ts';
import { filterOf, filterOptions } from '../lambdas/questions/filter-options.ts';
import { isDay, OptionError, panelOptions } from '../lambdas/questions/options.ts';
import { type Option, type Texts, utcTimes } from '../lambdas/questions/question.ts';
import type { Instant } from '../lambdas/run/instant.ts';
import { placeIn } from '../lambdas/store/history/history.ts';
import type { PageQuery } from '../lambdas/store/history/sqlite-pages.ts';
import { directionLabels, kindLabels } from '../lambdas/words/change-sorts.ts';
import { type Counted, type Counts, type Highlight, highlightNames, highlights } from './changes/counts.ts';
import { type Html, html, type LocalTimes } from './html.ts';
import { isNamedFilter, nameField, type PageNames } from './names.ts';
import { AddressError, readAddressOptions } from './read-address.ts';

/** The filter options that an address may have, in the order in which it has them. */
const filterNames = [
  'panel',
  'r-code',
  'gene',
  'from-rating',
  'to',
  'direction',
  'green',
  'inheritance-from',
  'inheritance-to',
  'topic',
  'type',
  'entity-type',
  'panel-type',
  'tag',
  'actor',
  'late',
] as const;
type FilterName = (typeof filterNames)[number];

/** What an address states about the stream. Readers with the same address and history see the same. */
export interface View {
  /** The values of all options, as they were given. */
  readonly texts: Texts;
  /** Those of the filter's options. */
  readonly values: Readonly<Partial<Record<FilterName, readonly string[]>>>;
  readonly filter: Filter;
  /** Searched words; empty for none. */
  readonly words: string;
  /** `30d`, `all`, a day; as given, or the default. */
  readonly since: string;
  /** A day; empty for no end. */
  readonly until: string;
  readonly catalogue: string;
  /** The place after which the page begins; empty for the newest events. */
  readonly before: string;
  /** The id of the event that is open; empty for none. */
  readonly open: string;
  /** Which rendering of the open event is shown. */
  readonly show: string;
}

/** The periods that the form offers. */
export const periods = [
  ['1d', 'Since yesterday'],
  ['monday', 'Since last Monday'],
  ['friday', 'Since last Friday'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
  ['365d', 'Last 365 days'],
  ['all', 'All time'],
] as const;
const DEFAULT_SINCE = '30d';

const oneText: Option<string> = { help: '', read: ([text = '']) => text };
const isDayOrNone = (text: string): boolean => !text.includes('-') || isDay(text);

const viewOptions = {
  ...panelOptions,
  ...filterOptions,
  late: {
    help: 'only changes that the log showed late, or only others',
    read([text]) {
      if (text === undefined || text === 'true' || text === 'false') return text;
      throw new OptionError(text, 'true or false');
    },
  } satisfies Option<'true' | 'false' | undefined>,
  q: oneText,
  since: {
    help: 'changes of this period',
    read([text = DEFAULT_SINCE]) {
      if (/^(?:all|monday|friday|\d{1,5}d|\d{4}-\d{2}-\d{2})$/.test(text) && isDayOrNone(text)) return text;
      throw new OptionError(
        text,
        'a day such as 2026-01-31, 30d for the last 30 days, or friday for the last one',
      );
    },
  } satisfies Option<string>,
  until: {
    help: 'changes before this day',
    read([text = '']) {
      if (text === '' || isDay(text)) return text;
      throw new OptionError(text, 'a day such as 2026-01-31');
    },
  } satisfies Option<string>,
  catalogue: oneText,
  before: {
    help: 'where a page begins',
    read([text = '']) {
      if (text === '' || placeIn(text) !== null) return text;
      throw new OptionError(text, 'a place in the history');
    },
  } satisfies Option<string>,
  open: oneText,
  show: oneText,
};

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readView(parameters: URLSearchParams): View {
  const { texts, asked } = readAddressOptions(viewOptions, parameters, { now: 0n, times: utcTimes });
  const { late, since, until, q: words, catalogue, before, open, show } = asked;
  if (until !== '' && since.includes('-') && until <= since)
    throw new AddressError(`The period ends on ${until}, which is not after its begin on ${since}.`);
  const values = Object.fromEntries(
    filterNames.flatMap((name) => (texts[name] ? [[name, texts[name]]] : [])),
  );
  const filter = filterOf(asked);
  return {
    ...{ texts, values, words, since, until, catalogue, before, open, show },
    filter: late === undefined ? filter : { ...filter, late: late === 'true' },
  };
}

/** The query of a view, without its place in the stream. */
export function queryOf(
  { filter, words, since, until, catalogue }: View,
  times: LocalTimes,
  now: number,
): PageQuery {
  const start = sinceOf(since, times, now);
  return {
    filter,
    ...(words !== '' && { text: words }),
    ...(catalogue !== '' && { catalogue }),
    ...(start !== null && { since: start }),
    ...(until !== '' && { until: times.startOf(until) }),
  };
}

const weekdays: Readonly<Record<string, number>> = { monday: 1, friday: 5 };

/** When a period begins: at the beginning of a day, so that a view is the same all day. Null for all time. */
export function sinceOf(since: string, times: LocalTimes, now: number): Instant | null {
  if (since === 'all') return null;
  const today = times.iso(now);
  const weekday = weekdays[since];
  if (weekday !== undefined) {
    // On a Friday, the last Friday is that of a week ago.
    const daysSince = (new Date(`${today}T00:00:00Z`).getUTCDay() - weekday + 6) % 7;
    return times.startOf(today, -daysSince - 1);
  }
  const [, days] = /^(\d+)d$/.exec(since) ?? [];
  return days === undefined ? times.startOf(since) : times.startOf(today, -Number(days));
}

/** The options of an address in their order, so that the same view always has the same address. */
const inOrder = [...filterNames, 'q', 'since', 'until', 'catalogue', 'before', 'open', 'show'] as const;

/** The parameters of a view with other values of some options; an empty list removes an option. */
export function parametersOf({ texts }: Pick<View, 'texts'>, change: Texts = {}): URLSearchParams {
  const values = { ...texts, ...change };
  const parameters = new URLSearchParams();
  for (const name of inOrder)
    for (const value of values[name] ?? [])
      if (name !== 'since' || value !== DEFAULT_SINCE) parameters.append(name, value);
  return parameters;
}

const fromNewest: Texts = { before: [], open: [], show: [] };

/** The parameters of a list with changes, from its newest change on, with none open. */
export const listParameters = (view: View, change: Texts = {}): URLSearchParams =>
  parametersOf(view, { ...fromNewest, ...change });

/** The address of such a list. */
export const listAddress = (view: View, change: Texts = {}, path = '/'): string =>
  addressWith(path, listParameters(view, change));

/** The address of the same list with one of its events open, in one of its forms; with none for an empty id. */
export const openAddress = (view: View, id: string, show = ''): string =>
  addressWith('/', parametersOf(view, { open: id === '' ? [] : [id], show: show === '' ? [] : [show] }));

const addressWith = (path: string, parameters: URLSearchParams): string =>
  parameters.size === 0 ? path : `${path}?${parameters}`;

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

/** A number with its thousands apart. */
export const whole = (count: number): string => count.toLocaleString('en-GB');

/** The counts above the stream, each a way to its changes. */
export function highlightsView(view: View, counts: Counts): Html {
  const cleared = Object.fromEntries(highlightNames.map((name) => [name, []]));
  const chosen = chosenHighlight(view);
  const countOf = (index: number) => counts.highlights[index] ?? { count: 0, apart: 0 };
  const isEmpty = counts.highlights.every(({ count, apart }) => count + apart === 0);
  if (!chosen && isEmpty) return html``;
  return html`<ul class="highlights" aria-label="Counts">${highlights.map((highlight, index) => {
    const { name, values, apart: other } = highlight;
    const isChosen = highlight === chosen;
    const { count, apart } = countOf(index);
    const address = listAddress(view, isChosen ? cleared : { ...cleared, ...values });
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

/** The filters that are set, each with a way to remove it. */
export function chipsView(view: View, names: PageNames): Html {
  const named: readonly string[] = chosenHighlight(view) ? highlightNames : [];
  const chips = filterNames.flatMap((name) =>
    (named.includes(name) ? [] : (view.values[name] ?? [])).map((value) => {
      const rest = (view.values[name] ?? []).filter((each) => each !== value);
      const address = listAddress(view, { [name]: rest });
      const word = isNamedFilter(name) ? names.labelOf(name, value) : wordOf(name, value);
      return html`<li><a href="${address}">${filterForms[name].label}: <b>${word}</b><span class="unseen">; remove this filter</span> <span aria-hidden="true">×</span></a></li>`;
    }),
  );
  if (view.words !== '') {
    chips.unshift(
      html`<li><a href="${listAddress(view, { q: [] })}">Search: <b>${view.words}</b><span class="unseen">; remove this search</span> <span aria-hidden="true">×</span></a></li>`,
    );
  }
  if (chips.length === 0) return html``;
  const cleared = Object.fromEntries([...filterNames, 'q'].map((name) => [name, []]));
  const none =
    chips.length > 1 ? html`<li><a class="all" href="${listAddress(view, cleared)}">Remove all</a></li>` : '';
  return html`<ul class="chips" aria-label="Filters that are set">${chips}${none}</ul>`;
}

/** The form of all filters, with counts. It sends an address; nothing of it needs a script. */
export function filterForm(view: View, counts: Counts): Html {
  const set = Object.values(view.values).flat().length;
  const custom = !periods.some(([value]) => value === view.since);
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
${Object.keys(filterForms).map((name) => html`${filterField(name as FilterName, view, counts)}\n`)}<p class="buttons"><button>Show</button> <a href="/">Clear</a></p>
</form>
</details>`;
}

function filterField(name: FilterName, view: View, counts: Counts): Html {
  const { label, facet } = filterForms[name];
  const counted = facet === undefined ? [] : counts.of(facet);
  const given = view.values[name] ?? [];
  if (isNamedFilter(name)) return nameField({ name, label, given, suggestions: counted });
  return name === 'type' ? typeField(given, counted) : checkboxes(name, given, counted);
}

function checkboxes(name: FilterName, given: readonly string[], counted: readonly Counted[]): Html {
  const { label, words = {} } = filterForms[name];
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const known = Object.keys(words);
  const all = [...new Set([...known, ...counts.keys(), ...given])];
  // Nearly all changes are not late: that is no choice, though an address may state it.
  const offered = all.filter((value) => name !== 'late' || value === 'true' || given.includes(value));
  const shown = offered.filter((value) => (counts.get(value) ?? 0) > 0 || given.includes(value));
  if (shown.length === 0) return html``;
  return html`<fieldset><legend>${label}</legend>${shown.map(
    (value) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${given.includes(value) ? html` checked` : ''}> <span class="${name === 'to' || name === 'from-rating' ? `rating ${value}` : ''}">${wordOf(name, value)}</span> <span class="count">${whole(counts.get(value) ?? 0)}</span></label>`,
  )}</fieldset>`;
}

function typeField([first = '', ...others]: readonly string[], counted: readonly Counted[]): Html {
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const shown = eventKindNames.filter((kind) => (counts.get(kind) ?? 0) > 0 || kind === first);
  const isOther = first !== '' && !eventKindNames.some((kind) => kind === first);
  return html`<div class="field"><label for="f-type">${filterForms.type.label}</label>
<select id="f-type" name="type"><option value="">any</option>${isOther ? html`<option value="${first}" selected>${wordOf('type', first)}</option>` : ''}${shown.map(
    (kind) =>
      html`<option value="${kind}"${kind === first ? html` selected` : ''}>${wordOf('type', kind)} (${whole(counts.get(kind) ?? 0)})</option>`,
  )}</select>${others.map((value) => html`<input type="hidden" name="type" value="${value}">`)}</div>`;
}

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

interface FilterForm {
  readonly label: string;
  /** Whose values are offered, with how many events have each. */
  readonly facet?: Parameters<Counts['of']>[0];
  /** The words of values that are no words themselves. */
  readonly words?: Readonly<Record<string, string>>;
}

/** How the form asks for each filter, in its order. */
const filterForms: Readonly<Record<FilterName, FilterForm>> = {
  panel: { label: 'Panel', facet: 'panels' },
  'r-code': { label: 'R code', facet: 'rCodes' },
  gene: { label: 'Gene, STR or region' },
  to: { label: 'Rating now', facet: 'to', words: ratings },
  'from-rating': { label: 'Rating before', facet: 'from', words: ratings },
  direction: { label: 'How the rating changed', facet: 'direction', words: directionLabels },
  green: { label: 'Green list', facet: 'green', words: green },
  'inheritance-from': {
    ...{ label: 'Mode of inheritance before', facet: 'inheritanceFrom', words: inheritanceGroups },
  },
  'inheritance-to': { label: 'Mode of inheritance now', facet: 'inheritanceTo', words: inheritanceGroups },
  topic: { label: 'About', facet: 'topics', words: topics },
  type: { label: 'What happened', facet: 'types', words: kindLabels },
  tag: { label: 'Tag', facet: 'tags' },
  actor: { label: 'Curator or reviewer', facet: 'actors' },
  'panel-type': {
    label: 'Panel type',
    facet: 'panelTypes',
    words: { 'gms-signed-off': 'with a signed-off version (GMS)' },
  },
  'entity-type': {
    label: 'Genes, STRs and regions',
    facet: 'entityTypes',
    words: { gene: 'genes', str: 'STRs', region: 'regions' },
  },
  late: { label: 'Late', facet: 'late', words: { true: 'late only', false: 'not late' } },
};

/** The word of a value; the value where it has none. Types of events may have their long form. */
function wordOf(filter: FilterName, value: string): string {
  const short = value.replace(/^gene-panel\.(.*)\.v\d+$/, '$1');
  return filterForms[filter].words?.[short] ?? value;
}
