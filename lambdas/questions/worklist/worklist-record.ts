import * as z from 'zod';
import type { PanelEvent } from '../../events/schemas.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import { type Instant, parseInstant } from '../../run/instant.ts';
import { type ItemStore, readValue } from '../../store/items.ts';
import { type WorklistChange, worklistChangeSchema } from './worklist-change.ts';

/** The states of an entry. It has exactly one of them. */
export const worklistStates = ['open', 're-analyse', 'wait-for-sign-off', 'no-action', 'done'] as const;
export type WorklistState = (typeof worklistStates)[number];

interface StateForm {
  /** For people. */
  readonly words: string;
  /** Whether somebody still has to do something: then the entry becomes overdue. */
  readonly isPending: boolean;
}

/** What each state means. */
export const worklistStateForms: Readonly<Record<WorklistState, StateForm>> = {
  open: { words: 'open', isPending: true },
  're-analyse': { words: 're-analyse', isPending: true },
  'wait-for-sign-off': { words: 'wait for sign-off', isPending: false },
  'no-action': { words: 'no action', isPending: false },
  done: { words: 'done', isPending: false },
};

/** A further change of what an entry is about. */
export interface LaterTurn {
  /** The id of its event. */
  readonly event: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly from: EntityStatus;
  readonly to: EntityStatus;
  readonly version: string | null;
}

/** A change, and what happened later to the same gene, STR or region. */
export interface FoundChange {
  readonly change: WorklistChange;
  /** Oldest first; the same objects in each change of one entity. */
  readonly later: readonly LaterTurn[];
  readonly isReverted: boolean;
  readonly signedOff: SignedOffThen;
}

/** What an event says of the version that was signed off when it happened; null where it says nothing. */
export interface SignedOffThen {
  readonly version: string | null;
  readonly isSignedOff: boolean | null;
}

/** What the events of a history give a worklist, before the states of panels are asked. */
export interface FoundChanges {
  /** Changes of working versions that the filter asks for. */
  readonly changes: readonly FoundChange[];
  /** Every sign-off and withdrawal, oldest first, also of panels that the filter leaves out. */
  readonly signOffs: readonly PanelEvent<'panel.signed-off'>[];
  /** Rows of the log that could not be read, on the panels asked for: they may state a change. */
  readonly unread: readonly WorklistChange[];
}

/** Names and reasons longer than this are refused. */
export const LONGEST_NAME = 200;
export const LONGEST_REASON = 4000;

/** What somebody decided about an entry. Decisions are never changed or removed: a further one takes an earlier one back. */
const decisionSchema = z.object({
  entry: z.string(),
  /** Counts the decisions of an entry, from 1. */
  number: z.number().int().positive(),
  state: z.enum(worklistStates),
  by: z.string().min(1).max(LONGEST_NAME),
  /** ISO 8601 in UTC. */
  at: z.string(),
  why: z.string().min(1).max(LONGEST_REASON),
  /** The ids of the events of the sign-offs that counted when it was decided: later ones open an entry that waits. */
  signOffs: z.array(z.string()),
  /** What it was decided about, as it was known then. */
  about: worklistChangeSchema,
});
export type Decision = z.infer<typeof decisionSchema>;

/** That somebody read an entry; the first time counts. */
const readingSchema = z.object({
  entry: z.string(),
  by: z.string().min(1).max(LONGEST_NAME),
  at: z.string(),
});
export type Reading = z.infer<typeof readingSchema>;

/** What somebody said of an entry, beside the reasons of decisions. Comments are never changed or removed, and change no state. */
const commentSchema = z.object({
  entry: z.string(),
  /** 32 hexadecimal digits; the same comment, sent again, has the same id. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** Counts the comments of the person on the entry, from 1; two that were sent at once may have the same. */
  number: z.number().int().positive(),
  by: z.string().min(1).max(LONGEST_NAME),
  at: z.string(),
  text: z.string().min(1).max(LONGEST_REASON),
  about: worklistChangeSchema,
});
export type Comment = z.infer<typeof commentSchema>;

