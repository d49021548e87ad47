import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import type { CaseCounts } from '../../lambdas/questions/worklist/entry-rows.ts';
import { headlineOf, noticesOf, ratingsOf } from '../../lambdas/questions/worklist/entry-words.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import { worklistStateForms } from '../../lambdas/questions/worklist/worklist-states.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { textTable } from '../text-table.ts';

/** So much of an id is shown: `decide` takes it. */
const SHOWN_ID = 12;

/** The entries for a person, and below each what happened since and what was decided. */
export function worklistTable(entries: readonly WorklistEntry[], counts?: CaseCounts): string {
  if (entries.length === 0) return '';
  const [heading, ...rows] = textTable([
    ['id', 'state', 'change', 'panel', 'made on', ...(counts ? ['cases'] : [])],
    ...entries.map((entry) => cellsOf(entry, counts)),
  ]);
  const blocks = entries.flatMap((entry, at) => [
    rows[at] ?? '',
    ...detailsOf(entry).map((line) => `    ${printable(line)}`),
  ]);
  return [heading ?? '', ...blocks, ''].join('\n');
}

function cellsOf(entry: WorklistEntry, counts: CaseCounts | undefined): readonly string[] {
  const { id, panel, at, state, isOverdue } = entry;
  const ratings = ratingsOf(entry);
  const codes = rCodesIn(panel.disorders);
  const version = panel.version === null ? '' : ` ${panel.version}`;
  const count = counts?.get(id);
  return [
    id.slice(0, SHOWN_ID),
    `${worklistStateForms[state].words}${isOverdue ? ', overdue' : ''}${entry.assignee === null ? '' : `, ${entry.assignee}`}`,
    `${headlineOf(entry)}${ratings === null ? '' : ` (${ratings})`}`,
    `${panel.name}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}${version}`,
    at.slice(0, 10),
    ...(counts ? [count ? `${count.unknown > 0 ? '≥ ' : ''}${count.cases}` : ''] : []),
  ];
}

function detailsOf(entry: WorklistEntry): readonly string[] {
  const last = entry.decisions.at(-1);
  return [
    ...noticesOf(entry),
    ...(last
      ? [
          `${moment(last.at)} ${last.by} decided “${worklistStateForms[last.state].words}”: ${last.why} (revision ${last.number})`,
        ]
      : []),
    ...entry.comments.map(({ by, at, text }) => `${moment(at)} ${by}: ${text}`),
  ];
}

const moment = (at: string): string => `${at.slice(0, 16).replace('T', ' ')}Z`;
