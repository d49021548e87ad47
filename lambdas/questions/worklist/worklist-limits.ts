import { rCodesIn } from '../../events/r-codes.ts';
import { dayOf } from '../../run/instant.ts';
import { howMuchWasRead } from '../../store/history/read-part.ts';
import { nothingFoundWords, readWords, unreadSentences } from '../../store/history/read-part-words.ts';
import { counted } from '../../words/counted.ts';
import { pageText, printedPage } from '../../words/html-page.ts';
import type { CaseCounts } from './entry-rows.ts';
import { headlineOf, noticesOf, ratingsOf } from './entry-words.ts';
import type { Worklist } from './read-worklist.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import type { WorklistSettings } from './worklist-settings.ts';
import { worklistStateForms, worklistStates } from './worklist-states.ts';

/** What a reader must know of a worklist beyond its entries, in sentences: without them, an empty one would be an all-clear. */
export function worklistLimits(worklist: Worklist): readonly string[] {
  const { names, read } = worklist.limits;
  return [
    ...names,
    ...(howMuchWasRead(read) === 'all' ? [] : unreadSentences(read, dayOf)),
    ...unreadRowsWords(worklist),
  ];
}

/** A sentence about rows of the log that may state more entries; none where each could be read. */
export const unreadRowsWords = ({ unreadRows }: Pick<Worklist, 'unreadRows'>): readonly string[] =>
  unreadRows === 0
    ? []
    : [
        `${counted(unreadRows, 'row')} of the log could not be read, and may state a change that is missing here: history --topic unclassified shows ${unreadRows === 1 ? 'it' : 'them'}.`,
      ];

/** How many entries are shown, and of which time: the head of a list. */
export function shownWords(
  { entries, limits }: Worklist,
  shown: readonly { readonly isOverdue: boolean }[],
): string {
  const { read, isAnswer } = limits;
  if (entries.length === 0) return nothingFoundWords('No change that matters was found', read, isAnswer);
  const overdue = shown.filter(({ isOverdue }) => isOverdue).length;
  const others = entries.length - shown.length;
  const rest = others === 0 ? '' : `; ${others} in other states`;
  const list = shown.length === 1 ? '1 entry' : `${shown.length} entries`;
  const late = overdue === 0 ? '' : `, ${overdue} overdue`;
  const days = read.map(({ catalogue, since, until }) => `${catalogue}: ${dayOf(since)} to ${dayOf(until)}`);
  return `${list}${late}, of changes ${readWords(read)} (${days.join(', ')})${rest}.`;
}

/** Which changes are entries, as a sentence. @param filter in words; empty for none */
export const askedWords = ({ counts, overdueDays, since }: WorklistSettings, filter: string): string => {
  const which =
    counts === 'signed-off' ? 'in the signed-off versions of panels' : 'in the newest versions of panels';
  const begins = since === null ? '' : `, from ${since.slice(0, 10)}`;
  const only = filter === '' ? '' : ` (${filter})`;
  return `Entries are changes ${which}${only}${begins}. An entry that is not finished is overdue after ${overdueDays} days.`;
};

/** What stands above the entries of a report. */
export interface WorklistHeading {
  /** When it was made, as a person reads it. */
  readonly at: string;
  /** How many entries it has, and of which time: a sentence. */
  readonly shown: string;
  /** What is not in it, in sentences. */
  readonly limits: readonly string[];
  /** Which changes are entries, in words. */
  readonly asked: string;
}

const style = [
  '.decisions{margin:.25rem 0 0;padding-left:1rem;font-size:.95rem}.overdue{font-weight:600}.whole{white-space:nowrap}',
  'table{table-layout:auto}thead th:nth-last-child(n){width:auto}thead th:first-child{width:20%}thead th:nth-child(2){width:18%}',
  '@media screen and (max-width:900px),(max-width:560px){td:not(:empty)::before{content:attr(data-label) ": ";color:var(--soft)}}',
].join('');

