import { nameKey } from '../../filters/names.ts';
import { formatInstant, type Instant, parseInstant } from '../../run/instant.ts';
import type { SignOffEvent } from './changes-of-events.ts';
import { countsAt, type SeenSignOff, seenSignOffs } from './sign-offs.ts';
import {
  type Assignment,
  type Comment,
  changeForm,
  type Decision,
  type FoundChange,
  isOfDisagreement,
  type LaterTurn,
  type Reading,
  type WorklistChange,
  type WorklistRecord,
  type WorklistState,
  worklistStateForms,
  worklistStates,
} from './worklist-record.ts';

/** A change that matters, and what was decided about it. */
export interface WorklistEntry extends WorklistChange {
  readonly state: WorklistState;
  /** How many decisions there are: a further one must state it. */
  readonly revision: number;
  /** When the entry got its state, ISO 8601 in UTC. */
  readonly since: string;
  /** When it is overdue; null in a state in which nothing is left to do. */
  readonly due: string | null;
  readonly isOverdue: boolean;
  readonly decisions: readonly Decision[];
  readonly readings: readonly Reading[];
  /** Oldest first. */
  readonly comments: readonly Comment[];
  /** Oldest first. */
  readonly assignments: readonly Assignment[];
  /** Whose it is by the last of these; null where no person has it. */
  readonly assignee: string | null;
  /** What happened later to the same gene, STR or region, or to the sign-off; oldest first. */
  readonly later: readonly LaterTurn[];
  /** Whether the last of these took the change back. */
  readonly isReverted: boolean;
  readonly signOffs: readonly SeenSignOff[];
  /** The sign-off that opened the entry again; null where none did. */
  readonly reopenedBy: SeenSignOff | null;
  /** False where the history, or the settings, no longer have the change: the decision has it. */
  readonly isDerived: boolean;
}

interface WorklistParts {
  /** The changes that matter, from the history. */
  readonly changes: readonly Pick<FoundChange, 'change' | 'later' | 'isReverted'>[];
  /** Every sign-off, oldest first. */
  readonly signOffs: readonly SignOffEvent[];
  readonly record: WorklistRecord;
  readonly now: Instant;
  readonly overdueDays: number;
}

const DAY = 86_400_000_000n;

/**
 * The entries of a worklist, oldest first: the changes that matter, with what was decided about them. Nothing is kept of it but
 * decisions and readings, so that the same history and record give the same entries always. A change that was decided about and that
 * the history no longer has is an entry still; so is one with a comment or an assignment.
 */
export function worklistOf({
  changes,
  signOffs,
  record,
  now,
  overdueDays,
}: WorklistParts): readonly WorklistEntry[] {
  const decisions = Map.groupBy(record.decisions, ({ entry }) => entry);
  const readings = Map.groupBy(record.readings, ({ entry }) => entry);
  const comments = Map.groupBy(record.comments, ({ entry }) => entry);
  const assignments = Map.groupBy(record.assignments, ({ entry }) => entry);
  const signOffsOf = seenSignOffs(signOffs);
  const present = formatInstant(now);
  const derived = new Map(changes.map((found) => [found.change.id, { ...found, isDerived: true }]));
  for (const { entry, about } of [...record.decisions, ...record.comments, ...record.assignments]) {
    if (!derived.has(entry))
      derived.set(entry, { change: about, later: [], isReverted: false, isDerived: false });
  }
  const entries = [...derived.values()].map(({ change, later, isReverted, isDerived }): WorklistEntry => {
    const own = decisions.get(change.id)?.toSorted(byNumber) ?? [];
    const given = assignments.get(change.id)?.toSorted(byNumber) ?? [];
    const seen = signOffsOf(change);
    const over = isReverted && isOfDisagreement(change) ? (later[0]?.at ?? null) : null;
    const { state, since, reopenedBy } = stateOf(own, seen, { at: change.at, over, present });
    const due = dueAt({ state, since }, overdueDays);
    // A second object that is spread takes longer than all else here.
    return {
      ...change,
      state,
      since,
      reopenedBy,
      revision: own.length,
      due,
      isOverdue: due !== null && due < present,
      decisions: own,
      readings: readings.get(change.id) ?? [],
      comments: inOrder(comments.get(change.id) ?? []),
      assignments: given,
      assignee: given.at(-1)?.to ?? null,
      later,
      isReverted,
      signOffs: seen,
      isDerived,
    };
  });
  return entries.toSorted(byTime);
}

/** Orders entries, the oldest first. */
export const byTime = (one: WorklistEntry, other: WorklistEntry): number =>
  compare(one.at, other.at) || compare(one.id, other.id);

/** An entry that is open since a time before this one, ISO 8601 in UTC, is overdue. */
export const overdueBefore = ({ overdueDays }: Pick<WorklistParts, 'overdueDays'>, now: Instant): string =>
  formatInstant(now - BigInt(overdueDays) * DAY);

const byNumber = (one: { readonly number: number }, other: { readonly number: number }): number =>
  one.number - other.number;

type Standing = Pick<WorklistEntry, 'state' | 'since' | 'reopenedBy'>;

function stateOf(
  decisions: readonly Decision[],
  signOffs: readonly SeenSignOff[],
  {
    at,
    over,
    present,
  }: {
    readonly at: string /** Null where it is so still. */;
    readonly over: string | null;
    readonly present: string;
  },
): Standing {
  const last = decisions.at(-1);
  // How catalogues stand to each other since has an entry of its own: only that one needs a decision.
  if (!last && over !== null) return { state: 'no-action', since: over, reopenedBy: null };
  if (!last) return { state: 'open', since: at, reopenedBy: null };
  const asDecided: Standing = { state: last.state, since: last.at, reopenedBy: null };
  if (last.state !== 'wait-for-sign-off') return asDecided;
  const [reopenedBy] = signOffs.filter(
    (signOff) => countsAt(signOff, present) && !last.signOffs.includes(signOff.event),
  );
  if (!reopenedBy) return asDecided;
  const day = `${reopenedBy.countsFrom}T00:00:00.000000Z`;
  // It is open from when both were known: the decision to wait, and the sign-off that counts.
  const since = [last.at, reopenedBy.at, day].toSorted().at(-1) ?? last.at;
  return { state: 'open', since, reopenedBy };
}

function dueAt({ state, since }: { readonly state: WorklistState; readonly since: string }, days: number) {
  const begun = parseInstant(since);
  if (!worklistStateForms[state].isPending || begun === null) return null;
  return formatInstant(begun + BigInt(days) * DAY);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

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
): boolean => asked === 'any' || asked === (changeForm(kind).direction?.replaceAll(' ', '-') ?? 'other');

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

/** Comments oldest first. */
const inOrder = (comments: readonly Comment[]): readonly Comment[] =>
  comments.toSorted(
    (one, other) => compare(one.at, other.at) || one.number - other.number || compare(one.id, other.id),
  );

/**
 * Whether an entry is that of a person, by one of their names; a name may be stated with the account after it, as in
 * `Ann Example (ann)`.
 * @param names null asks for entries that no person has
 */
export function isAssignedTo(assignee: string | null, names: readonly string[] | null): boolean {
  if (assignee === null || names === null) return assignee === names;
  const keysOf = (name: string): readonly string[] => [
    nameKey(name),
    nameKey(name.replace(/ \([^)]*\)$/, '')),
  ];
  return names.some((name) => keysOf(assignee).includes(nameKey(name)));
}
