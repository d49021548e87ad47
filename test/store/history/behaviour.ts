import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { compileFilter } from '../../../lambdas/filters/filter.ts';
import type { Names } from '../../../lambdas/filters/names.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { formatInstant, type Instant, parseInstant } from '../../../lambdas/run/instant.ts';
import {
  type Coverage,
  type History,
  type HistoryQuery,
  type HistoryRecord,
  textMatcher,
} from '../../../lambdas/store/history/history.ts';
import { anyEvent, pools } from '../../events/any-event.ts';
import { anyFilter } from '../../filters/any-filter.ts';
import { breast, eventOf, turnedGreen } from '../../words/events.ts';

const at = (text: string): Instant => parseInstant(text) ?? 0n;
const [start, end] = [at('2024-01-01T00:00:00Z'), at('2025-03-01T00:00:00Z')];

const period = (catalogue: string, since: Instant = start, until: Instant = end): Coverage => ({
  catalogue,
  since,
  until,
});

const recordOf = (event: PanelEvent): HistoryRecord => toMessage(event);

/** Appends each event to the history, by catalogue. */
export async function keep(history: History, events: readonly PanelEvent[]): Promise<void> {
  for (const catalogue of pools.catalogues) {
    const own = events.filter(({ data }) => data.catalogue === catalogue);
    await history.append(own.map(recordOf), period(catalogue));
  }
}

/** What is read one after the other, as a list. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const timeOf = ({ time }: PanelEvent): Instant => parseInstant(time) ?? end;

/** What a history must give: the whole list, filtered and sorted. */
function expected(events: readonly PanelEvent[], query: HistoryQuery, names: Names): string[] {
  const { catalogue, since = 0n, until = 1n << 62n, filter = {}, text = '', order, limit } = query;
  const [matches, hasText] = [compileFilter(filter, names), textMatcher(text)];
  const found = events
    .filter((event) => catalogue === undefined || event.data.catalogue === catalogue)
    .filter((event) => timeOf(event) >= since && timeOf(event) < until)
    .filter((event) => matches(event) && hasText(event))
    .sort((one, other) => Number(timeOf(one) - timeOf(other)) || (one.id < other.id ? -1 : 1));
  if (order !== 'oldest') found.reverse();
  return found.slice(0, limit).map(({ id }) => id);
}

const anyInstant = fc.nat({ max: 420 }).map((day) => start + BigInt(day) * 86_400_000_000n);

const anyQuery: fc.Arbitrary<HistoryQuery> = fc
  .record(
    {
      catalogue: fc.constantFrom(...pools.catalogues),
      since: anyInstant,
      until: anyInstant,
      filter: anyFilter,
      text: fc.constantFrom(...pools.words, 'CAFE', 'brca1', 'green', 'a b', '"', '*'),
      order: fc.constantFrom('newest' as const, 'oldest' as const),
      limit: fc.integer({ min: 0, max: 30 }),
    },
    { requiredKeys: [] },
  )
  .map((query) => Object.entries(query))
  .chain((entries) => fc.subarray(entries, { maxLength: Math.min(4, entries.length) }))
  .map((entries) => Object.fromEntries(entries));

const idsOf = async (history: History, query: HistoryQuery): Promise<string[]> =>
  (await all(history.find(query))).map(({ id }) => id);

/** Compares what a history that held nothing finds with a search through all events, for `runs` queries. */
export function testAnyQuery(
  opened: () => History,
  { events: count, runs }: { readonly events: number; readonly runs: number },
): void {
  test('any query gives what a search through all events gives', async () => {
    const history = opened();
    const events = [
      ...new Map(fc.sample(anyEvent, { seed: 11, numRuns: count }).map((one) => [one.id, one])).values(),
    ];
    await keep(history, events);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const given = await idsOf(history, query);
        expect(given).toStrictEqual(expected(events, query, await history.names()));
        found += given.length;
      }),
      { numRuns: runs },
    );
    expect(found).toBeGreaterThan(runs);
  });
}

/**
 * What a history keeps when several runs append to it. `open` gives a history that holds nothing; each call of what it
 * gives is another run with the same history.
 */
