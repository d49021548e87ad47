import { describe, expect, test } from 'vitest';
import { type ActivityFeed, activityFeed } from '../../../sandbox/catalogue/content.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';

const row = (name: string, at: number, panelId = 1): { at: number; panelId: number; row: string } => ({
  at,
  panelId,
  row: name,
});

function feedOf(...rows: ReturnType<typeof row>[]): ActivityFeed {
  const feed = activityFeed('fixed', seededRandom(1));
  feed.add(rows);
  return feed;
}

const all = (feed: ActivityFeed): readonly string[] =>
  feed.items(0, feed.count).map((item) => JSON.parse(item) as string);

describe('order', () => {
  test('newest first, in any order of adding', () => {
    const feed = feedOf(row('b', 2), row('a', 1), row('c', 3));
    feed.add([row('late', 1.5)]);
    expect(all(feed)).toEqual(['c', 'b', 'late', 'a']);
  });

  test('with fixed ties, the row added last comes first among equals', () => {
    expect(all(feedOf(row('a', 1), row('b', 1), row('c', 1)))).toEqual(['c', 'b', 'a']);
  });

  test('a page is a part of the list', () => {
    const feed = feedOf(row('a', 1), row('b', 2), row('c', 3));
    expect(feed.items(1, 2)).toEqual(['"b"']);
    expect(feed.items(2, 100)).toEqual(['"a"']);
    expect(feed.items(3, 100)).toEqual([]);
  });
});

describe('ties that are redrawn', () => {
  const tied = (random: () => number): ActivityFeed => {
    const feed = activityFeed('redrawn', random);
    feed.add([row('old', 1), ...['a', 'b', 'c', 'd', 'e'].map((name) => row(name, 2)), row('new', 3)]);
    return feed;
  };

  test('change their order between requests', () => {
    const feed = tied(seededRandom(1));
    const orders = Array.from({ length: 20 }, () => all(feed));
    expect(new Set(orders.map(String)).size).toBeGreaterThan(5);
    for (const order of orders) {
      expect([order[0], order.at(-1)]).toEqual(['new', 'old']);
      expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'new', 'old']);
    }
  });

  test('let a page boundary repeat one row and skip another, while the count stays right', () => {
    const feed = tied(seededRandom(1));
    const walks = Array.from({ length: 20 }, () => [...feed.items(0, 4), ...feed.items(4, 8)]);
    expect(walks.every((walk) => walk.length === 7)).toBe(true);
    expect(walks.some((walk) => new Set(walk).size < 7)).toBe(true);
    expect(feed.count).toBe(7);
  });

  test('put any of the tied rows on the pages at both sides of a boundary', () => {
    const feed = tied(seededRandom(1));
    const rowsOn = (start: number, end: number): Set<string> =>
      new Set(Array.from({ length: 40 }, () => feed.items(start, end)).flat());
    expect(rowsOn(0, 2)).toEqual(new Set(['"new"', '"a"', '"b"', '"c"', '"d"', '"e"']));
    expect(rowsOn(5, 7)).toEqual(new Set(['"old"', '"a"', '"b"', '"c"', '"d"', '"e"']));
  });

  test('repeat exactly with the same seed', () => {
    const orders = [tied(seededRandom(5)), tied(seededRandom(5))].map((feed) => [all(feed), all(feed)]);
    expect(orders[0]).toEqual(orders[1]);
  });

  test('are complete where they are larger than a page', () => {
    const feed = activityFeed('redrawn', seededRandom(1));
    feed.add(Array.from({ length: 130 }, (_, index) => row(`r${index}`, 1)));
    expect(feed.items(0, 100).length).toBe(100);
    expect(new Set(feed.items(100, 200)).size).toBe(30);
  });
});

test('hiding a panel hides its rows, also later ones, and showing it shows all of them', () => {
  const feed = feedOf(row('a', 1, 1), row('b', 2, 2), row('c', 3, 1));
  feed.hide(1);
  feed.add([row('d', 2.5, 1)]);
  expect(all(feed)).toEqual(['b']);
  expect(feed.count).toBe(1);
  feed.reveal(1);
  expect(all(feed)).toEqual(['c', 'd', 'b', 'a']);
});
