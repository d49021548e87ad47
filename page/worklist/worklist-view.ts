import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { geneAddress, panelAddress } from '../../lambdas/questions/addresses.ts';
import { isDay } from '../../lambdas/questions/options.ts';
import type { AsOf, Limit } from '../../lambdas/questions/question.ts';
import {
  type CaseCounts,
  headlineOf,
  noticesOf,
  ratingsOf,
} from '../../lambdas/questions/worklist/entry-rows.ts';
import type { WorklistPage } from '../../lambdas/questions/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-of.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/questions/worklist/worklist-record.ts';
import { counted } from '../../lambdas/run/text.ts';
import { cleanLine, cleanText } from '../../lambdas/words/clean-text.ts';
import type { OpenEvent } from '../event/event-view.ts';
import {
  blockView,
  codesView,
  type Html,
  html,
  type LocalTimes,
  type Moment,
  phraseView,
  ratingView,
} from '../html.ts';
import { unreadView } from '../layout.ts';
import { isAllUnknown, isNamedFilter, type PageNames, type UnknownName, unknownNamesView } from '../names.ts';
import { asOfNotice, formOf } from '../questions.ts';
import type { Visitor } from '../sign-in/access.ts';
import { chosenText, type WorklistQuery, worklistAddress, worklistList } from './worklist-query.ts';

/** Entries that one view shows: as many as a person decides about without losing the thread. */
export const ENTRIES_OF_A_VIEW = 20;

interface ListPage extends EntryFacts {
  /** That the list is as of an earlier time; undefined where it is as of now. */
  readonly asOf: Limit | undefined;
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
  const notices = unknownNamesView(unknown, query.texts, (change) => worklistAddress(query, change));
  return html`<div class="page worklist">
<h1>Worklist</h1>
<p class="lead">Each change that matters, until somebody has decided about it.</p>
${visitor.person ? whoseView(query) : ''}
${page.asOf ? asOfNotice(page.asOf, { counted: query.texts['left-out'] ? null : worklistAddress(query, { 'left-out': ['yes'] }), present: worklistAddress(query, { 'as-of': [], 'left-out': [] }) }) : ''}
${filterForm(page, moment)}
${notices}
${unreadView(worklist.limits.read, moment.times)}
${unreadRowsView(worklist)}
${isAllUnknown(query.texts, unknown) ? '' : listView(page, visitor, moment)}
</div>`;
}

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
  const form = { question: worklistList, texts, asked: { ...query }, asOf: at, times };
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
    return html`<section>${heading}${groups.length > 1 ? choiceOf(entries, 'of this panel') : ''}<ul class="entries">${entries.map((entry) => entryCard(entry, page, { isForm, times, query }))}</ul></section>`;
  });
  const address = worklistAddress(query);
  return html`<p>${head.join('; ')}${rest}.${pagesView(query, asked)}</p>
${isForm ? html`<form action="/worklist/decide" method="post" class="choosing"><div>${choiceOf(shown, 'that are shown')} <a class="to-form" href="#decide">Decide or assign</a>${list}</div>${decisionForm('what is chosen', address, people, visitor)}</form>` : list}
<p>${pagesView(query, asked)}</p>`;
}

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
    query,
  }: { readonly isForm: boolean; readonly times: LocalTimes; readonly query: WorklistQuery },
): Html {
  const { id, decisions } = entry;
  const last = decisions.at(-1);
  return html`<li class="entry" id="e-${id}">${isForm ? html`<input type="checkbox" name="entry" id="c-${id}" value="${chosenText(entry)}" aria-labelledby="h-${id}">` : ''}<div>
<h3 id="h-${id}">${entryHeading(entry, worklistAddress({ texts: { 'as-of': query.texts['as-of'] ?? [] } }, {}, `/${id}`))}</h3>
<p class="state">${entryStateView(entry, times)}</p>
${entryFactsView(entry, facts, { times, isCard: true })}
${last ? html`<p class="last"><b>${worklistStateForms[last.state].words}</b>, ${cleanLine(last.by)}, ${times.day(last.at)}: ${cleanLine(last.why, 200)}</p>` : ''}
</div></li>
`;
}

/** What is shown of entries beside themselves. */
export interface EntryFacts {
  /** The events of entries with the words of their messages, by id. */
  readonly events: ReadonlyMap<string, OpenEvent>;
  /** The cases that each entry concerns, or why they could not be counted; absent where the page has no cases. */
  readonly cases: CaseCounts | string | undefined;
}

