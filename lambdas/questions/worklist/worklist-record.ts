import * as z from 'zod';
import { type DisagreementStanding, ratingSchema } from '../../events/changes.ts';
import type { PanelEvent } from '../../events/schemas.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import { type Instant, parseInstant } from '../../run/instant.ts';
import { type ItemStore, readValue } from '../../store/items.ts';

interface ChangeForm {
  /** They follow the name of a gene or of a panel. */
  readonly words: string;
  /** The same where it is uncertain whether the entity was, or is, green. */
  readonly uncertain?: string;
  /** As `impact` names it; absent where it has none. */
  readonly direction?: 'now green' | 'no longer green' | 'mode of inheritance changed';
}

/** What an entry of the worklist can be about. */
const changeForms = {
  'now-green': { words: 'now green', uncertain: 'rated green, perhaps green before', direction: 'now green' },
  'no-longer-green': {
    words: 'no longer green',
    uncertain: 'may no longer be green',
    direction: 'no longer green',
  },
  'inheritance-changed': {
    words: 'mode of inheritance changed',
    uncertain: 'mode of inheritance changed, rating unknown',
    direction: 'mode of inheritance changed',
  },
  'signed-off-as-green': {
    words: 'signed off as green',
    uncertain: 'signed off as green, perhaps green before',
    direction: 'now green',
  },
  'no-longer-signed-off-as-green': {
    words: 'no longer signed off as green',
    uncertain: 'may no longer be signed off as green',
    direction: 'no longer green',
  },
  'signed-off-with-other-inheritance': {
    words: 'signed off with another mode of inheritance',
    direction: 'mode of inheritance changed',
  },
  'sign-off-not-compared': { words: 'signed off; what this changed is unknown' },
  'sign-off-withdrawn': { words: 'sign-off withdrawn' },
  'green-here-alone': { words: 'green in this catalogue only' },
  'green-there-alone': { words: 'green in the other catalogue only' },
  'green-here-red-there': { words: 'green in this catalogue, red or unrated in the other one' },
  'green-there-red-here': { words: 'green in the other catalogue, red or unrated in this one' },
  'other-inheritance-there': { words: 'green in both catalogues, with different modes of inheritance' },
  'agreed-again': { words: 'agreed on again by both catalogues' },
  'other-change': { words: 'changed' },
} as const satisfies Readonly<Record<string, ChangeForm>>;
type ChangeKind = keyof typeof changeForms;
/** What each kind of change means. */
export const changeForm = (kind: ChangeKind): ChangeForm => changeForms[kind];
/** The kinds that state what two catalogues disagree about, by how they stand to each other. */
export const disagreementKinds = {
  here: 'green-here-alone',
  there: 'green-there-alone',
  'here-two-steps': 'green-here-red-there',
  'there-two-steps': 'green-there-red-here',
  inheritance: 'other-inheritance-there',
  agreed: 'agreed-again',
} as const satisfies Readonly<Record<DisagreementStanding, ChangeKind>>;
const ofDisagreement: ReadonlySet<string> = new Set(Object.values(disagreementKinds));
/** Whether an entry states what two catalogues disagree about, or agree about again. */
export const isOfDisagreement = ({ kind }: { readonly kind: string }): boolean => ofDisagreement.has(kind);
/** Every kind of change. */
export const changeKinds = Object.keys(changeForms) as [ChangeKind, ...ChangeKind[]];

const status = z.union([ratingSchema, z.literal(['unknown', 'absent'])]);

/** A change that matters, as it is kept with a decision about it: the history may forget its events. */
export const worklistChangeSchema = z.object({
  /** The same change has the same id in every reading: 32 hexadecimal digits. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  kind: z.enum(changeKinds),
  /** False where the rating before is unknown: it may have been green already, or never. */
  isCertain: z.boolean(),
  catalogue: z.string(),
  /** The catalogue's `/api/v1/` URL. */
  source: z.string(),
  panel: z.object({
    id: z.number().int().nullable(),
    name: z.string(),
    /** After the change; of a sign-off, the version that is signed off. */
    version: z.string().nullable(),
    types: z.array(z.string()),
    disorders: z.array(z.string()),
  }),
  /** Null where the change is about a panel. */
  entity: z
    .object({ type: z.enum(['gene', 'str', 'region']), name: z.string(), hgncId: z.string().nullable() })
    .nullable(),
  from: status.nullable(),
  to: status.nullable(),
  /** The modes of inheritance before and after, null where not stated; absent where the change is none of it. */
  inheritance: z.object({ from: z.string().nullable(), to: z.string().nullable() }).exactOptional(),
  /** When it was made, ISO 8601 in UTC with six fractional digits; empty where the log gives no usable time. */
  at: z.string(),
  actor: z.string().nullable(),
  /** The event that states it. */
  event: z.object({ id: z.string(), type: z.string(), summary: z.string() }),
  late: z.boolean(),
});
export type WorklistChange = z.infer<typeof worklistChangeSchema>;

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

