import { filterWords } from '../filters/filter-values.ts';
import { dayOf } from '../run/instant.ts';
import { counted } from '../run/text.ts';
import { nothingFoundWords, readWords } from '../store/history/read-part.ts';
import { namesIn } from '../store/history/unknown-names.ts';
import { phrase } from '../words/phrase.ts';
import { unreadLimits } from './answer-limits.ts';
import { filterOf, filterOptions } from './filter-options.ts';
import { caseFormOf, caseFormOptions } from './impact/case-form.ts';
import { choice, flag, OptionError, panelOptions, periodOf, periodOptions } from './options.ts';
import {
  type Asked,
  declare,
  headingsWithout,
  limitsOf,
  notAnswered,
  type Option,
  type Place,
} from './question.ts';
import { keptStatesOf } from './state.ts';
import { caseCountsOf, type EntryRow, entryColumns } from './worklist/entry-rows.ts';
import { readWorklist, type Worklist } from './worklist/read-worklist.ts';
import {
  askedChanges,
  askedEntries,
  askedStates,
  statesOf,
  type WorklistEntry,
} from './worklist/worklist-of.ts';
import { worklistStateForms, worklistStates } from './worklist/worklist-record.ts';
import type { WorklistSettings } from './worklist/worklist-settings.ts';

const { 'panel-type': panelType, gene, 'entity-type': entityType } = filterOptions;
const status = choice('entries in which state', 'State', askedStates);

const options = {
  ...periodOptions(),
  ...panelOptions,
  ...{ 'panel-type': panelType, gene, 'entity-type': entityType },
  status: {
    ...status,
    ...{ isMultiple: true, splits: true },
    read: (words, moment) =>
      (words.length === 0 ? [''] : words).flatMap((word) =>
        statesOf(status.read(word ? [word] : [], moment)),
      ),
  } satisfies Option<ReturnType<typeof statesOf>>,
  change: choice('what changed', 'Change', askedChanges),
  overdue: flag('only what is overdue'),
  assigned: {
    help: 'only what is assigned to the person of these names, or none for what is assigned to nobody',
    takes: 'NAME',
    isMultiple: true,
    read: (names) => names,
  } satisfies Option<readonly string[]>,
  cases: {
    help: 'also count the cases that each entry concerns, in a file as impact reads it; the counts alone are shown, and nothing of the file is kept',
    takes: 'FILE',
    isFor: 'commands',
    read: ([file]) => file,
  } satisfies Option<string | undefined>,
  ...caseFormOptions,
};

export const question = declare<typeof options, EntryRow>({
  name: 'worklist',
  title: 'Worklist of gene panel changes',
  sentence: 'list the changes that somebody must decide about, with who decided what, when and why',
  group: 'Every day',
  about:
    'Each change that matters is an entry in one state: open, re-analyse, wait-for-sign-off, no-action or done. The settings say which changes matter (worklist); by default, what turned green, what is no longer green, and green genes whose mode of inheritance changed. Decisions are only added: a later one replaces an earlier one, and both are kept (worklist decide, worklist comment, worklist assign and worklist read). A sign-off of a version that has the change opens the entries that waited for it.',
  examples: [
    '--r-code R208',
    '--status all --since 2026-01-01 --cases cases.csv --format html --output worklist-2026.html',
  ],
  file: 'worklist',
  options,
  rowsAre: 'of one kind',
  asksCatalogue: true,
  isOfPeople: true,
  columns: entryColumns,
  async answer(asked, place) {
    if (!place.worklist) return notAnswered('No worklist is kept here.');
    const { catalogue, now, times, states } = place;
    const { store, settings } = place.worklist;
    const filter = filterOf(asked);
    const worklist = await readWorklist(
      { ...place, worklist: store, statesOf: states },
      {
        ...{ settings, filter, now },
        ...periodOf(asked, place),
        ...(catalogue !== undefined && { catalogue }),
      },
    );
    const { status, change, overdue, assigned } = asked;
    const shown = askedEntries(worklist.entries, {
      ...{ states: status, change, isOverdue: overdue },
      assigned: assigned.length === 0 ? undefined : assigned.includes('none') ? null : assigned,
    });
    const cases = await countedCases(shown, asked, place);
    const { read, limits } = worklist.limits;
    const unknown = [unreadRowsWords(worklist), cases?.limit ?? ''];
    const words = filterWords({ ...settings.filter, ...filter }, await namesIn(place));
    return {
      scope: [`as known on ${times.moment(now)}`],
      lead: [shownWords(worklist, shown), askedWords(settings, words)].map((each) => phrase`${each}`),
      lists: worklistStates.map((state) => ({
        what: worklistStateForms[state].words,
        rows: shown
          .filter((entry) => entry.state === state)
          .map((entry) => ({ entry, count: cases?.counts.get(entry.id) })),
      })),
      limits: [...limits, ...unreadLimits(read, times), ...limitsOf('unknown', ...unknown)],
      headings: headingsWithout(entryColumns, [!cases && 'cases']),
    };
  },
});

/** The cases that entries concern; null where no file of cases was given. */
async function countedCases(entries: readonly WorklistEntry[], asked: Asked<typeof options>, place: Place) {
  const { cases: file } = asked;
  const form = caseFormOf(asked);
  if (file === undefined) {
    const [given] = Object.keys(caseFormOptions).filter(
      (name) => asked[name as keyof typeof caseFormOptions],
    );
    if (given !== undefined) throw new OptionError('', 'it goes with --cases FILE', given);
    return null;
  }
  const [catalogue, ...others] = place.catalogues;
  if (!place.worklist || !place.openCases || catalogue === undefined) return null;
  if (others.length > 0) throw new OptionError(file, 'one catalogue beside it: give --name', 'cases');
  const { counts } = place.worklist.settings;
  const { read } = await place.openCases({ file, form });
  return caseCountsOf(entries, { read, counts }, keptStatesOf(catalogue, place));
}

const unreadRowsWords = ({ unreadRows }: Pick<Worklist, 'unreadRows'>): string =>
  unreadRows === 0
    ? ''
    : `${counted(unreadRows, 'row')} of the log could not be read, and may state a change that is missing here: history --topic unclassified shows ${unreadRows === 1 ? 'it' : 'them'}.`;

function shownWords(
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

const askedWords = ({ counts, overdueDays, since }: WorklistSettings, filter: string): string => {
  const which =
    counts === 'signed-off' ? 'in the signed-off versions of panels' : 'in the newest versions of panels';
  const begins = since === null ? '' : `, from ${since.slice(0, 10)}`;
  const only = filter === '' ? '' : ` (${filter})`;
  return `Entries are changes ${which}${only}${begins}. An entry that is not finished is overdue after ${overdueDays} days.`;
};