export function sharedHistoryBehaviour(open: () => Promise<() => History>): void {
  let run: () => History;
  beforeEach(async () => {
    run = await open();
  });
  const [first] = fc.sample(
    anyEvent.filter(
      ({ data, time }) => data.catalogue === 'uk' && time !== undefined && data.activities.length > 0,
    ),
    { seed: 7, numRuns: 1 },
  ) as [PanelEvent];
  const day = (count: number): Instant => start + BigInt(count) * 86_400_000_000n;
  const recordsOf = (history: History): Promise<HistoryRecord[]> => all(history.findRecords({}));

  test('an event that another one corrects is found only where that is asked for', async () => {
    const id = 'c'.repeat(32);
    const correction = { ...first, id, data: { ...first.data, corrects: first.id } } as PanelEvent;
    await run().append([recordOf(first)], period('uk'));
    expect(await idsOf(run(), {})).toStrictEqual([first.id]);
    await run().append([recordOf(correction)], period('uk'));
    expect(await idsOf(run(), {})).toStrictEqual([id]);
    expect((await all(run().findWithoutRows({}))).map((event) => event.id)).toStrictEqual([id]);
    expect((await idsOf(run(), { withCorrected: true })).toSorted()).toStrictEqual([first.id, id].toSorted());
    expect((await recordsOf(run())).map((record) => record.id).toSorted()).toStrictEqual(
      [first.id, id].toSorted(),
    );
  });

  test('the first body of an id stays where another one comes under the same id', async () => {
    const other = {
      ...first,
      data: { ...first.data, summary: 'says less of the state before' },
    } as PanelEvent;
    await run().append([recordOf(first)], period('uk'));
    await run().append([recordOf(other)], period('uk'));
    expect(await recordsOf(run())).toStrictEqual([
      { id: first.id, topic: recordOf(first).topic, body: recordOf(first).body },
    ]);
  });

  test('an event without rows is kept once under its id, also where it comes again with another time', async () => {
    const listed = { ...first, data: { ...first.data, activities: [] } } as PanelEvent;
    const again = { ...listed, time: formatInstant(timeOf(first) + 40n * 86_400_000_000n) } as PanelEvent;
    const { time: _none, ...timeless } = listed;
    await run().append([recordOf(listed)], period('uk'));
    await run().append([recordOf(again)], period('uk'));
    await run().append([recordOf(timeless as PanelEvent)], period('uk', start, end - 7n));
    expect((await recordsOf(run())).map(({ body }) => body)).toStrictEqual([recordOf(listed).body]);
  });

  test('two runs that append at once lose no covered period', async () => {
    const [one, other] = [run(), run()];
    await one.append([], period('uk', day(0), day(1)));
    await other.append([], period('uk', day(0), day(1)));
    await one.append([], period('uk', day(1), day(2)));
    await other.append([], period('uk', day(2), day(3)));
    await one.append([], period('uk', day(3), day(4)));
    await Promise.all([4, 5, 6, 7].map((n) => run().append([], period('uk', day(n), day(n + 1)))));
    expect(await run().coverage()).toStrictEqual([period('uk', day(0), day(8))]);
  });

  test('the bodies kept under some ids are given, also where the times of the events differ', async () => {
    const listed = { ...first, id: 'f'.repeat(32), data: { ...first.data, activities: [] } } as PanelEvent;
    await run().append([recordOf(first), recordOf(listed)], period('uk'));
    const unknown = { ...first, id: '0'.repeat(32) } as PanelEvent;
    const moved = { ...listed, time: formatInstant(start) } as PanelEvent;
    const kept = await run().bodiesOf([recordOf(first), recordOf(moved), recordOf(unknown)]);
    expect(kept).toStrictEqual(
      new Map([
        [first.id, recordOf(first).body],
        [listed.id, recordOf(listed).body],
      ]),
    );
  });
}

