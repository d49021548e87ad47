import { inheritanceGroups } from '../../lambdas/events/inheritance.ts';
import { eventKindNames } from '../../lambdas/events/kinds.ts';
import type { Topic } from '../../lambdas/events/topics.ts';
import { greenTurnNames, greenTurns } from '../../lambdas/filters/green-turn.ts';
import { directionLabels, kindLabels } from '../../lambdas/words/event-labels.ts';
import { type Html, html } from '../frame/html.ts';
import { nameField } from '../names/name-field.ts';
import { isNamedFilter, type PageNames } from '../names/page-names.ts';
import { addressOf, type FilterName, filterNames, periods, type View, withValues } from '../view.ts';
import type { Counted, Counts } from './counts.ts';
import { type Highlight, highlightNames, highlights } from './facts-cache.ts';

const whole = (count: number): string => count.toLocaleString('en-GB');

/** The filters that many readers want, each with the number of its events. */
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
    const next = isChosen ? cleared : { ...cleared, ...values };
    const address = addressOf(view, { values: withValues(view, next), before: '', open: '', show: '' });
    const tone = name === 'Turned green' ? 'green' : name === 'No longer green' ? 'amber' : 'plain';
    const words = html`${name} <b>${whole(count)}</b>${other && apart > 0 ? html`, ${other.name} <b>${whole(apart)}</b>` : ''}`;
    if (count + apart === 0 && !isChosen) return html`<li class="none"><span>${words}</span></li>`;
    return html`<li class="${tone}"><a href="${address}"${isChosen ? html` aria-current="true"` : ''}>${words}${isChosen ? html`<span class="unseen">; show all again</span> <span aria-hidden="true">×</span>` : ''}</a></li>`;
  })}</ul>`;
}

/** The highlight whose filter is set, if one is. */
function chosenHighlight(view: View): Highlight | undefined {
  return highlights.find(({ values }) =>
    highlightNames.every(
      (name) => [...(values[name] ?? [])].sort().join() === [...(view.values[name] ?? [])].sort().join(),
    ),
  );
}

/** The filters that are set, each with a link that removes it; those of a chosen highlight are named by that. */
export function chipsView(view: View, names: PageNames): Html {
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
export function filterForm(view: View, counts: Counts): Html {
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

/** A box for each value that events have or that is set. */
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

/** The filters as people read them. */
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

/** The values of the filters that have few, with their words; a filter of names has none. */
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
export function wordOf(filter: FilterName, value: string): string {
  const short = value.replace(/^gene-panel\.(.*)\.v\d+$/, '$1');
  return valueWords[filter]?.[short] ?? value;
}
