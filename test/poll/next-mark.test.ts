import { describe, expect, test } from 'vitest';
import { nextMark } from '../../lambdas/poll/poll.ts';
import { firstPosition, type Position } from '../../lambdas/store/position.ts';

const before: Position = {
  ...firstPosition({ mark: 100n, start: 0n, count: 7, source: 'https://catalogue.example/' }),
  waits: 1,
};
const end = { waiting: 0, unpaired: 0 };
const rows = [{ at: 120n }, { at: 110n }];
const given = {
  position: before,
  now: 1000n,
  watermarkLimit: null,
  count: 9,
  end,
  newestRow: 150n,
  foundInGap: false,
};

describe('the mark', () => {
  test('is the newest row of the log once all rows are published', () => {
    expect(nextMark(rows, given)).toStrictEqual({ mark: 150n, count: 9, gap: null, waits: 0 });
    expect(nextMark([], given).mark).toBe(150n);
  });

  test('is the newest published row while others wait or are still to come', () => {
    expect(nextMark(rows, { ...given, end: { waiting: 1, unpaired: 0 } })).toStrictEqual({
      mark: 120n,
      count: 9,
      gap: null,
      waits: 2,
    });
    expect(nextMark(rows, { ...given, end: null }).mark).toBe(120n);
  });

  test('never passes the limit or the present, and never moves back', () => {
    expect(nextMark(rows, { ...given, watermarkLimit: 115n }).mark).toBe(115n);
    expect(nextMark(rows, { ...given, now: 116n }).mark).toBe(116n);
    expect(nextMark(rows, { ...given, now: 116n, watermarkLimit: 118n }).mark).toBe(116n);
    expect(nextMark(rows, { ...given, watermarkLimit: 90n }).mark).toBe(100n);
  });
});

describe('before the last chunk', () => {
  const gap = { at: 90n, polls: 3 };
  const early = { ...given, position: { ...before, gap }, end: null };

  test('waits and the gap stay as they were', () => {
    expect(nextMark(rows, early)).toMatchObject({ gap, waits: 1, count: 9 });
  });

  test('the count stays as it was where a page gives none', () => {
    expect(nextMark(rows, { ...early, count: null }).count).toBe(7);
    expect(nextMark(rows, { ...given, count: null }).count).toBeNull();
  });
});

test('polls are counted that find nothing in a gap, from 0 for another gap or a row that was found', () => {
  const position = { ...before, gap: { at: 90n, polls: 3 } };
  expect(nextMark(rows, { ...given, position, watermarkLimit: 90n }).gap).toStrictEqual({
    at: 90n,
    polls: 4,
  });
  expect(nextMark(rows, { ...given, position, watermarkLimit: 91n }).gap).toStrictEqual({
    at: 91n,
    polls: 0,
  });
  expect(nextMark(rows, { ...given, position, watermarkLimit: 90n, foundInGap: true }).gap).toStrictEqual({
    at: 90n,
    polls: 0,
  });
  expect(nextMark(rows, { ...given, watermarkLimit: 90n }).gap).toStrictEqual({ at: 90n, polls: 0 });
  expect(nextMark(rows, { ...given, position }).gap).toBeNull();
});