/** `BRCA1 now green`, with the rating before and now in their colours. */
function entryHeading(entry: WorklistEntry, address?: string): Html {
  const { from, to } = entry;
  const headline = cleanLine(headlineOf(entry));
  const ratings = entry.inheritance
    ? html` <span class="fine">${cleanLine(ratingsOf(entry) ?? '')}</span>`
    : from === null || to === null
      ? ''
      : html` <span class="step">${ratingOf(from)} <span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> ${ratingOf(to)}</span>`;
  return html`${address === undefined ? headline : html`<a href="${address}">${headline}</a>`}${ratings}`;
}

const ratingOf = (status: NonNullable<WorklistEntry['from']>): Html =>
  ratingView(status === 'unknown' ? null : status);

function entryFactsView(
  entry: WorklistEntry,
  { events, cases }: EntryFacts,
  { times, isCard = false }: { readonly times: LocalTimes; readonly isCard?: boolean },
): Html {
  const { panel, catalogue, entity, actor } = entry;
  const open = events.get(entry.event.id);
  const codes = rCodesIn(panel.disorders);
  const version =
    panel.version === null ? '' : html` <span class="fine">version ${cleanLine(panel.version)}</span>`;
  const name = cleanLine(panel.name);
  const blocks = (open?.notice.blocks ?? []).map((block) => {
    if (isCard && block.kind === 'facts') return '';
    if (block.kind !== 'place') return blockView(block);
    return block.below && block.below.length > 0 ? html`<p>${phraseView(block.below)}</p>` : '';
  });
  const links = [
    ...(open?.notice.links ?? []).map(
      ({ address }) =>
        html`<a href="${address}" rel="noreferrer" target="_blank">Catalogue<span class="unseen"> (in a new tab)</span></a>`,
    ),
    html`<a href="/?since=all&amp;open=${entry.event.id}#event">Rows of the log</a>`,
    entity !== null && html`<a href="${geneAddress(entity.name)}">Panels with ${cleanLine(entity.name)}</a>`,
  ].filter((link) => link !== false);
  return html`<p class="place">${panel.id === null ? name : html`<a href="${panelAddress(catalogue, panel.id)}">${name}</a>`}${codesView(codes.length > 0 ? ` (${codes.join(', ')})` : '')}${version}</p>
${open ? blocks : html`<p class="byline">${actor === null ? 'Changed' : `By ${cleanLine(actor)}`}, ${entry.at === '' ? 'at an unknown time' : times.moment(entry.at)}. The history does not have its event any more.</p>`}
${open && open.correction !== null ? html`<p class="warning">The report of this change was wrong: <a href="/?since=all&amp;open=${open.correction}#event">the correction</a>.</p>` : ''}
${noticesOf(entry, (time) => times.shortDay(isDay(time) ? time : times.iso(time))).map((notice) => html`<p class="warning">${cleanLine(notice)}</p>`)}
${casesView(entry, cases)}
<p class="links">${links.map((link) => html`${link} `)}</p>`;
}

function casesView({ id }: WorklistEntry, cases: EntryFacts['cases']): Html {
  if (typeof cases === 'string')
    return html`<p class="warning">Cases were not counted: ${cleanLine(cases, 500)}</p>`;
  const count = cases?.get(id);
  if (!count) return html``;
  const { cases: some, unknown } = count;
  const words =
    unknown === 0
      ? counted(some, 'case')
      : some === 0
        ? 'Cases unknown'
        : `At least ${counted(some, 'case')}`;
  return html`<p><b>${words}</b>${unknown === 0 ? '' : html`: ${counted(unknown, 'case')} could not be compared fully`}</p>`;
}

function entryStateView({ state, assignee, due, isOverdue }: WorklistEntry, times: LocalTimes): Html {
  return html`<b>${worklistStateForms[state].words}</b>${assignee === null ? '' : html`, assigned to ${cleanLine(assignee)}`}${
    due === null ? '' : html`, ${isOverdue ? html`<b>overdue</b> since` : 'due'} ${times.day(due)}`
  }`;
}

interface EntryPage extends EntryFacts {
  readonly visitor: Visitor;
  readonly people: readonly string[];
  /** Where the entry is shown as of an earlier time: what says so, and the list that it was opened from. */
  readonly past?: { readonly asOf: Limit; readonly list: string } | undefined;
}

