import { formatInstant, type Instant, parseInstant } from '../../run/instant.ts';
import type { SignOffEvent } from './changes-of-events.ts';
import { countsAt, inOrder, seenSignOffs } from './decide.ts';
import { isOfDisagreement } from './worklist-change.ts';
import type { SeenSignOff, WorklistEntry } from './worklist-entry.ts';
import {
  type Decision,
  type FoundChange,
  type LaterTurn,
  type WorklistRecord,
  type WorklistState,
  worklistStateForms,
} from './worklist-record.ts';

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

/** Changes of one thing, each with those after it: for what sign-offs brought and took away. */
export function withLaterOnes(
  changes: readonly FoundChange['change'][],
): readonly Omit<FoundChange, 'signedOff'>[] {
  const placeOf = ({ source, panel, entity }: FoundChange['change']): string =>
    JSON.stringify([source, panel.id ?? panel.name, entity && [entity.type, entity.name.toUpperCase()]]);
  const groups = Map.groupBy(changes, placeOf);
  return changes.map((change) => {
    const later = (groups.get(placeOf(change)) ?? [])
      .filter(({ at, entity }) => entity !== null && at > change.at)
      .map(laterOf);
    const now = later.at(-1);
    return {
      change,
      later,
      isReverted: now !== undefined && (now.to === 'green') !== (change.to === 'green'),
    };
  });
}

const laterOf = ({ event, at, from, to, panel }: FoundChange['change']): LaterTurn => ({
  ...{ event: event.id, at, from: from ?? 'unknown', to: to ?? 'unknown', version: panel.version },
});
