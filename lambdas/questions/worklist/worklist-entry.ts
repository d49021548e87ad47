import type { WorklistChange } from './worklist-change.ts';
import type { Assignment, Comment, Decision, LaterTurn, Reading, WorklistState } from './worklist-record.ts';

/** A sign-off of the panel that has, or may have, the change in it. */
export interface SeenSignOff {
  /** The id of its event. */
  readonly event: string;
  /** When it was made known, ISO 8601 in UTC. */
  readonly at: string;
  /** Null where the list of signed-off versions was not read. */
  readonly version: string | null;
  /** The day from which it counts, such as `2026-05-06`. */
  readonly countsFrom: string;
  /** Whether it was withdrawn later. */
  readonly isWithdrawn: boolean;
}

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
