import { earlier, type Instant } from '../clock/instant.ts';
import type { Beginning, MovedMark, Position } from './position.ts';

/** What is known of a log that was not read since the position was set. */
const unread = { waits: 0, gap: null, older: null, search: null } as const;

/** The first position of a catalogue. */
export function firstPosition({ mark, start, count, source }: Beginning): Position {
  return { version: 1, mark, start, ledgerSince: start, count, source, ...unread };
}

/** The position after a write. A time before which a service asked for no request ends unless it is given. */
export function nextPosition(before: Position, change: Partial<Omit<Position, 'version'>>): Position {
  const { notBefore: _over, moves = [], ...kept } = before;
  const { moves: given = [], ...next } = { ...kept, ...change, version: before.version + 1 };
  const all = [...moves, ...given];
  // A later move that goes further back says what an earlier one said.
  const lasting = all.filter((one, index) => !all.slice(index + 1).some(({ after }) => after <= one.after));
  return { ...next, ...(lasting.length > 0 && { moves: lasting }) };
}

/** What a mark that is moved back leaves in the position of a ledger that cannot lose its rows with the same write. */
export function movesBack({ version, mark: until }: Position, after: Instant): readonly MovedMark[] {
  return after < until ? [{ version, after, until }] : [];
}

/**
 * The position once a person moves the mark: the next poll publishes the rows of the log after it, and none before.
 * The ledger has to lose its rows after the mark, or `moves` says which of them count no more.
 */
export function movedPosition(before: Position, mark: Instant, moves: readonly MovedMark[] = []): Position {
  const { ledgerSince, start } = before;
  const isCovered = mark >= ledgerSince && mark <= before.mark;
  return nextPosition(before, {
    mark,
    start: earlier(start, mark),
    // Behind this instant no row is read: rows that the ledger does not know would be taken for late ones.
    ledgerSince: isCovered ? ledgerSince : mark + 1n,
    count: null,
    ...unread,
    moves,
  });
}
