import { isAssignedTo } from './decide.ts';
import { changeDirections } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import { type WorklistState, worklistStateForms, worklistStates } from './worklist-record.ts';

/** What an entry may change, as addresses and options state it, with its words. */
export const askedChanges = {
  any: 'every change',
  'now-green': 'now green',
  'no-longer-green': 'no longer green',
  'mode-of-inheritance-changed': 'mode of inheritance changed',
  other: 'other changes',
} as const;

/** The states that may be asked for, with their words. `pending`: what somebody still has to do something about. */
export const askedStates: Readonly<Record<WorklistState | 'pending' | 'all', string>> = {
  pending: 'to do: open or re-analyse',
  ...(Object.fromEntries(worklistStates.map((state) => [state, worklistStateForms[state].words])) as Record<
    WorklistState,
    string
  >),
  all: 'every state',
};

/** The states that a word asks for. */
export function statesOf(asked: keyof typeof askedStates): readonly WorklistState[] {
  if (asked === 'all') return worklistStates;
  return asked === 'pending'
    ? worklistStates.filter((state) => worklistStateForms[state].isPending)
    : [asked];
}

/** Which entries are asked for. */
export interface AskedEntries {
  readonly states: readonly WorklistState[];
  readonly change?: keyof typeof askedChanges;
  readonly isOverdue: boolean;
  /** The names of a person; null for entries that no person has, absent for those of everybody. */
  readonly assigned?: readonly string[] | null | undefined;
}

/** Whether what an entry changes is asked for. */
export const isOfChange = (
  { kind }: Pick<WorklistEntry, 'kind'>,
  asked: keyof typeof askedChanges = 'any',
): boolean =>
  asked === 'any' || asked === (changeDirections[kind]?.replaceAll(' ', '-') ?? ('other' as string));

/** The entries that are asked for, in their order. */
export const askedEntries = (
  entries: readonly WorklistEntry[],
  { states, change, isOverdue, assigned }: AskedEntries,
): readonly WorklistEntry[] =>
  entries.filter(
    (entry) =>
      states.includes(entry.state) &&
      isOfChange(entry, change) &&
      (entry.isOverdue || !isOverdue) &&
      (assigned === undefined || isAssignedTo(entry.assignee, assigned)),
  );
