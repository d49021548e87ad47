import { describe, expect, test } from 'vitest';
import {
  firstPosition,
  movedPosition,
  movesBack,
  nextPosition,
  type Position,
  readFloor,
} from '../../lambdas/store/position.ts';

const first = firstPosition({ mark: 100n, start: 50n, count: 7, source: 'https://catalogue.example/' });
const move = (after: bigint, until: bigint) => ({ version: 1, after, until });

test('the first position covers the log from its start', () => {
  expect(first).toStrictEqual({
    version: 1,
    mark: 100n,
    start: 50n,
    ledgerSince: 50n,
    count: 7,
    source: 'https://catalogue.example/',
    waits: 0,
    gap: null,
    older: null,
    search: null,
  });
});

test('no row is read before the overlap, the start, or what the ledger covers', () => {
  expect(readFloor(first, 10n)).toBe(90n);
  expect(readFloor(first, 60n)).toBe(50n);
  expect(readFloor({ ...first, ledgerSince: 95n }, 10n)).toBe(95n);
});

describe('the next position', () => {
  test('has the next version and what changed', () => {
    expect(nextPosition(first, { mark: 110n })).toStrictEqual({ ...first, version: 2, mark: 110n });
  });

  test('asks for no more waiting, unless it is given again', () => {
    const waiting: Position = { ...first, notBefore: 5 };
    expect(nextPosition(waiting, {})).not.toHaveProperty('notBefore');
    expect(nextPosition(waiting, { notBefore: 6 }).notBefore).toBe(6);
  });

  test('keeps the moves that no later one goes as far back as', () => {
    const moved: Position = { ...first, moves: [move(20n, 90n), move(40n, 95n)] };
    const movesAfter = (after: bigint) => nextPosition(moved, { moves: [move(after, 99n)] }).moves;
    expect(nextPosition(moved, {}).moves).toStrictEqual(moved.moves);
    expect(movesAfter(60n)).toStrictEqual([move(20n, 90n), move(40n, 95n), move(60n, 99n)]);
    expect(movesAfter(40n)).toStrictEqual([move(20n, 90n), move(40n, 99n)]);
    expect(movesAfter(10n)).toStrictEqual([move(10n, 99n)]);
  });
});

describe('a mark that a person moves', () => {
  const read: Position = { ...first, waits: 2, gap: { at: 99n, polls: 1 } };

  test('is stored as a move where it goes back, and not elsewhere', () => {
    expect(movesBack(first, 60n)).toStrictEqual([move(60n, 100n)]);
    expect(movesBack(first, 100n)).toStrictEqual([]);
    expect(movesBack(first, 101n)).toStrictEqual([]);
  });

  test('keeps what the ledger covers where that reaches from it to the mark before', () => {
    const unread = { version: 2, count: null, waits: 0, gap: null, older: null, search: null };
    expect(movedPosition(read, 60n)).toStrictEqual({ ...first, ...unread, mark: 60n });
    expect(movedPosition(read, 50n)).toMatchObject({ mark: 50n, start: 50n, ledgerSince: 50n });
    expect(movedPosition(read, 100n)).toMatchObject({ mark: 100n, ledgerSince: 50n });
  });

  test('begins anew after the ledger and ahead of the mark before', () => {
    expect(movedPosition(read, 40n)).toMatchObject({ mark: 40n, start: 40n, ledgerSince: 41n });
    expect(movedPosition(read, 101n)).toMatchObject({ mark: 101n, start: 50n, ledgerSince: 102n });
  });
});
