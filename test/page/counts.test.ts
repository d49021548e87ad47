import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Rating } from '../../lambdas/events/changes.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { createSqlitePages } from '../../lambdas/store/history/sqlite-pages.ts';
import { createCounter, highlights } from '../../page/changes/counts.ts';
import { breast, eventOf, rated } from '../words/events.ts';
import { type OpenedPage, openPage } from './open-page.ts';

const panels = [1, 2, 3].map((id) => ({
  ...breast,
  id,
  name: `Panel ${id}`,
  relevantDisorders: [`R${id}`, `R59.${id}`],
}));
const ratings: readonly (Rating | null)[] = ['green', 'amber', 'red', 'none', null];

/** Every pair of ratings on three panels, with tags and promotions between them. */
const events = panels.flatMap((panel, at) => [
  ...ratings.flatMap((from) =>
    ratings.map((to) =>
      rated(
        from,
        to,
        from === null ? 'unknown' : from === to ? 'unchanged' : to === 'green' ? 'upgraded' : 'downgraded',
        {
          panel,
          gene: `GENE${at}`,
          actor: at === 0 ? 'Jo Example' : 'Ana Example',
        },
      ),
    ),
  ),
  eventOf('entity.tags-changed', { added: [`tag-${at}`, 'common'], removed: [] }, { panel, late: at === 1 }),
  eventOf('panel.promoted', { version: '2.0', previousVersion: '1.9', via: 'activity' }, { panel }),
]);

let page: OpenedPage;
beforeEach(async () => {
  page = await openPage(events);
});
afterEach(() => page.close());

const filters: readonly Filter[] = [
  {},
  { to: ['green'] },
  { to: ['green'], direction: ['upgraded'] },
  { panels: [1] },
  { rCodes: ['R59'], from: ['amber'] },
  { genes: ['gene2'], actors: ['ana example'] },
  { tags: ['common'], late: true },
  { topics: ['promotions', 'tags'] },
];

describe('counts', () => {
  test.each(filters)('of %j equal the numbers of events that the filters find', (filter) => {
    const pages = createSqlitePages(page.file);
    const counts = createCounter(pages).counts({ filter });
    const found = (wanted: Filter): number =>
      pages.page({ filter: wanted }, { size: 1000, examined: 1000 }).events.length;
    expect(counts.total).toBe(found(filter));
    const keys = [
      'from',
      'to',
      'direction',
      'rCodes',
      'topics',
      'types',
      'tags',
      'actors',
      'panelTypes',
    ] as const;
    for (const key of keys) {
      for (const { value, count } of counts.of(key))
        expect([key, value, count]).toStrictEqual([
          key,
          value,
          found({ ...filter, [key]: [value] } as Filter),
        ]);
    }
    for (const { value, count } of counts.of('panels')) {
      if (!filter.panels) expect(count).toBe(found({ ...filter, panels: [Number(value)] }));
    }
    const { from: _f, to: _t, direction: _d, topics: _o, types: _y, ...rest } = filter;
    expect(counts.highlights).toStrictEqual(
      highlights.map((highlight) => {
        const wanted = { ...rest, ...highlight.filter };
        const { events: all } = pages.page({ filter: wanted }, { size: 1000, examined: 1000 });
        const apart = all.filter(({ event }) => highlight.apart?.is(event)).length;
        return { count: all.length - apart, apart };
      }),
    );
  });

  test.each(filters)('of %j that were counted before include new events', async (filter) => {
    const pages = createSqlitePages(page.file);
    const kept = createCounter(pages);
    kept.counts({ filter });
    await page.append(
      ...panels.map((panel) =>
        rated('amber', 'green', 'upgraded', { panel, gene: 'GENE2', actor: 'Ana Example' }),
      ),
    );
    const [again, fresh] = [kept, createCounter(pages)].map((counter) => counter.counts({ filter }));
    expect(again?.total).toBe(fresh?.total);
    expect(again?.highlights).toStrictEqual(fresh?.highlights);
    expect(again?.of('panels')).toStrictEqual(fresh?.of('panels'));
  });

  test('state where they cover a part of the period only', async () => {
    const pages = createSqlitePages(page.file);
    const counts = createCounter(pages, 10).counts({});
    expect([counts.total, counts.limitedTo, counts.oldest]).toStrictEqual([10, 10, expect.any(String)]);
  });
});

describe('a page of the history', () => {
  test('examines a limited number of events, and states where it stopped', () => {
    const pages = createSqlitePages(page.file);
    const filter: Filter = { tags: ['tag-0'] };
    let place = pages.page({ filter }, { size: 5, examined: 10 });
    const found = [...place.events];
    expect(place.cutShort).toBe(true);
    for (let looks = 0; place.next !== null; looks++) {
      expect(looks).toBeLessThan(12);
      place = pages.page({ filter }, { size: 5, examined: 10, after: place.next });
      found.push(...place.events);
    }
    expect(found).toHaveLength(1);
  });
});
