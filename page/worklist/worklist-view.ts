import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import { counted } from '../../lambdas/messages/counted.ts';
import { headlineOf, noticesOf, ratingsOf } from '../../lambdas/worklist/entry-words.ts';
import type { Worklist } from '../../lambdas/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/worklist/worklist-entry.ts';
import { worklistStateForms } from '../../lambdas/worklist/worklist-states.ts';
import type { Visitor } from '../access/access.ts';
import { panelAddress } from '../addresses.ts';
import { codesView } from '../frame/codes-view.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';
import { unreadView } from '../frame/unread-view.ts';
import { nameField } from '../names/name-field.ts';
import type { PageNames } from '../names/page-names.ts';
import { isAllUnknown, type UnknownName } from '../names/unknown-names.ts';
import { unknownNamesView } from '../names/unknown-names-view.ts';
import { decisionForm, mayDecide } from './decision-form.ts';
import { stateChoices, type WorklistQuery, worklistAddress } from './worklist-query.ts';

/** More would make a view that no person reads to its end. */
const MOST_SHOWN = 500;

interface WorklistPage {
  readonly query: WorklistQuery;
  readonly worklist: Worklist;
  /** The entries that the query asks for, of those of the worklist. */
  readonly shown: readonly WorklistEntry[];
  readonly names: PageNames;
  readonly unknown: readonly UnknownName[];
}

/** The worklist: what is to be done, with a form to decide about several entries at once. */
export function worklistPageView(page: WorklistPage, visitor: Visitor, moment: Moment): Html {
  const { query, names, unknown, worklist } = page;
  const notices = unknownNamesView(unknown, ({ filter, value }, chosen) => {
    if (filter !== 'panel' && filter !== 'r-code' && filter !== 'gene') return '/worklist';
    const rest = query.values[filter].filter((each) => each !== value);
    return worklistAddress({ ...query, values: { ...query.values, [filter]: [...rest, chosen] } });
  });
  return html`<div class="page green-page">
<h1>Worklist</h1>
<p class="lead">Each change that matters, until somebody has decided about it.</p>
${filterForm(query, names)}
${notices}
${unreadView(worklist.limits.read, moment.times)}
${unreadRowsView(worklist)}
${isAllUnknown(query, unknown) ? '' : listView(page, visitor, moment)}
</div>`;
}

/** Rows that could not be read may state a change that is no entry. */
const unreadRowsView = ({ unreadRows }: Worklist): Html =>
  unreadRows === 0
    ? html``
    : html`<p class="warning">${counted(unreadRows, 'row')} of the log could not be read, and may state a change that is no entry. <a href="/?topic=unclassified&amp;since=all">Look at ${unreadRows === 1 ? 'it' : 'them'}</a></p>`;

function filterForm(query: WorklistQuery, names: PageNames): Html {
  const { values, state, isOverdue } = query;
  const labels = { panel: 'Panel', gene: 'Gene', 'r-code': 'R code' } as const;
  const chips = (['panel', 'gene', 'r-code'] as const).flatMap((name) =>
    values[name].map((value) => {
      const rest = values[name].filter((each) => each !== value);
      const address = worklistAddress({ ...query, values: { ...values, [name]: rest } });
      return html`<li><a href="${address}">${labels[name]}: <b>${names.labelOf(name, value)}</b><span class="unseen">; remove it</span> <span aria-hidden="true">×</span></a></li>`;
    }),
  );
  return html`<form action="/worklist" method="get" class="inline">
<div class="field"><label for="w-state">State</label><select id="w-state" name="state">${stateChoices.map(
    ([value, words]) =>
      html`<option value="${value}"${value === state ? html` selected` : ''}>${words}</option>`,
  )}</select></div>
${nameField({ name: 'panel', label: 'Panel', given: values.panel, prefix: 'w' })}
${nameField({ name: 'gene', label: 'Gene', given: values.gene, prefix: 'w' })}
${nameField({ name: 'r-code', label: 'R codes', given: values['r-code'], prefix: 'w' })}
<label class="choice"><input type="checkbox" name="overdue" value="true"${isOverdue ? html` checked` : ''}> <span>overdue only</span></label>
<p class="buttons"><button>Show</button> <a href="${worklistAddress(query, '/worklist.csv')}">CSV</a> <a href="${worklistAddress(query, '/worklist/report')}">Report</a> <button type="button" class="copy" hidden>Copy address</button> <button type="button" class="print" hidden>Print</button> <span id="copied" role="status"></span></p>
</form>
${chips.length === 0 ? '' : html`<ul class="chips" aria-label="Filters that are set">${chips}</ul>`}`;
}

