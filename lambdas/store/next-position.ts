import { earlier, type Instant, later } from '../run/instant.ts';
import type { Beginning, MovedMark, Position } from './position.ts';

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
