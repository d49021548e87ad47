import * as z from 'zod';
import { earlier, type Instant, later, minutes } from '../run/instant.ts';
import { longestOverlapMinutes } from './overlap.ts';
import { instantSchema, listOf } from './packed.ts';

const movedMarkSchema = z.lazy(() =>
  z.object({
    /** The position's version before the move. */
    version: z.number(),
    /** The new mark: rows after it count as unseen. */
    after: instantSchema,
    /** The mark before the move. */
    until: instantSchema,
  }),
);
/** A mark that a person moved back: rows that were published before the move count as unseen again. */
export type MovedMark = Readonly<z.infer<typeof movedMarkSchema>>;

const gapSchema = z.lazy(() =>
  z.object({
    at: instantSchema,
    /** Polls in a row that read its rows and found no new one. */
    polls: z.number(),
  }),
);
/** An instant whose rows were perhaps not all seen: they lay across pages that did not join. */
export type Gap = Readonly<z.infer<typeof gapSchema>>;

export const olderSchema = z.lazy(() =>
  z.object({
    /** Rows before this instant are counted. */
    before: instantSchema,
    count: z.number(),
    /** Rows that showed up and that neither a found row nor a panel explains. */
    surfaced: z.number(),
    /** Rows that vanished and that no hidden panel explains. */
    vanished: z.number(),
  }),
);
/** How many rows the log has before the overlap. A row that shows up or vanishes there changes the number. */
export type OlderRows = Readonly<z.infer<typeof olderSchema>>;

export const searchSchema = z.lazy(() =>
  z.object({
    /** Rows at or after this instant were searched. */
    until: instantSchema,
    /** How many rows are older than `until`, as counted last; null where unknown. */
    older: z.number().nullable(),
    /** How far back to search in any case. */
    since: instantSchema,
    /** From this time on, the search goes on to the start while rows that showed up are unexplained. */
    deeperFrom: instantSchema,
    /** Whether a panel that appeared explains the rows that are not found. */
    explained: z.boolean(),
    /** How often the next slice was searched without certainly showing every row of a tie. */
    tries: z.number(),
  }),
);
/** A search through the log for rows that are not published, in slices, from the newest to the oldest. */
export type Search = Readonly<z.infer<typeof searchSchema>>;

export const positionSchema = z.lazy(() =>
  z.object({
    /** Grows by one with every write. A write by a run that read an older version is refused. */
    version: z.number(),
    /** The high-water mark: every row up to and including this instant was published, as far as the log showed it. */
    mark: instantSchema,
    /** Rows before this instant are never published. */
    start: instantSchema,
    /** The ledger holds every row that was published and is dated at or after this instant. No poll reads before it. */
    ledgerSince: instantSchema,
    /** How many rows the log had, from its oldest row to the newest one that was read; null where unknown. */
    count: z.number().nullable(),
    /** Address of the catalogue whose log it is. */
    source: z.string(),
    /** Polls in a row that left rows for the next one, because a paired row may still be missing. */
    waits: z.number(),
    /** Where the log may have a row that no page showed; null where nothing suggests one. */
    gap: gapSchema.nullable(),
    /** How many rows the log has before the overlap; null where they were never counted. */
    older: olderSchema.nullable(),
    /** The search for rows that showed up before the overlap; null where none is under way. */
    search: searchSchema.nullable(),
    /** The time before which a service accepts no request, in milliseconds since the epoch. */
    notBefore: z.number().exactOptional(),
    /** The instant up to which this state's polls wrote to the history what was read; absent before the first time. */
    covered: instantSchema.exactOptional(),
    /** Marks that a person moved back; DynamoDB only. */
    moves: listOf(movedMarkSchema).exactOptional(),
  }),
);
/** How far the log of one catalogue was read and published. */
export type Position = Readonly<z.infer<typeof positionSchema>>;

/** Where a first poll begins. */
export type Beginning = Pick<Position, 'mark' | 'start' | 'count' | 'source'>;

/** The position's fields about rows before the overlap; an absent field stays as it is. */
export type Bookkeeping = Partial<Pick<Position, 'older' | 'search'>>;

/** Up to which instant the log is settled once a chunk is published: an event without a time counts as of then. */
export const settledUntil = ({ mark, covered = mark }: Pick<Position, 'mark' | 'covered'>): Instant =>
  later(mark, covered);

/** What is known of a log that was not read since the position was set. */
const unread = { waits: 0, gap: null, older: null, search: null } as const;

/** The first position of a catalogue. */
export function firstPosition({ mark, start, count, source }: Beginning): Position {
  return { version: 1, mark, start, ledgerSince: start, count, source, ...unread };
}

/** The position after a write. `notBefore` ends with this write unless the change has it. */
export function nextPosition(before: Position, change: Partial<Omit<Position, 'version'>>): Position {
  const { notBefore: _over, moves = [], ...kept } = before;
  const { moves: given = [], ...next } = { ...kept, ...change, version: before.version + 1 };
  const all = [...moves, ...given];
  // A later move that goes further back includes an earlier one.
  const lasting = all.filter((one, index) => !all.slice(index + 1).some(({ after }) => after <= one.after));
  return { ...next, ...(lasting.length > 0 && { moves: lasting }) };
}

/** The moves to store for a new mark, where the write of the position cannot also delete rows of the ledger. */
export function movesBack({ version, mark: until }: Position, after: Instant): readonly MovedMark[] {
  return after < until ? [{ version, after, until }] : [];
}

/**
 * The position once a person moves the mark: the next poll publishes the rows of the log after it, and none before.
 * The caller deletes the ledger's rows after the mark, or gives `moves`, by which they count as unseen.
 */
export function movedPosition(before: Position, mark: Instant, moves: readonly MovedMark[] = []): Position {
  const { ledgerSince, start } = before;
  const isCovered = mark >= ledgerSince && mark <= before.mark;
  return nextPosition(before, {
    mark,
    start: earlier(start, mark),
    // No row before this instant is read: rows that the ledger lacks would count as late.
    ledgerSince: isCovered ? ledgerSince : mark + 1n,
    count: null,
    ...unread,
    moves,
  });
}

/** A row in the processed-row ledger. */
export interface LedgerRow {
  /** 32 hexadecimal digits. */
  readonly key: string;
  /** When the row was written; null where its time is unusable: such a row is kept at any mark. */
  readonly at: Instant | null;
}

/** The most rows without a usable time that the ledger keeps. Beyond them, it drops those published first. */
export const MOST_UNPLACED_ROWS = 10_000;

/** The oldest instant of rows that a poll reads: the mark less the overlap, but nothing that the ledger lacks. */
export function readFloor({ mark, start, ledgerSince }: Position, overlap: Instant): Instant {
  return [start, ledgerSince].reduce(later, mark - overlap);
}

/** A poll reads back at most this far before the mark. */
const LONGEST_OVERLAP = minutes(longestOverlapMinutes);

/** Whether the ledger's rows from before an instant can be forgotten: there may be some, and no poll reads them again. */
export const mayForget = ({ mark, ledgerSince }: Position, before: Instant): boolean =>
  before > ledgerSince && before <= mark - LONGEST_OVERLAP;

/** Rows of the ledger as a set to look up: keys with their times. */
export function seenRows(rows: Iterable<LedgerRow>): Map<string, Instant | null> {
  const seen = new Map<string, Instant | null>();
  for (const { key, at } of rows) seen.set(key, at);
  return seen;
}
