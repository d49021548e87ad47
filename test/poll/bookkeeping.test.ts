import { describe, expect, test } from 'vitest';
import type { OlderCount } from '../../lambdas/poll/log-page.ts';
import type { SearchRequest } from '../../lambdas/poll/poll-options.ts';
import {
  bookkeepingAfter,
  bookkeepingOf,
  differenceOf,
  goalOf,
  isSearched,
} from '../../lambdas/poll/search-older.ts';
import { type Instant, minutes } from '../../lambdas/run/instant.ts';
import type { OlderRows, Position, Search } from '../../lambdas/store/position.ts';
import { noon } from './simulated-log.ts';

const hours = (count: number): Instant => minutes(60 * count);
const days = (count: number): Instant => hours(24 * count);
const now = noon;
/** The instant back to which every row was read. */
const floor = now - hours(1);

const older: OlderRows = { before: floor, count: 10, surfaced: 0, vanished: 0 };
const search: Search = {
  until: floor,
  older: 10,
  since: floor - days(7),
  deeperFrom: now + hours(2),
  explained: false,
  tries: 0,
};

function positionOf(given: Partial<Position> = {}): Position {
  const begun = now - days(100);
  return {
    version: 1,
    mark: now,
    start: begun,
    ledgerSince: begun,
    count: null,
    source: 'https://catalogue.example/',
    waits: 0,
    gap: null,
    older,
    search: null,
    ...given,
  };
}

/** Counts of a log by the times of its rows; null for an instant that no page showed. */
const countsOf = (rows: number, unknown: readonly Instant[] = []): OlderCount => ({
  add: () => {},
  before: (at) => (unknown.includes(at) ? null : rows),
});

describe('the difference of the rows before the overlap', () => {
  const ledger = async (since: Instant): Promise<ReadonlyMap<string, Instant | null>> =>
    new Map([
      ['as old as the count', since],
      ['newer', since + 1n],
      ['at the floor', floor],
      ['without a time', null],
    ]);
  const difference = (position: Position, counts: OlderCount): Promise<number | null> =>
    differenceOf({ position, floor, counts }, { ledger });

  test('is what the log has more or less than it had', async () => {
    expect(await difference(positionOf(), countsOf(13))).toBe(3);
    expect(await difference(positionOf(), countsOf(8))).toBe(-2);
    const newer = positionOf({ older: { ...older, before: floor + 1n } });
    expect(await difference(newer, countsOf(12, [floor])), 'the count was of more rows').toBe(2);
  });

  test('leaves out the rows that were published since the count, and are older than the floor', async () => {
    const before = positionOf({ older: { ...older, before: floor - minutes(5) } });
    expect(await difference(before, countsOf(12, [floor - minutes(5)]))).toBe(0);
  });

  test('is unknown where the rows were never counted, or cannot be counted now', async () => {
    expect(await difference(positionOf({ older: null }), countsOf(13))).toBeNull();
    expect(await difference(positionOf(), countsOf(13, [floor]))).toBeNull();
  });
});

describe('after a poll', () => {
  const overlap = minutes(30);
  const keptAfter = (difference: number | null, position = positionOf(), counts = countsOf(20)) =>
    bookkeepingAfter(difference, { position, floor, now, counts, mark: now, overlap });

  test.each([0, null])(
    'without a difference, the rows before the new floor are counted: %s',
    (difference) => {
      expect(keptAfter(difference, positionOf({ search }))).toStrictEqual({
        older: { before: now - overlap, count: 20, surfaced: 0, vanished: 0 },
        search,
      });
    },
  );

  test('the rows before the old floor are counted where the new one cannot be', () => {
    expect(keptAfter(0, positionOf(), countsOf(20, [now - overlap])).older).toMatchObject({
      before: floor,
      count: 20,
    });
    expect(keptAfter(0, positionOf(), countsOf(20, [now - overlap, floor])).older).toStrictEqual(older);
  });

  test('rows that showed up or vanished are added up, and begin a search of seven days', () => {
    const position = positionOf({ older: { ...older, surfaced: 1, vanished: 4 } });
    const begun = { ...search, older: 20 };
    expect(keptAfter(3, position)).toMatchObject({ older: { surfaced: 4, vanished: 4 }, search: begun });
    expect(keptAfter(-2, position)).toMatchObject({ older: { surfaced: 1, vanished: 6 }, search: begun });
    expect(keptAfter(3, positionOf({ older: null })).older).toMatchObject({ surfaced: 3, vanished: 0 });
  });

  test('no search begins where nothing older was ever to be published', () => {
    expect(keptAfter(3, positionOf({ start: floor })).search).toBeNull();
    expect(keptAfter(3, positionOf({ ledgerSince: floor })).search).toBeNull();
    expect(keptAfter(3, positionOf({ start: floor - 1n })).search).not.toBeNull();
  });
});

