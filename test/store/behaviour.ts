import { describe, expect, test } from 'vitest';
import type { PanelEvent, PanelFacts } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { minutes, parseInstant } from '../../lambdas/run/instant.ts';
import type { Learnt } from '../../lambdas/store/known-states.ts';
import type { Listing } from '../../lambdas/store/listing.ts';
import type { Beginning, LedgerRow } from '../../lambdas/store/position.ts';
import type { Chunk, StateStore } from '../../lambdas/store/store.ts';
import { rated } from '../differences/made-events.ts';

/** Opens the state of a catalogue; every call is a new run. */
type OpenStore = (catalogue: string, runId?: string) => StateStore;

export const noon = parseInstant('2026-01-31T12:00:00Z') ?? 0n;
export const overlap = minutes(15);
const source = 'https://catalogue.example/api/v1/';

export const beginning = (given: Partial<Beginning> = {}): Beginning => ({
  mark: noon,
  start: noon - overlap,
  count: 3,
  source,
  ...given,
});

/** What a position says of the rows before the overlap. */
const behind = {
  older: { before: noon, count: 40, surfaced: 0, vanished: 2 },
  search: { until: noon, older: null, since: noon - overlap, deeperFrom: noon, explained: true, tries: 1 },
};

/** The key of a row; it is made of one digit. */
export const keyOf = (digit: string): string => digit.repeat(32);

export const rowAt = (digit: string, at: bigint | null): LedgerRow => ({ key: keyOf(digit), at });

const event = rated('green');
const publishedEvent = {
  ...event,
  id: keyOf('e'),
  data: { ...event.data, actor: 'é\u2028' },
} as PanelEvent;

export const chunkOf = (given: Partial<Chunk> = {}): Chunk => ({
  messages: [toMessage(publishedEvent)],
  rows: [rowAt('a', noon), rowAt('b', noon + 5n)],
  entities: new Map([
    [
      '7#gene#BRCA1',
      { rating: 'green', at: noon, unpaired: [{ form: 'banner', at: noon, by: null, to: 'green' }] },
    ],
    ['7#gene#BRCA2', { rating: null, at: noon, unpaired: [] }],
  ]),
  panels: new Map([
    [
      7,
      {
        version: '1.10',
        at: noon,
        stated: {
          at: noon,
          facts: { types: ['superpanel'], signedOff: false },
          unknown: ['relevantDisorders'],
        },
      },
    ],
    [70, { version: null, at: noon, stated: null }],
  ]),
  next: { mark: noon + 5n, count: 12, waits: 0, gap: null },
  ...given,
});

/** Records and advances by a chunk of such rows, to the mark of the newest. */
export async function finish(store: StateStore, rows: readonly LedgerRow[]): Promise<void> {
  const stored = await store.load(overlap);
  if (!stored) throw new Error('nothing was begun');
  const { position } = stored;
  const mark = rows.reduce((newest, { at }) => (at !== null && at > newest ? at : newest), position.mark);
  const chunk = chunkOf({
    messages: [],
    rows,
    entities: new Map(),
    panels: new Map(),
    next: { mark, count: null, waits: 0, gap: null },
  });
  await store.advance(await store.record(position, chunk), chunk);
}

const seenIn = async (store: StateStore, back = overlap): Promise<readonly string[]> =>
  [...((await store.load(back))?.seen.keys() ?? [])].sort();

/** A listing of one panel. */
function listingAt(readAt: bigint, given: Partial<PanelFacts>): Listing {
  const facts = {
    types: [],
    diseaseGroup: '',
    diseaseSubGroup: '',
    relevantDisorders: [],
    signedOff: false,
    ...given,
  };
  return {
    panels: new Map([[7, { name: 'Deafness', facts, versions: [] }]]),
    typeSlugs: new Map(),
    readAt,
    listedAt: 5,
    requests: { readings: [], absent: [], notBefore: null },
  };
}

