import { nothingFoundWords } from '../store/history/read-part-words.ts';
import { phrase } from '../words/phrase.ts';
import { unreadLimits } from './answer-limits.ts';
import { filterOf, filterOptions } from './filter-options.ts';
import { choice, flag, panelOptions, periodOf, periodOptions } from './options.ts';
import { declare, type Limit, type Option } from './question.ts';
import { askedChanges, askedEntries, askedStates, statesOf } from './worklist/asked-entries.ts';
import { entryColumns, rowOf } from './worklist/entry-rows.ts';
import { readWorklist } from './worklist/read-worklist.ts';
import type { WorklistEntry } from './worklist/worklist-entry.ts';
import { unreadRowsWords } from './worklist/worklist-limits.ts';

const { 'panel-type': panelType, gene, 'entity-type': entityType } = filterOptions;

const options = {
  ...periodOptions(),
  ...panelOptions,
  ...{ 'panel-type': panelType, gene, 'entity-type': entityType },
  state: choice('entries in which state', 'State', askedStates),
  change: choice('what changed', 'Change', askedChanges),
  overdue: flag('only what is overdue'),
  assigned: {
    help: 'only what is assigned to this person, or none for what is assigned to nobody',
    takes: 'NAME',
    read: ([text]) => text,
  } satisfies Option<string | undefined>,
};

export const question = declare<typeof options, WorklistEntry>({
  name: 'worklist',
  title: 'Worklist',
  sentence: 'the entries of the worklist, oldest first, with who decided what, when and why',
  group: 'Every day',
  about: 'Each change that matters is an entry in one state; a later decision replaces an earlier one.',
  examples: [],
  file: 'worklist',
  options,
  columns: entryColumns.map((key) => ({ key, value: (entry) => rowOf(entry)[key] })),
  rowsAre: 'of one kind',
  async answer(asked, place) {
    if (!place.worklist) {
      return { lead: [], lists: [], limits: [{ kind: 'unread', sentence: 'No worklist is kept here.' }] };
    }
    const { catalogue, now, times, states } = place;
    const { store, settings } = place.worklist;
    const { state, change, overdue, assigned } = asked;
    const worklist = await readWorklist(
      { ...place, worklist: store, statesOf: states },
      {
        ...{ settings, filter: filterOf(asked), now },
        ...periodOf(asked, place),
        ...(catalogue !== undefined && { catalogue }),
      },
    );
    const { read, limits, isAnswer } = worklist.limits;
    const rows = askedEntries(worklist.entries, {
      ...{ states: statesOf(state), change, isOverdue: overdue },
      assigned: assigned === undefined ? undefined : assigned === 'none' ? null : [assigned],
    });
    const nothing = nothingFoundWords('No change that matters was found', read, isAnswer);
    const unreadRows = unreadRowsWords(worklist).map((sentence): Limit => ({ kind: 'unknown', sentence }));
    return {
      lead: worklist.entries.length > 0 ? [] : [phrase`${nothing}`],
      lists: [{ what: 'entries', rows }],
      limits: [...limits, ...unreadLimits(read, times), ...unreadRows],
    };
  },
});