/** One entry: the change, what happened since, every decision with its reason, the comments, and who read it. */
export function entryPageView(entry: WorklistEntry, page: EntryPage, { times }: Moment): Html {
  const { decisions, comments, readings, assignments } = entry;
  const { visitor, people, past } = page;
  // Nobody decides about the past.
  const isForm = mayDecide(visitor) && !past;
  const said = [
    ...comments.map(({ by, at, text }) => ({ by, at, words: cleanText(text) })),
    ...assignments.map(({ by, at, to }) => ({
      ...{ by, at, words: to === null ? 'assigned to nobody' : `assigned to ${cleanLine(to)}` },
    })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return html`<div class="page entry-page">
<p><a href="${past?.list ?? '/worklist'}">Worklist</a></p>
${past ? asOfNotice(past.asOf, { counted: null, present: `/worklist/${entry.id}` }) : ''}
<h1>${entryHeading(entry)}</h1>
<p class="lead">${entryStateView(entry, times)}</p>
${entryFactsView(entry, page, { times })}
<h2>Decisions</h2>
${
  decisions.length === 0
    ? html`<p>There is no decision yet.</p>`
    : html`<ol class="decisions">${decisions.map(
        ({ state, by, at, why }) =>
          html`<li><b>${worklistStateForms[state].words}</b>, ${cleanLine(by)}, <time datetime="${at}">${times.moment(at)}</time><br>${cleanText(why)}</li>`,
      )}</ol>`
}
${
  isForm
    ? html`<form action="/worklist/decide" method="post"><input type="hidden" name="entry" value="${chosenText(entry)}">${decisionForm('this entry', '/worklist', people, visitor)}</form>`
    : past
      ? ''
      : html`<p class="fine">${visitor.person ? 'You are a reader: deciders decide.' : 'To decide here, start the page with --as and your name; or use gene-panel-notifier worklist decide.'}</p>`
}
<h2>Comments and assignments</h2>
${
  said.length === 0
    ? html`<p>There is no comment and no assignment.</p>`
    : html`<ul class="decisions">${said.map(
        ({ by, at, words }) =>
          html`<li>${cleanLine(by)}, <time datetime="${at}">${times.moment(at)}</time><br>${words}</li>`,
      )}</ul>`
}
${isForm ? commentForm(visitor, entry.id) : ''}
<h2>Read by</h2>
<p>${readings.length === 0 ? 'nobody who signed in' : readings.map(({ by, at }) => `${cleanLine(by)} (${times.moment(at)})`).join(', ')}</p>
</div>`;
}

/** Whether a visitor may decide about entries. */
export const mayDecide = ({ person }: Visitor): boolean => person?.role === 'decider';

function commentForm({ formToken }: Visitor, entry: string): Html {
  return html`<form action="/worklist/comment" method="post">
<input type="hidden" name="token" value="${formToken}"><input type="hidden" name="entry" value="${entry}">
<div class="field"><label for="c-text">Comment</label><textarea id="c-text" name="text" rows="2" cols="60" maxlength="4000" required></textarea></div>
<p class="buttons"><button>Comment</button> <span class="fine">The state stays. Write no name of a patient.</span></p>
</form>`;
}

/** @param list the address of the list to which the answer leads back. @param people who can have an entry */
function decisionForm(about: string, list: string, people: readonly string[], visitor: Visitor): Html {
  return html`<div class="deciding" id="decide"><fieldset class="decision"><legend>Decide about ${about}</legend>
<input type="hidden" name="token" value="${visitor.formToken}"><input type="hidden" name="list" value="${list}">
<div class="field"><label for="d-state">State</label><select id="d-state" name="state" required><option value="">choose</option>${worklistStates.map(
    (state) => html`<option value="${state}">${worklistStateForms[state].words}</option>`,
  )}</select></div>
<div class="field"><label for="d-why">Reason</label><textarea id="d-why" name="why" rows="2" cols="30" maxlength="4000" required></textarea></div>
<p class="buttons"><button>Decide</button></p>
</fieldset>
<fieldset class="decision"><legend>Assign ${about}</legend>
<div class="field"><label for="d-to">Person</label><input id="d-to" name="to" list="d-people" autocomplete="off" spellcheck="false" placeholder="empty: nobody" maxlength="200"><datalist id="d-people">${people.map((name) => html`<option value="${name}"></option>`)}</datalist></div>
<p class="buttons"><button formaction="/worklist/assign" formnovalidate>Assign</button> <button formaction="/worklist/assign" formnovalidate name="me" value="true">Assign to me</button></p>
</fieldset></div>`;
}
