import { directions, eventKindNames, eventKinds } from '../../lambdas/events/changes.ts';
import { topics } from '../../lambdas/events/topics.ts';
import { type Html, html } from '../frame/html.ts';
import {
  addressOf,
  type FilterName,
  filterNames,
  mayHoldCommas,
  periods,
  type View,
  withValues,
} from '../view.ts';
import type { Counted, Counts } from './counts.ts';
import { type Highlight, highlightNames, highlights } from './highlights.ts';

const whole = (count: number): string => count.toLocaleString('en-GB');

/** The filters that many readers want, each with the number of its events. */
export function highlightsView(view: View, counts: Counts): Html {
  const cleared = Object.fromEntries(highlightNames.map((name) => [name, []]));
  const chosen = chosenHighlight(view);
  if (!chosen && counts.highlights.every((count) => count === 0)) return html``;
  return html`<ul class="highlights">${highlights.map((highlight, index) => {
    const { name, values } = highlight;
    const isChosen = highlight === chosen;
    const count = counts.highlights[index] ?? 0;
    const next = isChosen ? cleared : { ...cleared, ...values };
    const address = addressOf(view, { values: withValues(view, next), before: '', open: '', show: '' });
    const tone = name === 'Turned green' ? 'green' : name === 'No longer green' ? 'amber' : 'plain';
    if (count === 0 && !isChosen) return html`<li class="none"><span>${name} <b>0</b></span></li>`;
    return html`<li class="${tone}"><a href="${address}"${isChosen ? html` aria-current="true"` : ''}>${name} <b>${whole(count)}</b>${isChosen ? html`<span class="unseen">; show all again</span> <span aria-hidden="true">×</span>` : ''}</a></li>`;
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

const ratingLabels = {
  green: 'green',
  amber: 'amber',
  red: 'red',
  none: 'unrated',
  unknown: 'unknown',
} as const;
const choices = (values: readonly string[]) => values.map((value): Choice => ({ value, label: value }));

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ratingChoices = Object.entries(ratingLabels).map(([value, label]): Choice => ({ value, label }));
const signedOffTypes: readonly Choice[] = [{ value: 'gms-signed-off', label: 'signed-off panels (GMS)' }];

/** Labels of all filters, for the chips of those that are set. */
const labels: Readonly<Record<FilterName, string>> = {
  panel: 'Panel',
  'r-code': 'R code',
  gene: 'Gene, STR or region',
  'from-rating': 'Rating before',
  to: 'Rating now',
  direction: 'Direction',
  topic: 'Family',
  type: 'Type',
  'entity-type': 'Entity',
  'panel-type': 'Panel type',
  tag: 'Tag',
  actor: 'Curator or reviewer',
  late: 'Late',
};

const wordOf = (name: FilterName, value: string): string =>
  name === 'to' || name === 'from-rating'
    ? (ratingLabels[value as keyof typeof ratingLabels] ?? value)
    : name === 'late'
      ? value === 'true'
        ? 'late only'
        : 'not late'
      : value;

/** The filters that are set, each with a link that removes it; those of a chosen highlight are named by that. */
export function chipsView(view: View, counts: Counts): Html {
  const panelNames = new Map(counts.of('panels').map(({ value, label }) => [value, label]));
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
      const word = name === 'panel' ? (panelNames.get(value) ?? value) : wordOf(name, value);
      return html`<li><a href="${address}">${labels[name]}: <b>${word}</b><span class="unseen">; remove this filter</span> <span aria-hidden="true">×</span></a></li>`;
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
${textField('gene', view)}
${textField('r-code', view, counts.of('rCodes'))}
${textField('panel', view, counts.of('panels'))}
${checkboxes('to', view, ratingChoices, counts.of('to'))}
${checkboxes('from-rating', view, ratingChoices, counts.of('from'))}
${checkboxes('direction', view, choices(directions), counts.of('direction'))}
${checkboxes('topic', view, choices(topics), counts.of('topics'))}
${typeField(view, counts.of('types'))}
${textField('tag', view, counts.of('tags'))}
${textField('actor', view, counts.of('actors'))}
${checkboxes('panel-type', view, panelTypeChoices(view, counts.of('panelTypes')), counts.of('panelTypes'))}
${checkboxes('entity-type', view, choices(['gene', 'str', 'region']), counts.of('entityTypes'))}
${checkboxes('late', view, [{ value: 'true', label: 'only what appeared late' }], counts.of('late'))}
<p class="buttons"><button>Show</button> <a href="/">Clear</a></p>
</form>
</details>`;
}

