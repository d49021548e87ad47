import { asOfOptions } from '../../lambdas/questions/as-of.ts';
import type { Limit } from '../../lambdas/questions/question.ts';
import type { WorklistPage } from '../../lambdas/questions/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import { worklistStateForms } from '../../lambdas/questions/worklist/worklist-states.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import type { Visitor } from '../access/access.ts';
import { asOfNotice } from '../as-of.ts';
import { type Html, html } from '../frame/html.ts';
import type { Moment } from '../frame/local-times.ts';
import { unreadView } from '../frame/unread-view.ts';
import { nameField } from '../names/name-field.ts';
import type { PageNames } from '../names/page-names.ts';
import { isAllUnknown, type UnknownName, unknownNamesView } from '../names/unknown-names.ts';
import { chosenText } from './decide-audited.ts';
import {
  decisionForm,
  type EntryFacts,
  entryFactsView,
  entryHeading,
  entryStateView,
  mayDecide,
} from './entry-view.ts';
import { type WorklistQuery, worklistAddress, worklistChoices } from './worklist-query.ts';

/** Entries that one view shows: as many as a person decides about without losing the thread. */
export const ENTRIES_OF_A_VIEW = 20;

interface ListPage extends EntryFacts {
  /** That the list is as of an earlier time; undefined where it is as of now. */
  readonly asOf: Limit | undefined;
  readonly query: WorklistQuery;
  readonly worklist: WorklistPage;
  readonly names: PageNames;
  readonly unknown: readonly UnknownName[];
  readonly people: readonly string[];
}

/** The worklist: what is to be done, with a form to decide about several entries at once. */
export function worklistPageView(page: ListPage, visitor: Visitor, moment: Moment): Html {
  const { query, names, unknown, worklist } = page;
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    if (filter !== 'panel' && filter !== 'r-code' && filter !== 'gene') return '/worklist';
    const rest = query.values[filter].filter((each) => each !== value);
    return worklistAddress({ ...query, page: 1, values: { ...query.values, [filter]: [...rest, chosen] } });
  });
  return html`<div class="page worklist">
<h1>Worklist</h1>
<p class="lead">Each change that matters, until somebody has decided about it.</p>
${visitor.person ? whoseView(query) : ''}
${page.asOf ? asOfNotice(page.asOf, { counted: query.countsLeftOut ? null : worklistAddress({ ...query, countsLeftOut: true }), present: worklistAddress({ ...query, asOf: '', countsLeftOut: false }) }) : ''}
${filterForm(query, names)}
${notices}
${unreadView(worklist.limits.read, moment.times)}
${unreadRowsView(worklist)}
${isAllUnknown(query, unknown) ? '' : listView(page, visitor, moment)}
</div>`;
}

/** The entries of everybody, of the person who reads, or of no person. */
function whoseView(query: WorklistQuery): Html {
  const choices = [
    ['', 'Everybody’s'],
    ['me', 'Mine'],
    ['none', 'Not assigned'],
  ] as const;
  return html`<nav class="tabs" aria-label="Whose entries"><ul>${choices.map(
    ([assigned, words]) =>
      html`<li><a href="${worklistAddress({ ...query, assigned, page: 1 })}"${assigned === query.assigned ? html` aria-current="true"` : ''}>${words}</a></li>`,
  )}</ul></nav>`;
}

/** Rows that could not be read may state a change that is no entry. */
const unreadRowsView = ({ unreadRows }: WorklistPage): Html =>
  unreadRows === 0
    ? html``
    : html`<p class="warning">${counted(unreadRows, 'row')} of the log could not be read, and may state a change that is missing here. <a href="/?topic=unclassified&amp;since=all">Look at ${unreadRows === 1 ? 'it' : 'them'}</a></p>`;

function filterForm(query: WorklistQuery, names: PageNames): Html {
  const { values, isOverdue, assigned } = query;
  const labels = { panel: 'Panel', gene: 'Gene', 'r-code': 'R code' } as const;
  const chips = (['panel', 'gene', 'r-code'] as const).flatMap((name) =>
    values[name].map((value) => {
      const rest = values[name].filter((each) => each !== value);
      const address = worklistAddress({ ...query, page: 1, values: { ...values, [name]: rest } });
      return html`<li><a href="${address}">${labels[name]}: <b>${names.labelOf(name, value)}</b><span class="unseen">; remove it</span> <span aria-hidden="true">×</span></a></li>`;
    }),
  );
  const selects = { state: 'State', change: 'Change', since: 'Changed', sort: 'Order' } as const;
  const selectOf = (name: keyof typeof selects): Html =>
    html`<div class="field"><label for="w-${name}">${selects[name]}</label><select id="w-${name}" name="${name}">${worklistChoices[
      name
    ].map(
      ([value, words]) =>
        html`<option value="${value}"${value === query[name] ? html` selected` : ''}>${words}</option>`,
    )}</select></div>`;
  return html`<details class="asked"><summary>Filter and order</summary><form action="/worklist" method="get" class="inline">
${(['state', 'change', 'since', 'sort'] as const).map(selectOf)}
${nameField({ name: 'panel', label: 'Panel', given: values.panel, prefix: 'w' })}
${nameField({ name: 'gene', label: 'Gene', given: values.gene, prefix: 'w' })}
${nameField({ name: 'r-code', label: 'R codes', given: values['r-code'], prefix: 'w' })}
<div class="field"><label for="w-as-of">${asOfOptions['as-of'].field.label}</label><input id="w-as-of" name="as-of" type="date" value="${query.asOf.slice(0, 10)}"></div>
<label class="choice"><input type="checkbox" name="overdue" value="true"${isOverdue ? html` checked` : ''}> <span>overdue only</span></label>
${assigned === '' ? '' : html`<input type="hidden" name="assigned" value="${assigned}">`}
<p class="buttons"><button>Show</button> <a href="${worklistAddress(query, '/worklist.csv')}">CSV</a> <a href="${worklistAddress(query, '/worklist/report')}">Report</a> <button type="button" class="copy" hidden>Copy address</button> <button type="button" class="print" hidden>Print</button> <span id="copied" role="status"></span></p>
</form></details>
${chips.length === 0 ? '' : html`<ul class="chips" aria-label="Filters that are set">${chips}</ul>`}`;
}