function listView({ query, worklist, shown }: WorklistPage, visitor: Visitor, { times }: Moment): Html {
  const others = worklist.entries.length - shown.length;
  const overdue = shown.filter(({ isOverdue }) => isOverdue).length;
  const head = [
    shown.length === 1 ? '1 entry' : `${shown.length} entries`,
    overdue > 0 && `${overdue} overdue`,
    others > 0 && `${others} others do not match the state that you chose`,
  ].filter(Boolean);
  if (shown.length === 0) {
    return html`<p class="notice">${worklist.limits.isAnswer ? 'No entry is in this state.' : 'No entry was found, but not all was read that could have one.'}${others > 0 ? html` ${others} in other states: <a href="${worklistAddress({ ...query, state: 'all', isOverdue: false })}">show all</a>` : ''}</p>`;
  }
  const isForm = mayDecide(visitor);
  const table = html`<table class="plain"><thead><tr>${isForm ? html`<th scope="col"><span class="unseen">Choose</span></th>` : ''}<th scope="col">Change</th><th scope="col">Panel</th><th scope="col">Changed</th><th scope="col">State</th><th scope="col">Due</th><th scope="col">Last decision</th></tr></thead><tbody>
${shown.slice(0, MOST_SHOWN).map((entry) => entryRow(entry, { isForm, times }))}</tbody></table>`;
  return html`<p>${head.join('; ')}.${shown.length > MOST_SHOWN ? ` The first ${MOST_SHOWN} are shown; the CSV has all.` : ''}</p>
${isForm ? html`<form action="/worklist/decide" method="post" class="entries">${table}${decisionForm(visitor, 'Decide about those that are chosen')}</form>` : table}`;
}

function entryRow(
  entry: WorklistEntry,
  { isForm, times }: { readonly isForm: boolean; readonly times: LocalTimes },
): Html {
  const { id, panel, catalogue, decisions } = entry;
  const last = decisions.at(-1);
  const headline = cleanLine(headlineOf(entry));
  const codes = rCodesIn(panel.disorders);
  return html`<tr>${isForm ? html`<td><input type="checkbox" name="entry" value="${id}:${entry.revision}" aria-label="Choose ${headline}"></td>` : ''}<th scope="row"><a href="/worklist/${id}">${headline}</a> <span class="fine">${ratingsOf(entry) ?? ''}</span>${noticesOf(entry).map((notice) => html`<br><span class="fine">${cleanLine(notice)}</span>`)}</th><td>${panel.id === null ? cleanLine(panel.name) : html`<a href="${panelAddress(catalogue, panel.id)}">${cleanLine(panel.name)}</a>`}${codesView(codes.length > 0 ? ` (${codes.join(', ')})` : '')}</td><td class="when">${dayOf(entry.at, times)}</td><td>${worklistStateForms[entry.state].words}</td><td>${entry.due === null ? '' : html`<span class="when">${dayOf(entry.due, times)}</span>`}${entry.isOverdue ? html` <b>overdue</b>` : ''}</td><td>${last ? html`${cleanLine(last.by)}: ${cleanLine(last.why, 200)}` : ''}</td></tr>
`;
}

/** `21 Nov 2026`; `unknown` where the log gives no usable time. */
const dayOf = (at: string, times: LocalTimes): string =>
  at === '' ? 'unknown' : times.shortDay(times.day(at));
