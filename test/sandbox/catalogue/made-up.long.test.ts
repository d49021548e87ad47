import { describe, expect, test } from 'vitest';
import { activitySchema, panelSchema, regionSchema } from '../../../lambdas/catalogue/schemas.ts';
import { type ActivityFeed, activityFeed } from '../../../sandbox/catalogue/content.ts';
import { createMadeUpCatalogue } from '../../../sandbox/catalogue/made-up.ts';
import { type EntityType, parseCreated, seededRandom } from '../../../sandbox/software/values.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { readRow } from '../software/oracle/reading.ts';
import { aCatalogue, type Page, pageOf } from './running-catalogue.ts';

async function allRows(url: string): Promise<Page['results']> {
  const rows: Record<string, unknown>[] = [];
  let next: string | null = `${url}activities/`;
  while (next) {
    const page: Page = await pageOf(next);
    rows.push(...page.results);
    next = page.next;
  }
  return rows;
}

describe('a made-up catalogue', () => {
  test('starts with a history of realistic rows, newest first, none in the future', async () => {
    const { url, clock } = await aCatalogue({ ties: 'fixed' });
    const rows = await allRows(url);
    expect(rows.length).toBeGreaterThan(300);
    const parsed = rows.map((row) => activitySchema.parse(row));
    const times = parsed.map(({ created }) => parseCreated(created) ?? Number.NaN);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(times[0]).toBeLessThanOrEqual(clock.now() * 1000);
    expect(times[0]).toBeGreaterThan((clock.now() - 3 * 24 * 3_600_000) * 1000);
    for (const row of parsed) {
      const context = {
        panelName: row.panel_name,
        entityType: row.entity_type as EntityType | null,
        entityName: row.entity_name,
        panelLevel: row.item_type === 'panel',
      };
      expect(readRow(row.text, context), row.text).toBeDefined();
    }
    expect(new Set(parsed.map(({ user_name }) => user_name)).size).toBeGreaterThan(5);
  });

  test('lists its public panels by name with R codes, and their regions', async () => {
    const { url } = await aCatalogue();
    const panels = (await pageOf(`${url}panels/`)).results.map((panel) => panelSchema.parse(panel));
    expect(panels.length).toBeGreaterThan(10);
    expect(panels.every(({ status }) => status === 'public' || status === 'promoted')).toBe(true);
    expect(panels.flatMap((panel) => panel.relevant_disorders)).toContain('R208');
    const names = panels.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
    const regions = (await pageOf(`${url}regions/`)).results.map((region) => regionSchema.parse(region));
    expect(regions.length).toBeGreaterThan(5);
    expect(regions.every(({ panel }) => names.includes(panel.name))).toBe(true);
  });

  test('is the same for the same seed, and different for another', async () => {
    const rowsOf = async (seed: number): Promise<string> =>
      JSON.stringify(await allRows((await aCatalogue({ seed, ties: 'fixed', history: 200 })).url));
    const [one, same, other] = [await rowsOf(1), await rowsOf(1), await rowsOf(2)];
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });

  test('prints Sydney’s offsets of both seasons with the zone sydney', async () => {
    const { url } = await aCatalogue({ zone: 'sydney' });
    const offsets = (await allRows(url)).map(({ created }) => String(created).slice(-6));
    expect(new Set(offsets)).toEqual(new Set(['+10:00', '+11:00']));
  });

  test('of the UK code of 2019 copies no entities', async () => {
    const { url } = await aCatalogue({ codeLine: 'uk-2019', history: 700 });
    const texts = (await allRows(url)).map(({ text }) => String(text));
    expect(texts.filter((text) => text.startsWith('Copied '))).toEqual([]);
    expect(Object.keys((await pageOf(`${url}panels/`)).results[0] ?? {})).not.toContain('child_panel_ids');
  });
});