/** What every implementation of `StateStore` does. */
export function describeStateStore(where: string, open: OpenStore): void {
  describe(`a state ${where}`, () => {
    test('is not there before the first run', async () => {
      expect(await open('fresh').load(overlap)).toBeNull();
    });

    test('begins with the rows that are not to be published', async () => {
      const begun = await open('begun').begin(beginning(), [rowAt('1', noon - 1n)]);
      expect(begun).toStrictEqual({
        version: 1,
        mark: noon,
        start: noon - overlap,
        ledgerSince: noon - overlap,
        count: 3,
        source,
        waits: 0,
        gap: null,
        older: null,
        search: null,
      });
      expect(await open('begun').load(overlap)).toStrictEqual({
        position: begun,
        pending: null,
        seen: new Map([[keyOf('1'), noon - 1n]]),
        rollback: null,
      });
    });

    test('begins with tens of thousands of rows', { tags: 'slow' }, async () => {
      const rows = Array.from({ length: 26_000 }, (_, index) => ({
        key: index.toString(16).padStart(32, '0'),
        at: noon - BigInt(index),
      }));
      await open('large').begin(beginning(), rows);
      expect((await open('large').load(overlap))?.seen).toStrictEqual(
        new Map(rows.map(({ key, at }) => [key, at])),
      );
    });

    test('gives back a recorded chunk as it was recorded, until the mark has advanced', async () => {
      const store = open('recorded');
      const begun = await store.begin(beginning({ count: null }), []);
      const recorded = await store.record(begun, chunkOf());
      const stored = await open('recorded').load(overlap);
      expect(stored?.pending).toStrictEqual(chunkOf());
      expect(stored?.position).toStrictEqual({ ...begun, version: 2 });
      const advanced = await store.advance(recorded, chunkOf());
      expect(advanced).toStrictEqual({ ...begun, version: 3, mark: noon + 5n, count: 12 });
      expect(await open('recorded').load(overlap)).toStrictEqual({
        position: advanced,
        pending: null,
        seen: new Map([
          [keyOf('a'), noon],
          [keyOf('b'), noon + 5n],
        ]),
        rollback: null,
      });
      expect(await store.entities(['7#gene#BRCA1', '7#gene#BRCA2', '7#gene#NONE'])).toStrictEqual(
        chunkOf().entities,
      );
      expect(await store.panels([7, 70, 71])).toStrictEqual(chunkOf().panels);
    });

    test('keeps what a chunk states about ties, waiting rows and the rows before the overlap', async () => {
      const store = open('waiting');
      const begun = await store.begin(beginning(), []);
      const next = { mark: noon, count: null, waits: 2, gap: { at: noon, polls: 3 }, ...behind };
      const chunk = chunkOf({ next });
      await store.advance(await store.record(begun, chunk), chunk);
      const kept = { ...begun, version: 3, ...next };
      expect((await open('waiting').load(overlap))?.position).toStrictEqual(kept);
      const silent = chunkOf();
      await store.advance(await store.record(kept, silent), silent);
      expect((await open('waiting').load(overlap))?.position).toMatchObject({ version: 5, ...behind });
    });

    test('has the rows back to the mark less the overlap that is asked for', async () => {
      const store = open('overlapping');
      await store.begin(beginning(), [rowAt('1', noon)]);
      await finish(store, [rowAt('2', noon + overlap)]);
      await finish(store, [rowAt('3', noon + 2n * overlap)]);
      await finish(store, [rowAt('4', noon + overlap - 1n)]);
      const asked = await seenIn(open('overlapping'));
      expect(asked).toEqual(expect.arrayContaining(['2', '3'].map(keyOf)));
      expect(asked).not.toContain(keyOf('1'));
      expect(await seenIn(open('overlapping'), overlap + 1n)).toContain(keyOf('4'));
      expect(await seenIn(open('overlapping'), 2n * overlap)).toStrictEqual(['1', '2', '3', '4'].map(keyOf));
    });

    test('keeps every row since the start, and gives those since an instant', async () => {
      const store = open('retained');
      await store.begin(beginning({ start: 0n }), [rowAt('1', noon), rowAt('0', null)]);
      for (let day = 1; day <= 40; day += 3) {
        const at = noon + BigInt(day) * minutes(1440);
        await finish(open('retained'), [{ key: keyOf('a').slice(2) + (10 + day), at }]);
      }
      await finish(store, [rowAt('2', noon + minutes(1)), rowAt('3', noon + 40n * minutes(1440))]);
      const stored = await open('retained').load(overlap);
      expect(stored?.position.ledgerSince).toBe(0n);
      expect(stored?.seen.has(keyOf('1'))).toBe(false);
      expect((await store.ledger(noon)).size).toBe(18);
      const since = await store.ledger(noon + 1n);
      expect([since.has(keyOf('0')), since.has(keyOf('1')), since.get(keyOf('2'))]).toStrictEqual([
        true,
        false,
        noon + minutes(1),
      ]);
    });

    test('keeps rows without a usable time, however far the mark moves', async () => {
      const store = open('unplaced');
      await store.begin(beginning(), [rowAt('1', null)]);
      await finish(store, [rowAt('2', null), rowAt('3', noon + 1n)]);
      for (let day = 1; day <= 3; day++) {
        await finish(open('unplaced'), [rowAt(String(3 + day), noon + BigInt(day) * minutes(1440))]);
      }
      await finish(open('unplaced'), [rowAt('7', null)]);
      const { seen } = (await open('unplaced').load(0n)) ?? { seen: new Map<string, bigint | null>() };
      expect([...seen].filter(([, at]) => at === null).map(([key]) => key[0])).toStrictEqual(['1', '2', '7']);
      expect(seen.has(keyOf('3'))).toBe(false);
    });

    test('refuses a write by a run that read an older version', async () => {
      const store = open('raced');
      const begun = await store.begin(beginning(), []);
      const other = open('raced', 'other run');
      await store.record(begun, chunkOf());
      await expect(other.record(begun, chunkOf())).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
      await expect(other.update(begun, { count: 1 })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
      await expect(other.begin(beginning(), [])).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    });

    test('does not replace a newer state of an entity or panel by an older one', async () => {
      const store = open('stale');
      const begun = await store.begin(beginning(), []);
      const recorded = await store.record(begun, chunkOf());
      const panel = (version: string): Chunk['panels'] => new Map([[7, { version, at: noon, stated: null }]]);
      const newer = chunkOf({
        entities: new Map([['k', { rating: 'red', at: noon + 9n, unpaired: [] }]]),
        panels: panel('1.11'),
      });
      await store.advance(await store.record(await store.advance(recorded, chunkOf()), newer), newer);
      const stale = chunkOf({
        entities: new Map([['k', { rating: 'green', at: noon, unpaired: [] }]]),
        panels: panel('1.9'),
      });
      await expect(open('stale', 'frozen').advance(recorded, stale)).rejects.toMatchObject({
        code: 'STATE_CONFLICT',
      });
      expect((await store.entities(['k'])).get('k')?.rating).toBe('red');
      expect((await store.panels([7])).get(7)?.version).toBe('1.11');
    });

    test('keeps the time before which no request is accepted, until the next write', async () => {
      const store = open('postponed');
      const begun = await store.begin(beginning(), []);
      const postponed = await store.update(begun, { notBefore: 1_700_000_000_000 });
      expect((await store.load(overlap))?.position).toStrictEqual({
        ...begun,
        version: 2,
        notBefore: 1_700_000_000_000,
      });
      const next = chunkOf();
      await store.advance(await store.record(postponed, next), next);
      expect((await store.load(overlap))?.position.notBefore).toBeUndefined();
    });

    test('updates the position without a row being published', async () => {
      const begun = await open('updated').begin(beginning(), []);
      const change = { mark: noon + 1n, count: 7, waits: 1, gap: { at: noon, polls: 1 }, ...behind };
      await open('updated').update(begun, change);
      const { position } = (await open('updated').load(overlap)) ?? {};
      expect(position).toStrictEqual({ ...begun, version: 2, ...change });
    });

    test('gives what was published after a version, without the rows, once', async () => {
      const store = open('published');
      expect(await store.published(0)).toStrictEqual({ version: 0, events: [] });
      const begun = await store.begin(beginning(), []);
      const first = chunkOf({ messages: [toMessage(rated('green'))] });
      const recorded = await store.record(begun, first);
      expect((await store.published(0)).events).toStrictEqual([]);
      const advanced = await store.advance(recorded, first);
      const second = chunkOf({ messages: [toMessage(rated('red', { second: 5 }))] });
      await store.advance(await store.record(advanced, second), second);
      const all = await open('published').published(0);
      expect(all.events.map(({ event }) => event.data.change)).toMatchObject([
        { to: 'green' },
        { to: 'red' },
      ]);
      expect(all.events.every(({ event }) => event.data.activities.length === 0)).toBe(true);
      const [one, other] = all.events;
      expect([one?.version, other?.version, all.version]).toStrictEqual([2, 4, 4]);
      expect((await store.published(2)).events).toStrictEqual(other ? [other] : []);
      expect(await store.published(all.version)).toStrictEqual({ version: all.version, events: [] });
    });

    describe('takes over what was found without a row', () => {
      const learnt = (given: Partial<Learnt> = {}): Learnt => ({
        origin: 'listing',
        at: noon + 60_000_000n,
        asOf: 2,
        ratings: new Map([
          ['7#gene#BRCA1', 'amber'],
          ['7#region#ISCA-1', 'red'],
        ]),
        versions: new Map([[7, '2.0']]),
        silent: new Map([[7, [silentEvent]]]),
        ...given,
      });
      const silentEvent = rated('amber', { via: 'listing', second: 60 });

      /** A state with a chunk, which version 2 recorded. */
      const withChunk = async (catalogue: string): Promise<StateStore> => {
        const store = open(catalogue);
        await store.advance(await store.record(await store.begin(beginning(), []), chunkOf()), chunkOf());
        return store;
      };

      test('with when and how it was shown; what rows stated else stays', async () => {
        const store = await withChunk('learning');
        await store.learn(learnt());
        const at = noon + 60_000_000n;
        const entities = await open('learning').entities(['7#gene#BRCA1', '7#region#ISCA-1']);
        expect(entities.get('7#gene#BRCA1')).toStrictEqual({
          ...chunkOf().entities.get('7#gene#BRCA1'),
          rating: 'amber',
          at,
          origin: 'listing',
          version: '2.0',
        });
        expect(entities.get('7#region#ISCA-1')).toStrictEqual({
          rating: 'red',
          at,
          unpaired: [],
          origin: 'listing',
          version: '2.0',
        });
        expect((await store.panels([7])).get(7)).toStrictEqual({
          ...chunkOf().panels.get(7),
          version: '2.0',
          at,
          origin: 'listing',
        });
      });

      test('not over what the poller published since', async () => {
        const store = await withChunk('learning-late');
        await store.learn(learnt({ asOf: 1 }));
        expect((await store.entities(['7#gene#BRCA1'])).get('7#gene#BRCA1')?.rating).toBe('green');
        expect((await store.panels([7])).get(7)?.version).toBe('1.10');
        expect((await store.entities(['7#region#ISCA-1'])).get('7#region#ISCA-1')?.rating).toBe('red');
      });

      test('so that a poll that has read the former states stops before it records', async () => {
        const store = await withChunk('learning-meanwhile');
        const before = await open('learning-meanwhile', 'poll').load(overlap);
        await store.learn(learnt());
        const poll = open('learning-meanwhile', 'poll');
        if (!before) throw new Error('nothing was begun');
        await expect(poll.record(before.position, chunkOf())).rejects.toMatchObject({
          code: 'STATE_CONFLICT',
        });
        const now = await poll.load(overlap);
        expect(now?.position).toMatchObject({ mark: before.position.mark });
        if (now) await poll.record(now.position, chunkOf());
      });

      test('and keeps the events that published it, each once', async () => {
        const store = await withChunk('learning-events');
        const later = rated('red', { via: 'listing', second: 90 });
        await store.learn(learnt());
        await store.learn(learnt({ silent: new Map([[7, [silentEvent, { ...later, id: keyOf('9') }]]]) }));
        const silent = await open('learning-events').silent([7, 8]);
        expect(silent.get(7)?.map(({ time }) => time)).toStrictEqual([silentEvent.time, later.time]);
        expect(silent.get(8)).toStrictEqual([]);
      });

      test('but nothing before a poll has begun', async () => {
        const store = open('learning-first');
        await store.learn(learnt());
        expect(await store.load(overlap)).toBeNull();
        await store.begin(beginning(), []);
        expect(await store.entities(['7#gene#BRCA1'])).toStrictEqual(new Map());
      });
    });

    test('counts unknown wordings', async () => {
      const store = open('shaped');
      const counted = new Map([
        ['Archived …', 2],
        ['', 1],
      ]);
      await store.countShapes(counted, noon);
      await store.countShapes(new Map([['Archived …', 1]]), noon + 1n);
      const shapes = (await store.shapes()).toSorted((one, other) => other.count - one.count);
      expect(shapes[0]).toStrictEqual({ shape: 'Archived …', count: 3, lastAt: noon + 1n });
      expect(shapes).toHaveLength(2);
    });

    test('keeps the listing of panels', async () => {
      const store = open('listed');
      expect(await store.listing()).toBeNull();
      const facts = {
        types: ['x'],
        diseaseGroup: '',
        diseaseSubGroup: '',
        relevantDisorders: ['R59'],
        signedOff: true,
      };
      const versions = [
        { version: '2.0', at: noon },
        { version: '1.9', at: noon - 1n },
      ];
      const listing = {
        panels: new Map([[7, { name: 'Deafness', facts, versions }]]),
        typeSlugs: new Map([['Super Panel', 'superpanel']]),
        readAt: noon,
        listedAt: 5,
        requests: { readings: [3, 5], absent: [8], notBefore: null },
      };
      await store.saveListing(listing);
      expect(await store.listing()).toStrictEqual(listing);
    });

    test('does not replace a listing by one that was read before it', async () => {
      const newer = listingAt(noon + 5n, { types: ['newer'] });
      const older = listingAt(noon, { types: ['older'] });
      await open('listed-twice').saveListing(newer);
      await open('listed-twice', 'other').saveListing(older);
      expect(await open('listed-twice').listing()).toStrictEqual(newer);
      const again = { ...newer, requests: { readings: [7], absent: [], notBefore: 9 } };
      await open('listed-twice').saveListing(again);
      expect(await open('listed-twice').listing()).toStrictEqual(again);
    });

    test('replaces a listing that seems newer, where the clock of the catalogue was wrong', async () => {
      const ahead = { ...listingAt(noon + minutes(1440), { types: ['ahead'] }), listedAt: 1_000 };
      const right = { ...listingAt(noon, { types: ['right'] }), listedAt: 1_000 + 3_600_001 };
      await open('clock-set-back').saveListing(ahead);
      await open('clock-set-back').saveListing(right);
      expect(await open('clock-set-back').listing()).toStrictEqual(right);
    });
  });
}