function listView(page: ListPage, visitor: Visitor, { times }: Moment): Html {
  const { query, worklist, people } = page;
  const { all, asked, overdue, entries: shown } = worklist;
  const others = all - asked;
  if (asked === 0) {
    const { values, asOf, countsLeftOut } = query;
    const everything = worklistAddress({ values, asOf, countsLeftOut });
    const all = worklistAddress({ values, asOf, countsLeftOut, state: 'all' });
    return html`<p class="notice">${worklist.limits.isAnswer ? 'No entry is in this list.' : 'No entry was found, but not all was read that could have one.'}${others > 0 ? html` ${others} do not match what you chose: <a href="${everything}">to do</a>, <a href="${all}">show all</a>` : ''}</p>`;
  }
  // Nobody decides about the past.
  const isForm = mayDecide(visitor) && page.asOf === undefined;
  const head = [asked === 1 ? '1 entry' : `${asked} entries`, overdue > 0 && `${overdue} overdue`].filter(
    Boolean,
  );
  const rest =
    others > 0
      ? html`; ${counted(others, 'other')} ${others === 1 ? 'does' : 'do'} not match what you chose: <a href="${worklistAddress({ values: query.values, asOf: query.asOf, state: 'all' })}">show all</a>`
      : '';
  const groups =
    query.sort === 'panel'
      ? [
          ...Map.groupBy(
            shown,
            ({ panel, catalogue }) => `${catalogue} ${panel.id ?? ''} ${panel.name}`,
          ).values(),
        ]
      : [shown];
  const choiceOf = (entries: readonly WorklistEntry[], words: string): Html | string =>
    isForm && entries.length > 1
      ? html`<label class="choice"><input type="checkbox" name="entry" value="${entries.map(chosenText).join(' ')}"> <span>all ${entries.length} ${words}</span></label>`
      : '';
  const list = groups.map((entries) => {
    const [first] = entries;
    const heading =
      query.sort === 'panel' && first
        ? html`<h2>${cleanLine(first.panel.name)}</h2>`
        : html`<h2 class="unseen">Entries</h2>`;
    return html`<section>${heading}${groups.length > 1 ? choiceOf(entries, 'of this panel') : ''}<ul class="entries">${entries.map((entry) => entryCard(entry, page, { isForm, times, asOf: query.asOf }))}</ul></section>`;
  });
  const address = worklistAddress(query);
  return html`<p>${head.join('; ')}${rest}.${pagesView(query, asked)}</p>
${isForm ? html`<form action="/worklist/decide" method="post" class="choosing"><div>${choiceOf(shown, 'that are shown')} <a class="to-form" href="#decide">Decide or assign</a>${list}</div>${decisionForm({ visitor, list: address, about: 'what is chosen', people })}</form>` : list}
<p>${pagesView(query, asked)}</p>`;
}

/** Where the other pages of a long list are. */
function pagesView(query: WorklistQuery, asked: number): Html {
  const last = Math.ceil(asked / ENTRIES_OF_A_VIEW);
  if (last < 2) return html``;
  const { page } = query;
  const to = (wanted: number, words: string): Html | string =>
    wanted < 1 || wanted > last
      ? ''
      : html` <a href="${worklistAddress({ ...query, page: wanted })}">${words}</a>`;
  return html` Page ${Math.min(page, last)} of ${last}.${to(page - 1, 'Earlier')}${to(page + 1, 'Further entries')}`;
}

function entryCard(
  entry: WorklistEntry,
  facts: EntryFacts,
  {
    isForm,
    times,
    asOf,
  }: { readonly isForm: boolean; readonly times: Moment['times']; readonly asOf: string },
): Html {
  const { id, decisions } = entry;
  const last = decisions.at(-1);
  return html`<li class="entry" id="e-${id}">${isForm ? html`<input type="checkbox" name="entry" id="c-${id}" value="${chosenText(entry)}" aria-labelledby="h-${id}">` : ''}<div>
<h3 id="h-${id}">${entryHeading(entry, worklistAddress({ asOf }, `/worklist/${id}`))}</h3>
<p class="state">${entryStateView(entry, times)}</p>
${entryFactsView(entry, facts, { times, isCard: true })}
${last ? html`<p class="last"><b>${worklistStateForms[last.state].words}</b>, ${cleanLine(last.by)}, ${times.shortDay(times.day(last.at))}: ${cleanLine(last.why, 200)}</p>` : ''}
</div></li>
`;
}