/** What people make of a worklist: each kind in a partition of its own, where an entry's id begins every id. */
const kinds = {
  decisions: { partition: 'worklist#decisions', schema: decisionSchema },
  readings: { partition: 'worklist#readings', schema: readingSchema },
  comments: { partition: 'worklist#comments', schema: commentSchema },
  assignments: { partition: 'worklist#assignments', schema: assignmentSchema },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly Kind[];
type Kept<Which extends Kind> = z.infer<(typeof kinds)[Which]['schema']>;

/** What people made of a worklist: decisions and assignments by entry and number, comments in any order. */
export type WorklistRecord = { readonly [Which in Kind]: readonly Kept<Which>[] };

/** The changes that somebody decided about, commented or assigned, as they were known then. */
export const touchedIn = ({ decisions, comments, assignments }: WorklistRecord): readonly WorklistChange[] =>
  [...decisions, ...comments, ...assignments].map(({ about }) => about);

/** The part of a record for which something holds. */
export const recordWhere = (record: WorklistRecord, holds: (one: Kept<Kind>) => boolean): WorklistRecord =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, record[kind].filter(holds)]),
  ) as unknown as WorklistRecord;

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
  /** The changes of a range, and all that were derived now. */
  changes(range: KeptRange): readonly FoundChange[];
  /** The sign-offs of some panels, or of every one; null is what has no panel. */
  signOffs(panels?: Iterable<number | null>): FoundChanges['signOffs'];
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
  /** What is kept of one entry, as it was written last: decisions and assignments in their order, comments in any. */
  of<Which extends Kind>(kind: Which, entry: string): Promise<readonly Kept<Which>[]>;
  /**
   * Keeps a decision or an assignment if its entry has none of that number, a comment if it has none of that id. Returns what is kept
   * there: the given one, or that of somebody who was first. The same one given again, after a lost reply or a kill, is kept once.
   */
  add<Which extends Added>(kind: Which, value: Kept<Which>): Promise<Kept<Which>>;
  /** Keeps who read an entry; a later reading by the same person changes nothing. */
  noteReading(reading: Reading): Promise<void>;
}
type Added = Exclude<Kind, 'readings'>;

/** What errors call what is kept of a worklist. */
export const WORKLIST = 'the worklist';

/**
 * A worklist as it was at an instant, to read it.
 * @param until as it is where undefined
 */
export function worklistUntil(store: WorklistStore, until: Instant | undefined): WorklistStore {
  if (until === undefined) return store;
  // The changes that are kept are those of now.
  const { changes: _changes, ...others } = store;
  return {
    ...others,
    record: async () => recordWhere(await store.record(), ({ at }) => (parseInstant(at) ?? until) <= until),
  };
}

/** The worklist's decisions, readings, comments and assignments in a store of items. They are only added. */
export function createWorklistStore(items: ItemStore): WorklistStore {
  async function read<Which extends Kind>(kind: Which, prefix = ''): Promise<Kept<Which>[]> {
    const { partition, schema } = kinds[kind];
    const kept = await items.list(partition, prefix);
    return kept.map((item) => readValue(item, { schema, place: items.place }) as Kept<Which>);
  }
  const idOf = (value: Kept<Added>): string =>
    `${value.entry}#${'id' in value ? value.id : String(value.number).padStart(6, '0')}`;

  return {
    async record() {
      const all = await Promise.all(kindNames.map(async (kind) => [kind, await read(kind)] as const));
      return Object.fromEntries(all) as unknown as WorklistRecord;
    },
    of: (kind, entry) => read(kind, `${entry}#`),
    async add(kind, value) {
      const id = idOf(value);
      if (await items.create({ partition: kinds[kind].partition, id, value })) return value;
      // Somebody else may have been first.
      return (await read(kind, id))[0] ?? value;
    },
    async noteReading(reading) {
      const id = `${reading.entry}#${reading.by}`;
      await items.create({ partition: kinds.readings.partition, id, value: reading });
    },
  };
}