/** How every implementation of `History` behaves. `open` gives a history that holds nothing. */
export function historyBehaviour(open: () => Promise<History>, { runs }: { readonly runs: number }): void {
  let history: History;
  beforeEach(async () => {
    history = await open();
  });
  const ids = (query: HistoryQuery = {}): Promise<string[]> => idsOf(history, query);
  const [first, second] = fc.sample(
    anyEvent.filter(({ data, time }) => data.catalogue === 'uk' && time !== undefined),
    { seed: 7, numRuns: 2 },
  ) as [PanelEvent, PanelEvent];

  test('a history that holds nothing gives nothing', async () => {
    expect(await ids()).toStrictEqual([]);
    expect(await history.coverage()).toStrictEqual([]);
  });

  test('an event that is appended again, as after a crash, is kept once', async () => {
    await history.append([recordOf(first)], period('uk'));
    await history.append([recordOf(first), recordOf(second)], period('uk'));
    expect((await ids()).sort()).toStrictEqual([first.id, second.id].sort());
  });

  test('a body comes back byte for byte, an event whole or without its rows', async () => {
    const odd = JSON.parse(JSON.stringify(first)) as { data: { activities: unknown[]; summary: string } };
    odd.data.summary = 'x,"activities":[],"change":é\u2028\ufffe';
    odd.data.activities = [{ text: ',"change":', change: [{ a: 1 }], activities: [] }];
    const record = recordOf(odd as unknown as PanelEvent);
    await history.append([record], period('uk'));
    const { id, topic, body } = record;
    expect(await all(history.findRecords({}))).toStrictEqual([{ id, topic, body }]);
    const event = JSON.parse(body) as PanelEvent;
    expect(await all(history.find({}))).toStrictEqual([event]);
    expect(await all(history.findWithoutRows({}))).toStrictEqual([
      { ...event, data: { ...event.data, activities: [] } },
    ]);
  });

  test('an event without a time is kept once, at the end of the period with which it came', async () => {
    const { time: _none, ...timeless } = first;
    const record = recordOf(timeless as PanelEvent);
    await history.append([record], period('uk', start, end - 5n));
    await history.append([record], period('uk', start, end - 5n));
    expect(await ids({ since: end - 5n })).toStrictEqual([first.id]);
    expect(await ids({ until: end - 5n })).toStrictEqual([]);
  });

  test('`since` is inclusive and `until` exclusive', async () => {
    await history.append([recordOf(first)], period('uk'));
    const time = timeOf(first);
    expect(await ids({ since: time })).toStrictEqual([first.id]);
    expect(await ids({ since: time + 1n })).toStrictEqual([]);
    expect(await ids({ until: time })).toStrictEqual([]);
    expect(await ids({ until: time + 1n })).toStrictEqual([first.id]);
  });

  test('it says which periods it covers: those that touch are one, a gap stays', async () => {
    const day = (count: number): Instant => start + BigInt(count) * 86_400_000_000n;
    await history.append([], period('uk', day(0), day(2)));
    await history.append([], period('uk', day(2), day(3)));
    await history.append([], period('australia', day(1), day(2)));
    await history.append([], period('uk', day(5), day(6)));
    expect(await history.coverage()).toStrictEqual([
      period('uk', day(0), day(3)),
      period('australia', day(1), day(2)),
      period('uk', day(5), day(6)),
    ]);
  });

  test('more events than a page holds come in order, oldest or newest first', async () => {
    const template = recordOf(first);
    const records = Array.from({ length: 700 }, (_, number) => {
      const id = number.toString(16).padStart(32, '0');
      const time = formatInstant(start + BigInt(Math.floor(number / 3)) * 3_600_000_000n);
      return { ...template, id, body: template.body.replace(first.id, id).replace(first.time ?? '', time) };
    });
    for (let from = 0; from < records.length; from += 100) {
      await history.append(records.slice(from, from + 100), period('uk'));
    }
    const inOrder = records.map(({ id }) => id);
    expect(await ids({ order: 'oldest' })).toStrictEqual(inOrder);
    expect(await ids({})).toStrictEqual([...inOrder].reverse());
    expect(await ids({ limit: 5 })).toStrictEqual(inOrder.slice(-5).reverse());
  });

  test('a renamed panel and a replaced symbol are found by every name that they had', async () => {
    const at = (day: number): string => `2024-06-0${day}T00:00:00.000000Z`;
    const panel = (name: string) => ({ ...breast, id: 7, name });
    const events = [
      turnedGreen({ id: '1', panel: panel('Deafness'), gene: 'SERBP1P3', time: at(1) }),
      eventOf(
        'panel.changed',
        { changes: [{ field: 'name', from: 'Deafness', to: 'Hearing loss' }] },
        { id: '2', panel: panel('Hearing loss'), time: at(2) },
      ),
      eventOf(
        'entity.renamed',
        { from: 'SERBP1P3', to: 'GABPB2' },
        { id: '3', panel: panel('Hearing loss'), gene: 'GABPB2', time: at(3) },
      ),
      turnedGreen({ id: '4', panel: panel('Hearing loss'), gene: 'GABPB2', time: at(4) }),
    ];
    // A curator replaced the symbol on one panel: it is another gene elsewhere.
    const elsewhere = turnedGreen({ id: '5', panel: { ...breast, id: 8 }, gene: 'GABPB2', time: at(5) });
    await keep(history, [...events, elsewhere]);
    for (const name of ['Deafness', 'hearing loss', 7]) {
      expect(await ids({ filter: { panels: [name] }, order: 'oldest' })).toStrictEqual(['1', '2', '3', '4']);
    }
    const found = (name: string) => ids({ filter: { genes: [name] }, order: 'oldest' });
    expect(await found('SERBP1P3')).toStrictEqual(['1', '3', '4']);
    expect(await found('gabpb2')).toStrictEqual(['1', '3', '4', '5']);
  });

  test('a symbol that HGNC replaced without a row is found by both symbols and by its id, on every panel', async () => {
    const at = (day: number): string => `2024-06-0${day}T00:00:00.000000Z`;
    const panel = (id: number) => ({ ...breast, id });
    const renamed = eventOf(
      'entity.renamed',
      { from: 'MLL2', to: 'KMT2D', via: 'snapshot' },
      { id: '2', panel: panel(7), gene: 'KMT2D', time: at(2) },
    );
    const entity = { type: 'gene' as const, name: 'KMT2D', hgncId: 'HGNC:7133' };
    await keep(history, [
      turnedGreen({ id: '1', panel: panel(7), gene: 'MLL2', time: at(1) }),
      { ...renamed, data: { ...renamed.data, entity } },
      turnedGreen({ id: '3', panel: panel(8), gene: 'KMT2D', time: at(3) }),
      turnedGreen({ id: '4', panel: panel(8), gene: 'KMT2B', time: at(4) }),
    ]);
    for (const name of ['MLL2', 'kmt2d', 'HGNC:7133']) {
      expect(await ids({ filter: { genes: [name] }, order: 'oldest' }), name).toStrictEqual(['1', '2', '3']);
    }
  });

  testAnyQuery(() => history, { events: 150, runs });

  describe('finds an event by', () => {
    const events = [
      ...new Map(fc.sample(anyEvent, { seed: 5, numRuns: 200 }).map((one) => [one.id, one])).values(),
    ];
    let kept: History;
    beforeAll(async () => {
      kept = await open();
      await keep(kept, events);
    });

    test.each<[string, HistoryQuery]>([
      ['panel', { filter: { panels: [1] } }],
      ['panel name', { filter: { panels: ['hearing loss'] } }],
      ['entity', { filter: { genes: ['BRCA1'] } }],
      ['type', { filter: { types: ['panel.promoted'] } }],
      ['topic', { filter: { topics: ['tags'] } }],
      ['rating', { filter: { to: ['green'] } }],
      ['direction', { filter: { direction: ['upgraded'] } }],
      ['test-directory code', { filter: { rCodes: ['R59'] } }],
      ['tag', { filter: { tags: ['treatable'] } }],
      ['actor', { filter: { actors: ['Catherine Snowe'] } }],
      ['words', { text: 'ataxia' }],
      ['words and a filter', { text: 'cafe', filter: { topics: ['reviews'] } }],
      [
        'thousands of genes',
        { filter: { genes: Array.from({ length: 3000 }, (_, n) => (n ? `G${n}` : 'brca1')) } },
      ],
    ])('%s', async (_what, query) => {
      const wanted = expected(events, query, await kept.names());
      expect(wanted.length).toBeGreaterThan(0);
      expect(await idsOf(kept, query)).toStrictEqual(wanted);
    });
  });
}