describe('what a sweep asks for', () => {
  const unexplained = positionOf({ older: { ...older, surfaced: 3, vanished: 2 } });
  const none = { more: false, fewer: false };
  const asked = (request: Partial<SearchRequest>, position = unexplained) =>
    bookkeepingOf(
      { since: null, newPanels: false, explains: none, ...request },
      { position, floor, now, counts: countsOf(20) },
    );

  test.each<[Partial<SearchRequest>, number, number]>([
    [{}, 3, 2],
    [{ explains: { more: true, fewer: false } }, 0, 2],
    [{ explains: { more: true, fewer: false }, newPanels: true }, 3, 2],
    [{ explains: { more: false, fewer: true } }, 3, 0],
  ])('explains rows: %j', (request, surfaced, vanished) => {
    expect(asked(request).older).toMatchObject({ surfaced, vanished });
  });

  test('explains nothing where rows were never counted', () => {
    expect(asked({ explains: { more: true, fewer: true } }, positionOf({ older: null })).older).toBeNull();
  });

  test('goes back as far as any search has to', () => {
    const deeper = { ...search, since: floor - days(30), deeperFrom: now + 5n, explained: true, tries: 7 };
    const underWay = positionOf({ search: deeper });
    expect(asked({}).search).toStrictEqual({ ...search, older: 20 });
    expect(asked({ since: floor - days(9) }).search?.since).toBe(floor - days(9));
    expect(asked({ since: floor - days(1) }).search?.since).toBe(floor - days(7));
    expect(asked({ since: floor - days(9) }, underWay).search).toStrictEqual({
      ...deeper,
      older: 20,
      tries: 0,
    });
  });

  test('goes to the start at once for a panel that was never listed', () => {
    expect(asked({ newPanels: true }).search).toMatchObject({ deeperFrom: now, explained: true });
  });
});

describe('how far a search goes, and when it ends', () => {
  const start = now - days(50);
  const since = now - days(7);
  const searching = (given: Partial<Search>, surfaced = 0, begun = start): Position =>
    positionOf({
      start: begun,
      older: { ...older, surfaced },
      search: { ...search, since, deeperFrom: now, ...given },
    });

  test.each<[string, Position, Instant | null, boolean]>([
    ['without a search', positionOf(), null, false],
    ['that has just begun', searching({ until: floor }), since, false],
    [
      'that has just begun, with a later start',
      searching({ until: floor }, 0, since + 9n),
      since + 9n,
      false,
    ],
    ['that reached its goal', searching({ until: since }), null, true],
    ['that reached its goal, where rows are missing', searching({ until: since }, 1), start, false],
    [
      'that reached its goal, before it goes deeper',
      searching({ until: since, deeperFrom: now + 1n }, 1),
      null,
      false,
    ],
    ['that reached the start, where rows are missing', searching({ until: start }, 1), null, true],
  ])('%s', (_, position, goal, isDone) => {
    expect(goalOf({ position, now })).toBe(goal);
    expect(isSearched(position)).toBe(isDone);
  });

  test('rows that were never counted are not missing', () => {
    const position = { ...searching({ until: since }), older: null };
    expect(goalOf({ position, now })).toBeNull();
    expect(isSearched(position)).toBe(true);
  });
});