const MOST_SUGGESTIONS = 300;
/** No name in a catalogue is longer. */
const LONGEST_SUGGESTION = 200;

/** A field for names, separated by commas where no name can hold one; its suggestions show counts. */
function textField(name: FilterName, view: View, suggestions: readonly Counted[] = []): Html {
  const given = view.values[name] ?? [];
  const [first = '', ...others] = mayHoldCommas.has(name) ? given : [given.join(', ')];
  const id = `f-${name}`;
  const list =
    suggestions.length === 0
      ? ''
      : html`<datalist id="${id}-list">${suggestions
          .filter(({ value }) => value.length <= LONGEST_SUGGESTION)
          .slice(0, MOST_SUGGESTIONS)
          .map(({ value, label, count }) =>
            value === label
              ? html`<option value="${value}">${whole(count)}</option>`
              : html`<option value="${value}">${label} (${whole(count)})</option>`,
          )}</datalist>`;
  return html`<div class="field"><label for="${id}">${labels[name]}</label>
<input id="${id}" name="${name}" value="${first}" autocomplete="off" spellcheck="false"${list === '' ? '' : html` list="${id}-list"`}>
${others.map((value) => html`<input type="hidden" name="${name}" value="${value}">`)}${list}</div>`;
}

function checkboxes(
  name: FilterName,
  view: View,
  offered: readonly Choice[],
  counted: readonly Counted[],
): Html {
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const given = (view.values[name] ?? []).flatMap((text) => text.split(',')).map((text) => text.trim());
  const shown = offered.filter(({ value }) => (counts.get(value) ?? 0) > 0 || given.includes(value));
  if (shown.length === 0) return html``;
  return html`<fieldset><legend>${labels[name]}</legend>${shown.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${given.includes(value) ? html` checked` : ''}> <span class="${name === 'to' || name === 'from-rating' ? `rating ${value}` : ''}">${label}</span> <span class="count">${whole(counts.get(value) ?? 0)}</span></label>`,
  )}</fieldset>`;
}

function panelTypeChoices(view: View, counted: readonly Counted[]): readonly Choice[] {
  const known = new Set(signedOffTypes.map(({ value }) => value));
  const others = [...counted.map(({ value }) => value), ...(view.values['panel-type'] ?? [])];
  return [...signedOffTypes, ...choices([...new Set(others)].filter((value) => !known.has(value)))];
}

function typeField(view: View, counted: readonly Counted[]): Html {
  const counts = new Map(counted.map(({ value, count }) => [value, count]));
  const [first = '', ...others] = view.values.type ?? [];
  const shown = eventKindNames.filter((kind) => (counts.get(kind) ?? 0) > 0 || kind === first);
  const isOther = first !== '' && !eventKindNames.some((kind) => kind === first);
  return html`<div class="field"><label for="f-type">${labels.type}</label>
<select id="f-type" name="type"><option value="">any</option>${isOther ? html`<option value="${first}" selected>${first}</option>` : ''}${shown.map(
    (kind) =>
      html`<option value="${kind}"${kind === first ? html` selected` : ''} title="${eventKinds[kind].meaning}">${kind} (${whole(counts.get(kind) ?? 0)})</option>`,
  )}</select>${others.map((value) => html`<input type="hidden" name="type" value="${value}">`)}</div>`;
}
