import { describe, expect, test } from 'vitest';
import { createRowNumbers, type LogPage, logPage, placedAt } from '../../lambdas/poll/log-page.ts';
import { createTie, type Tie } from '../../lambdas/poll/tie-reader.ts';
import { instantOf, letteredPage } from './lettered-page.ts';

const tied = instantOf('t');

/** A tie of pages that were read one after the other, and what each page after the first said. */
function tieOf(
  [lowest, ...above]: readonly [LogPage, ...LogPage[]],
  seen: ReadonlyMap<string, bigint | null> = new Map(),
): { tie: Tie; goesOn: readonly boolean[] } {
  const tie = createTie(lowest, { numbers: createRowNumbers(3), seen });
  return { tie, goesOn: above.map((page) => tie.add(page)) };
}

const keyOf = (row: string): string => letteredPage(1, row).rows[0]?.key ?? '';

describe('a tie is complete', () => {
  test.each<[string, readonly [LogPage, ...LogPage[]]]>([
    ['within a page', [letteredPage(2, 't1 t2 c'), letteredPage(1, 'z y x')]],
    ['across two pages', [letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t1')]],
    [
      'across three pages',
      [letteredPage(3, 't5 b a', { isLast: true }), letteredPage(2, 't2 t3 t4'), letteredPage(1, 'z y t1')],
    ],
    [
      'where it has the oldest rows',
      [letteredPage(3, 't2 t3 t4', { isLast: true }), letteredPage(2, 'z y t1')],
    ],
    ['where it has the newest rows', [letteredPage(1, 't1 t2 c')]],
    ['with two equal rows', [letteredPage(2, 't2 t2 c'), letteredPage(1, 'z y t3')]],
    [
      'once a row that a page left out was shown by another',
      [letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t2'), letteredPage(1, 'z y t1')],
    ],
    [
      'where a row was added to the newest ones',
      [letteredPage(1, 't1 t2 c'), letteredPage(1, 't0 t1 t2', { count: 10 })],
    ],
  ])('%s', (_, pages) => {
    expect(tieOf(pages).tie.isComplete()).toBe(true);
  });

  test('where the ledger has the row that no page showed', () => {
    const pages = [letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t2')] as const;
    const complete = (key: string, at: bigint | null): boolean =>
      tieOf(pages, new Map([[key, at]])).tie.isComplete();
    expect(complete(keyOf('t1'), tied)).toBe(true);
    expect(complete(keyOf('t1'), null), 'a row of an unknown time').toBe(false);
    expect(complete(keyOf('z'), instantOf('z')), 'a row of another instant').toBe(false);
    expect(complete(keyOf('t2'), tied), 'a row that a page showed').toBe(false);
  });
});

describe('a tie is not complete', () => {
  test.each<[string, readonly [LogPage, ...LogPage[]]]>([
    ['where two pages leave out the same row', [letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t2')]],
    ['while no newer row was seen', [letteredPage(2, 't2 t3 c')]],
    ['where it may go on below the lowest page', [letteredPage(2, 't1 t2 t3'), letteredPage(1, 'z y x')]],
    [
      'where the count is unusable',
      [letteredPage(2, 't2 t3 c', { count: null }), letteredPage(1, 'z y t1', { count: null })],
    ],
    [
      'where rows were added to the newest ones that no page showed',
      [letteredPage(1, 't1 t2 c'), letteredPage(1, 't0 t1 t2', { count: 11 })],
    ],
  ])('%s', (_, pages) => {
    expect(tieOf(pages).tie.isComplete()).toBe(false);
  });

  test('once rows of the log have other numbers', () => {
    const { tie } = tieOf([letteredPage(2, 't1 t2 c'), letteredPage(1, 'z y x')]);
    tie.lose();
    expect(tie.isComplete()).toBe(false);
  });
});

test('a tie is complete again once its pages show all of it after rows vanished; rows of the ledger do not count then', () => {
  const pages = [letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t2')] as const;
  const { tie } = tieOf(pages, new Map([[keyOf('t1'), tied]]));
  tie.lose();
  for (const page of pages) tie.add(page);
  expect(tie.isComplete()).toBe(false);
  tie.add(letteredPage(1, 'z y t1'));
  expect(tie.isComplete()).toBe(true);
});

test('a tie is spread where several pages have rows of it', () => {
  const spread = (...pages: readonly [LogPage, ...LogPage[]]): boolean => tieOf(pages).tie.isSpread;
  expect(spread(letteredPage(2, 't1 t2 c'))).toBe(false);
  expect(spread(letteredPage(2, 't1 t2 c'), letteredPage(1, 'z y x'))).toBe(false);
  expect(spread(letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t1'))).toBe(true);
});

test('a tie may go on where the newest row of a page belongs to it, but not above page 1', () => {
  const lowest = letteredPage(3, 't5 b a', { isLast: true });
  const goesOn = (page: LogPage): boolean | undefined => tieOf([lowest, page]).goesOn[0];
  expect(goesOn(letteredPage(2, 't2 t3 t4'))).toBe(true);
  expect(goesOn(letteredPage(2, 'z t3 t4'))).toBe(false);
  expect(goesOn(letteredPage(2, 'z y x'))).toBe(false);
  expect(goesOn(letteredPage(1, 't2 t3 t4'))).toBe(false);
});

test('rows that have no time of their own are no part of a tie', () => {
  const raw = [1, 2, 3].map((id) => ({ created: 'yesterday', text: `unplaced ${id}` }));
  const page = logPage({ page: 2, rows: raw, count: 9, hasNext: true, serverTime: null });
  if (!page) throw new Error('a page needs rows');
  const { tie, goesOn } = tieOf([letteredPage(3, 't5 b a', { isLast: true }), placedAt(page, tied)]);
  expect(goesOn).toStrictEqual([false]);
  expect([...tie.rows.keys()]).toStrictEqual([keyOf('t5')]);
});

describe('the pages of a tie', () => {
  const { tie } = tieOf([letteredPage(2, 't2 t3 c'), letteredPage(1, 'z y t1')]);

  test.each([
    [9, [1, 2]],
    [10, [2]],
    [12, [2, 3]],
    [13, [3]],
  ])('follow its rows when the log has %i', (count, pages) => {
    expect(tie.pagesIn(count)).toStrictEqual(pages);
  });

  test('reach page 1 while no newer row was seen', () => {
    expect(tieOf([letteredPage(2, 't2 t3 c')]).tie.pagesIn(12)).toStrictEqual([1, 2, 3]);
  });

  test('include the page below where its oldest row is unknown', () => {
    expect(tieOf([letteredPage(2, 't1 t2 t3'), letteredPage(1, 'z y x')]).tie.pagesIn(9)).toStrictEqual([
      2, 3,
    ]);
  });
});