/** The person who has an entry from then on. Assignments are never changed or removed: the last one counts, and no state depends on it. */
const assignmentSchema = z.object({
  entry: z.string(),
  /** Counts the assignments of an entry, from 1. */
  number: z.number().int().positive(),
  /** Null where the entry is freed. */
  to: z.string().min(1).max(LONGEST_NAME).nullable(),
  by: z.string().min(1).max(LONGEST_NAME),
  at: z.string(),
  about: worklistChangeSchema,
});
export type Assignment = z.infer<typeof assignmentSchema>;

/** What people made of a worklist. */
export interface WorklistRecord {
  /** By entry and number. */
  readonly decisions: readonly Decision[];
  /** By entry and time. */
  readonly readings: readonly Reading[];
  /** In any order. */
  readonly comments: readonly Comment[];
  /** By entry and number. */
  readonly assignments: readonly Assignment[];
}

/** Which kept changes: all of them where it states nothing. Times are ISO 8601 in UTC; a change without one is of any period. */
export interface KeptRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only changes with a time before this one. */
  readonly before?: string | undefined;
  readonly catalogue?: string | undefined;
  readonly kinds?: readonly WorklistChange['kind'][] | undefined;
  readonly ids?: Iterable<string>;
  /** -1: without a panel. */
  readonly panels?: Iterable<number>;
  readonly places?: readonly number[] | undefined;
  /** Only changes on panels of which an event has one of these names, in the form of `nameKey`. */
  readonly names?: readonly string[];
  readonly withoutIds?: Iterable<string>;
}

/** A panel as some changes state it. */
export interface KeptPlace {
  readonly place: number;
  readonly about: Pick<WorklistChange, 'catalogue'> & {
    readonly panel: Omit<WorklistChange['panel'], 'version'>;
  };
}

/** The kept changes of a worklist of green. Those of panels with newer events were derived now: only `count` and `slice` leave them out. */
export interface KeptChanges {
  /** With a range, the changes are those of it, and all that were derived now. */
  all(about?: Pick<KeptRange, 'panels' | 'names'>): FoundChanges;
  /** The changes with some ids, and all that were derived now. */
  of(ids: Iterable<string>): readonly FoundChange[];
  /** The sign-offs of some panels; null is what has no panel. */
  signOffsOf(panels: Iterable<number | null>): readonly PanelEvent<'panel.signed-off'>[];
  /** The rows of the log that could not be read. */
  unread(): FoundChanges['unread'];
  /** Where changes are, or were. */
  places(): readonly KeptPlace[];
  count(range: KeptRange): number;
  /** Some of the changes of a range in their order, by time and id. */
  slice(
    range: KeptRange,
    wanted: { readonly order: 'oldest' | 'newest'; readonly begin: number; readonly size: number },
  ): readonly FoundChange[];
}

/**
 * Keeps decisions, readings, comments and assignments; nothing is ever changed or removed.
 * @throws {StateError} from every method, when the store cannot be read or written
 */
export interface WorklistStore {
  record(): Promise<WorklistRecord>;
  /** Reads the changes of a worklist of green, whatever its settings, where they are kept; null where they must be derived. */
  readonly changes?: <Value>(read: (kept: KeptChanges) => Value) => Promise<Value | null>;
  /** Keeps what the events have changed since, where nothing else does. Several runs may do it at once. */
  readonly keep?: () => Promise<void>;
  /** The decisions about one entry, in their order, as they were written last. */
  decisionsOf(entry: string): Promise<readonly Decision[]>;
  /**
   * Keeps a decision if its entry has none of that number. Returns what is kept under the number: the given decision, or
   * that of somebody who was first. The same decision given again, after a lost reply or a kill, is kept once.
   */
  append(decision: Decision): Promise<Decision>;
  /** Keeps who read an entry; a later reading by the same person changes nothing. */
  noteReading(reading: Reading): Promise<void>;
  /** The comments on one entry, as they were written last, in any order. */
  commentsOf(entry: string): Promise<readonly Comment[]>;
  /** Keeps a comment if its entry has none of that id. Returns what is kept under the id. */
  addComment(comment: Comment): Promise<Comment>;
  /** The assignments of one entry, in their order, as they were written last. */
  assignmentsOf(entry: string): Promise<readonly Assignment[]>;
  /** Keeps an assignment if its entry has none of that number. Returns what is kept under the number. */
  addAssignment(assignment: Assignment): Promise<Assignment>;
}

