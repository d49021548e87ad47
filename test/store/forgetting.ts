import { describe, expect, test } from 'vitest';
import { minutes } from '../../lambdas/run/instant.ts';
import { forgetOldState, type MovableStore } from '../../lambdas/store/store.ts';
import { beginning, chunkOf, finish, keyOf, noon, overlap, rowAt } from './behaviour.ts';

const DAY = minutes(24 * 60);
const old = noon - 100n * DAY;

/** What every store forgets, and what it never forgets. */
export function describeForgetting(
  where: string,
  open: (catalogue: string, runId?: string) => MovableStore,
): void {
  const begun = async (catalogue: string): Promise<MovableStore> => {
    const store = open(catalogue);
    await store.begin(beginning({ mark: old, start: old - overlap }), []);
    await finish(open(catalogue, 'first'), [rowAt('1', old + 1n), rowAt('2', old + 2n)]);
    await finish(open(catalogue, 'second'), [rowAt('3', noon)]);
    return store;
  };

  describe(`what is older than it is kept ${where}`, () => {
    test('is forgotten, and no row before it counts as new', async () => {
      const store = await begun('old-rows');
      expect([...(await store.ledger(0n)).keys()]).toStrictEqual(['1', '2', '3'].map(keyOf));
      await store.forgetBefore(noon - 30n * DAY);
      expect([...(await open('old-rows', 'next').ledger(0n)).keys()]).toStrictEqual([keyOf('3')]);
      const stored = await open('old-rows', 'next').load(overlap);
      expect(stored?.position).toMatchObject({ ledgerSince: noon - 30n * DAY, mark: noon });
    });

    test('stays where no poll came so far yet: after a long outage every row is recognised', async () => {
      const store = await begun('old-outage');
      await store.forgetBefore(noon);
      await store.forgetBefore(noon + 30n * DAY);
      expect([...(await open('old-outage', 'next').ledger(0n)).keys()]).toHaveLength(3);
    });

    test('stays while a chunk is recorded', async () => {
      const store = await begun('old-recorded');
      const stored = await store.load(overlap);
      if (!stored) throw new Error('nothing was begun');
      await store.record(stored.position, chunkOf());
      await open('old-recorded', 'other').forgetBefore(noon - 30n * DAY);
      expect((await open('old-recorded', 'next').load(overlap))?.pending).not.toBeNull();
      expect((await open('old-recorded', 'next').ledger(0n)).size).toBe(3);
    });

    test('includes entities that lost their rating, and no other state', async () => {
      const store = open('old-entities');
      await store.begin(beginning({ mark: old, start: old }), []);
      const stored = await store.load(overlap);
      if (!stored) throw new Error('nothing was begun');
      const chunk = chunkOf({
        entities: new Map([
          ['7#gene#GONE', { rating: null, at: old, unpaired: [] }],
          ['7#gene#GREEN', { rating: 'green', at: old, unpaired: [] }],
          ['7#gene#RECENT', { rating: null, at: noon, unpaired: [] }],
        ]),
        next: { mark: noon, count: null, waits: 0, gap: null },
      });
      await store.advance(await store.record(stored.position, chunk), chunk);
      await store.forgetBefore(noon - 30n * DAY);
      const known = await open('old-entities', 'next').entities([...chunk.entities.keys()]);
      expect([...known.keys()].sort()).toStrictEqual(['7#gene#GREEN', '7#gene#RECENT']);
      expect((await open('old-entities', 'next').panels([7])).get(7)?.version).toBe('1.10');
    });

    test('is forgotten by whole days, so that the state is written once a day', async () => {
      const store = await begun('old-days');
      const now = Number(noon / 1000n);
      await forgetOldState(store, { days: 30, now });
      const first = (await store.load(overlap))?.position.version;
      await forgetOldState(store, { days: 30, now: now + 3_600_000 });
      expect((await store.load(overlap))?.position.version).toBe(first);
      await forgetOldState(store, { days: 30, now: now + 24 * 3_600_000 });
      expect((await store.load(overlap))?.position.version).toBe((first ?? 0) + 1);
    });
  });
}