describe('random actions', () => {
  test('when requested, by the kind requested', async () => {
    const catalogue = await aCatalogue();
    const before = (await pageOf(`${catalogue.url}activities/`)).count;
    const { kind, rows } = catalogue.act({ kind: 'rate' });
    expect(kind).toBe('rate');
    const { count, results } = await pageOf(`${catalogue.url}activities/`);
    expect(count).toBe(before + rows.length);
    expect(results.slice(0, rows.length)).toEqual(rows.toReversed());
  });

  test('late, below rows that were served before', async () => {
    const catalogue = await aCatalogue();
    catalogue.act({ kind: 'promote a panel' });
    const { rows } = catalogue.act({ kind: 'comment for the first time', lateMs: 20 * 60_000 });
    const { results } = await pageOf(`${catalogue.url}activities/`);
    expect(
      results.indexOf(
        results.find(({ created }) => created === (rows[0] as { created: string }).created) ?? {},
      ),
    ).toBeGreaterThan(0);
  });

  test('never by an unknown kind', async () => {
    const catalogue = await aCatalogue();
    expect(() => catalogue.act({ kind: 'dance' })).toThrow(
      /the sandbox has no action "dance"; expected one of "add a gene", /,
    );
    const response = await fetch(new URL('/sandbox/act', catalogue.url), {
      method: 'POST',
      body: '{"kind":"dance"}',
    });
    expect(response.status).toBe(400);
  });

  test('over HTTP, several times', async () => {
    const { url } = await aCatalogue();
    const body = JSON.stringify({ kind: 'promote a panel', times: 2 });
    const response = await fetch(new URL('/sandbox/act', url), { method: 'POST', body });
    const { done } = (await response.json()) as { done: { kind: string; rows: { text: string }[] }[] };
    expect(done.map(({ rows }) => rows.map(({ text }) => text.slice(0, 26)))).toEqual([
      ['promoted panel to version '],
      ['promoted panel to version '],
    ]);
  });

  test('again and again, after waits between the two given', async () => {
    const clock = createTestClock({ wokenByHand: true });
    const catalogue = await aCatalogue({ clock, actEvery: [4000, 12_000] });
    const countNow = async (): Promise<number> => (await pageOf(`${catalogue.url}activities/`)).count;
    const counts = [await countNow()];
    for (let index = 0; index < 10; index += 1) {
      const sleep = await clock.nextSleep();
      expect(sleep.milliseconds).toBeGreaterThanOrEqual(4000);
      expect(sleep.milliseconds).toBeLessThanOrEqual(12_000);
      clock.pass(sleep.milliseconds);
      sleep.wake();
      counts.push(await countNow());
    }
    expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? 0);
  });
});

describe('what happens now and then', () => {
  /** A made-up catalogue in which the next thing to happen is chosen by its share of the chance. */
  function aWorkday(): {
    readonly feed: ActivityFeed;
    actAtRandom(chosen: number): void;
    readonly now: number;
  } {
    const chance = seededRandom(1);
    let next: number | undefined;
    const random = (): number => {
      const chosen = next ?? chance();
      next = undefined;
      return chosen;
    };
    const clock = createTestClock({ wokenByHand: true });
    const feed = activityFeed('fixed', random);
    const madeUp = createMadeUpCatalogue({ clock, random, codeLine: 'au', zone: 'utc', history: 400, feed });
    return {
      feed,
      now: clock.now() * 1000,
      actAtRandom(chosen) {
        next = chosen;
        madeUp.actAtRandom();
      },
    };
  }

  const timesOf = (feed: ActivityFeed): readonly number[] =>
    feed
      .items(0, feed.count)
      .map((item) => parseCreated((JSON.parse(item) as { created: string }).created) ?? 0);

  function newTimes(feed: ActivityFeed, actAtRandom: () => void): readonly number[] {
    const before = timesOf(feed);
    actAtRandom();
    return timesOf(feed).filter((time) => !before.includes(time));
  }

  test('a row is late, by 1 to 40 minutes', () => {
    const { feed, actAtRandom, now } = aWorkday();
    const times = Array.from({ length: 20 }, () => newTimes(feed, () => actAtRandom(0.01))).flat();
    expect(times.length).toBeGreaterThan(10);
    expect(Math.max(...times)).toBeLessThan(now - 60_000_000);
    expect(Math.min(...times)).toBeGreaterThan(now - 41 * 60_000_000);
  });

  test('two actions happen in one microsecond', () => {
    const { feed, actAtRandom } = aWorkday();
    for (let index = 0; index < 10; index += 1) {
      const before = { count: feed.count, hidden: feed.hidden.size };
      const times = newTimes(feed, () => actAtRandom(0.07));
      // One of the two may hide a panel with all its rows.
      if (feed.hidden.size === before.hidden) expect(times.length).toBe(feed.count - before.count);
      expect(new Set(times).size).toBeLessThanOrEqual(1);
    }
  });

  test('a panel becomes public with all its rows, then another becomes internal with its rows', () => {
    const { feed, actAtRandom } = aWorkday();
    const counts = [feed.count];
    for (let index = 0; index < 3; index += 1) {
      actAtRandom(0.12);
      counts.push(feed.count);
    }
    const [start = 0, first = 0, second = 0, third = 0] = counts;
    expect([first - start > 5, second - first > 5, third - second < -5]).toEqual([true, true, true]);
  });

  test('and mostly an action happens now', () => {
    const { feed, actAtRandom, now } = aWorkday();
    const times = Array.from({ length: 20 }, () => newTimes(feed, () => actAtRandom(0.9))).flat();
    expect(Math.min(...times)).toBeGreaterThan(now - 1_000_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(now);
  });
});