/** What a worklist keeps: each in a partition of its own, where an entry's id begins every id. */
const kinds = {
  decisions: { partition: 'worklist#decisions', schema: decisionSchema },
  readings: { partition: 'worklist#readings', schema: readingSchema },
  comments: { partition: 'worklist#comments', schema: commentSchema },
  assignments: { partition: 'worklist#assignments', schema: assignmentSchema },
} as const;
type Kind = keyof typeof kinds;
type Kept<Which extends Kind> = z.infer<(typeof kinds)[Which]['schema']>;

/** What errors call what is kept of a worklist. */
export const WORKLIST = 'the worklist';

/**
 * A worklist as it was at an instant, to read it.
 * @param until as it is where undefined
 */
export function worklistUntil(store: WorklistStore, until: Instant | undefined): WorklistStore {
  if (until === undefined) return store;
  const then = <Kept extends { readonly at: string }>(all: readonly Kept[]): readonly Kept[] =>
    all.filter(({ at }) => (parseInstant(at) ?? until) <= until);
  // The changes that are kept are those of now.
  const { changes: _changes, ...others } = store;
  return {
    ...others,
    async record() {
      const { decisions, readings, comments, assignments } = await store.record();
      return {
        decisions: then(decisions),
        readings: then(readings),
        comments: then(comments),
        assignments: then(assignments),
      };
    },
  };
}

/** The worklist's decisions, readings, comments and assignments in a store of items. They are only added. */
export function createWorklistStore(items: ItemStore): WorklistStore {
  async function read<Which extends Kind>(kind: Which, prefix = ''): Promise<Kept<Which>[]> {
    const { partition, schema } = kinds[kind];
    const kept = await items.list(partition, prefix);
    return kept.map((item) => readValue(item, { schema, place: items.place }) as Kept<Which>);
  }
  /** Keeps a value where there is none of its id, and returns what is kept then: somebody else may have been first. */
  async function add<Which extends Kind>(kind: Which, id: string, value: Kept<Which>): Promise<Kept<Which>> {
    if (await items.create({ partition: kinds[kind].partition, id, value })) return value;
    return (await read(kind, id))[0] ?? value;
  }
  const placed = ({ entry, number }: { readonly entry: string; readonly number: number }): string =>
    `${entry}#${String(number).padStart(6, '0')}`;

  return {
    async record() {
      const [decisions, readings, comments, assignments] = await Promise.all([
        read('decisions'),
        read('readings'),
        read('comments'),
        read('assignments'),
      ]);
      return { decisions, readings, comments, assignments };
    },
    decisionsOf: (entry) => read('decisions', `${entry}#`),
    append: (decision) => add('decisions', placed(decision), decision),
    commentsOf: (entry) => read('comments', `${entry}#`),
    addComment: (comment) => add('comments', `${comment.entry}#${comment.id}`, comment),
    assignmentsOf: (entry) => read('assignments', `${entry}#`),
    addAssignment: (assignment) => add('assignments', placed(assignment), assignment),
    async noteReading(reading) {
      await items.create({
        ...{ partition: kinds.readings.partition, id: `${reading.entry}#${reading.by}`, value: reading },
      });
    },
  };
}