/** A dated report for the quality system: every entry by its state, with who read it, who decided what, when and why, the comments, and whose it is. */
export function worklistHtml(
  entries: readonly WorklistEntry[],
  { at, shown, limits, asked }: WorklistHeading,
  counts?: CaseCounts,
): string {
  const title = `Worklist of gene panel changes, ${at}`;
  const sections = worklistStates.flatMap((state) => {
    const own = entries.filter((entry) => entry.state === state);
    if (own.length === 0) return [];
    const { words } = worklistStateForms[state];
    return [
      `<section><h2>${capital(words)} <small>${own.length}</small></h2>${tableOf(own, counts)}</section>`,
    ];
  });
  const body = [
    ...[shown, asked].map((line) => `<p>${pageText(line)}</p>`),
    ...limits.map((line) => `<p class="warning">${pageText(line)}</p>`),
    ...(counts ? ['<p>Cases are counted in a file of the laboratory. No case is named here.</p>'] : []),
    ...sections,
  ];
  return printedPage({ title, body, style });
}

function tableOf(entries: readonly WorklistEntry[], counts: CaseCounts | undefined): string {
  const columns = [
    'Change',
    'Panel',
    'Made',
    'Since',
    'Decisions',
    'Comments and assignments',
    'Read by',
    ...(counts ? ['Cases'] : []),
  ];
  const heads = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const rows = entries.map((entry) => {
    const [change = '', ...cells] = cellsOf(entry, counts);
    const tds = cells.map((cell, place) => `<td data-label="${columns[place + 1]}">${cell}</td>`).join('');
    return `<tr id="e${entry.id}"><th scope="row">${change}</th>${tds}</tr>`;
  });
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function cellsOf(entry: WorklistEntry, counts: CaseCounts | undefined): readonly string[] {
  const { panel, at, actor, since, due, isOverdue, decisions, readings, comments, id } = entry;
  const said = [...comments.map(commentOf), ...entry.assignments.map(assignmentOf)];
  const codes = rCodesIn(panel.disorders).join(', ');
  const ratings = ratingsOf(entry);
  const count = counts?.get(id);
  const notices = noticesOf(entry).map((notice) => `<br><small>${pageText(notice)}</small>`);
  const overdue =
    due === null
      ? ''
      : `<br><span class="${isOverdue ? 'overdue' : ''}">${isOverdue ? 'overdue since' : 'due'} ${day(due)}</span>`;
  return [
    `${pageText(headlineOf(entry))}${ratings === null ? '' : `<br><small>${pageText(ratings)}</small>`}${notices.join('')}<br><small>${id.slice(0, 12)}</small>`,
    `${pageText(panel.name)}${codes === '' ? '' : ` (${pageText(codes)})`}${panel.version === null ? '' : `, version ${pageText(panel.version)}`}`,
    `${day(at)}${actor === null ? '' : `<br>${pageText(actor)}`}`,
    `${day(since)}${overdue}${entry.assignee === null ? '' : `<br>assigned to ${pageText(entry.assignee)}`}`,
    decisions.length === 0 ? 'none' : `<ol class="decisions">${decisions.map(decisionOf).join('')}</ol>`,
    said.length === 0 ? '' : `<ul class="decisions">${said.join('')}</ul>`,
    readings.length === 0
      ? ''
      : readings.map((each) => `${pageText(each.by)}, ${moment(each.at)}`).join('<br>'),
    ...(counts ? [count ? casesOf(count) : ''] : []),
  ];
}

/** `at least 0` would read as none. */
const casesOf = ({ cases, unknown }: { readonly cases: number; readonly unknown: number }): string => {
  if (unknown === 0) return String(cases);
  return cases === 0 ? '<span class="whole">unknown</span>' : `at least ${cases}`;
};

const decisionOf = ({ state, by, at, why }: WorklistEntry['decisions'][number]): string =>
  `<li><b>${worklistStateForms[state].words}</b>, ${pageText(by)}, ${moment(at)}: ${pageText(why)}</li>`;

const commentOf = ({ by, at, text }: WorklistEntry['comments'][number]): string =>
  `<li>${pageText(by)}, ${moment(at)}: ${pageText(text)}</li>`;

const assignmentOf = ({ to, by, at }: WorklistEntry['assignments'][number]): string =>
  `<li>${pageText(by)}, ${moment(at)}: assigned to ${pageText(to ?? 'nobody')}</li>`;

const day = (at: string): string => `<span class="whole">${pageText(at.slice(0, 10))}</span>`;
const moment = (at: string): string => `${day(at)} ${pageText(at.slice(11, 16))} UTC`;
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
