import { dayOf } from '../../run/instant.ts';
import { nothingFoundWords, readWords } from '../../store/history/read-part-words.ts';
import { counted } from '../../words/counted.ts';
import type { Worklist } from './read-worklist.ts';
import type { WorklistSettings } from './worklist-settings.ts';

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
