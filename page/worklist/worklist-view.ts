import type { AsOf, Limit } from '../../lambdas/questions/question.ts';
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
import { isNamedFilter, type PageNames } from '../names/page-names.ts';
import { isAllUnknown, type UnknownName, unknownNamesView } from '../names/unknown-names.ts';
import { formOf, readerTimes } from '../questions.ts';
import { chosenText } from './decide-audited.ts';
import {
  decisionForm,
  type EntryFacts,
  entryFactsView,
  entryHeading,
  entryStateView,
  mayDecide,
} from './entry-view.ts';
import { type WorklistQuery, worklistAddress, worklistList } from './worklist-query.ts';

/** Entries that one view shows: as many as a person decides about without losing the thread. */
export const ENTRIES_OF_A_VIEW = 20;

interface ListPage extends EntryFacts {
  /** That the list is as of an earlier time; undefined where it is as of now. */
  readonly asOf: Limit | undefined;
  /** That time. */
  readonly at: AsOf | undefined;
  readonly query: WorklistQuery;
  readonly worklist: WorklistPage;
  readonly names: PageNames;
  readonly unknown: readonly UnknownName[];
  readonly people: readonly string[];
}

/** The worklist: what is to be done, with a form to decide about several entries at once. */
export function worklistPageView(page: ListPage, visitor: Visitor, moment: Moment): Html {
  const { query, unknown, worklist } = page;
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    const rest = (query.texts[filter] ?? []).filter((each) => each !== value);
    return worklistAddress(query, { [filter]: [...rest, chosen] });
  });
  return html`<div class="page worklist">
<h1>Worklist</h1>
<p class="lead">Each change that matters, until somebody has decided about it.</p>
${visitor.person ? whoseView(query) : ''}
${page.asOf ? asOfNotice(page.asOf, { counted: query.texts['left-out'] ? null : worklistAddress(query, { 'left-out': ['yes'] }), present: worklistAddress(query, { 'as-of': [], 'left-out': [] }) }) : ''}
${filterForm(page, moment)}
${notices}
${unreadView(worklist.limits.read, moment.times)}
${unreadRowsView(worklist)}
${isAllUnknown({ values: query.texts }, unknown) ? '' : listView(page, visitor, moment)}
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
      html`<li><a href="${worklistAddress(query, { assigned: [assigned] })}"${assigned === query.assigned ? html` aria-current="true"` : ''}>${words}</a></li>`,
  )}</ul></nav>`;
}

/** Rows that could not be read may state a change that is no entry. */
const unreadRowsView = ({ unreadRows }: WorklistPage): Html =>
  unreadRows === 0
    ? html``
    : html`<p class="warning">${counted(unreadRows, 'row')} of the log could not be read, and may state a change that is missing here. <a href="/?topic=unclassified&amp;since=all">Look at ${unreadRows === 1 ? 'it' : 'them'}</a></p>`;

function filterForm({ query, names, at }: ListPage, { times }: Moment): Html {
  const { texts } = query;
  const form = { question: worklistList, texts, asked: { ...query }, asOf: at, times: readerTimes(times) };
  return html`<details class="asked"><summary>Filter and order</summary>${formOf(form, {
    labelOf: (name, value) => (isNamedFilter(name) ? names.labelOf(name, value) : value),
    files: html` <a href="${worklistAddress(query, {}, '/report')}">Report</a>`,
  })}</details>`;
}

/** All choices but the names and the time that are asked for. */
const anyOther = { state: [], change: [], since: [], sort: [], overdue: [], assigned: [] };

function listView(page: ListPage, visitor: Visitor, { times }: Moment): Html {
  const { query, worklist, people } = page;
  const { all, asked, overdue, entries: shown } = worklist;
  const others = all - asked;
  if (asked === 0) {
    const everything = worklistAddress(query, anyOther);
    const every = worklistAddress(query, { ...anyOther, state: ['all'] });
    return html`<p class="notice">${worklist.limits.isAnswer ? 'No entry is in this list.' : 'No entry was found, but not all was read that could have one.'}${others > 0 ? html` ${others} do not match what you chose: <a href="${everything}">to do</a>, <a href="${every}">show all</a>` : ''}</p>`;
  }
  // Nobody decides about the past.
  const isForm = mayDecide(visitor) && page.asOf === undefined;
  const head = [asked === 1 ? '1 entry' : `${asked} entries`, overdue > 0 && `${overdue} overdue`].filter(
    Boolean,
  );
  const rest =
    others > 0
      ? html`; ${counted(others, 'other')} ${others === 1 ? 'does' : 'do'} not match what you chose: <a href="${worklistAddress(query, { ...anyOther, state: ['all'] })}">show all</a>`
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
    return html`<section>${heading}${groups.length > 1 ? choiceOf(entries, 'of this panel') : ''}<ul class="entries">${entries.map((entry) => entryCard(entry, page, { isForm, times, asOf: query.texts['as-of'] ?? [] }))}</ul></section>`;
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
      : html` <a href="${worklistAddress(query, { page: [String(wanted)] })}">${words}</a>`;
  return html` Page ${Math.min(page, last)} of ${last}.${to(page - 1, 'Earlier')}${to(page + 1, 'Further entries')}`;
}

function entryCard(
  entry: WorklistEntry,
  facts: EntryFacts,
  {
    isForm,
    times,
    asOf,
  }: { readonly isForm: boolean; readonly times: Moment['times']; readonly asOf: readonly string[] },
): Html {
  const { id, decisions } = entry;
  const last = decisions.at(-1);
  return html`<li class="entry" id="e-${id}">${isForm ? html`<input type="checkbox" name="entry" id="c-${id}" value="${chosenText(entry)}" aria-labelledby="h-${id}">` : ''}<div>
<h3 id="h-${id}">${entryHeading(entry, worklistAddress({ texts: { 'as-of': asOf } }, {}, `/${id}`))}</h3>
<p class="state">${entryStateView(entry, times)}</p>
${entryFactsView(entry, facts, { times, isCard: true })}
${last ? html`<p class="last"><b>${worklistStateForms[last.state].words}</b>, ${cleanLine(last.by)}, ${times.date(last.at)}: ${cleanLine(last.why, 200)}</p>` : ''}
</div></li>
`;
}
