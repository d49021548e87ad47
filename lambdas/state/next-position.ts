import { ledgerSinceAfter } from './ledger.ts';
import type { Beginning, Position } from './store.ts';

/** The first position of a catalogue. */
export function firstPosition({ mark, start, count, source }: Beginning): Position {
  return { version: 1, mark, start, ledgerSince: start, count, source, waits: 0, gap: null };
}

/** The position after a write. A time before which a service asked for no request ends unless it is given. */
export function nextPosition(before: Position, change: Partial<Omit<Position, 'version'>>): Position {
  const { notBefore: _over, ...kept } = before;
  const after = { ...kept, ...change, version: before.version + 1 };
  return { ...after, ledgerSince: ledgerSinceAfter(after) };
}
