import { describe, expect, test } from 'vitest';
import type { MovableStore } from '../../lambdas/store/store.ts';
import { beginning, chunkOf, finish, keyOf, noon, overlap, rowAt } from './behaviour.ts';

type OpenMovable = (catalogue: string, runId?: string) => MovableStore;

const minute = 60_000_000n;

/** What every store does whose mark a person can move. */
export function describeMovedMark(where: string, open: OpenMovable): void {
  const loaded = async (catalogue: string) => {
    const stored = await open(catalogue).load(overlap);
    if (!stored) throw new Error('nothing was begun');
    return { ...stored, keys: [...stored.seen.keys()].sort() };
  };
  const move = async (catalogue: string, mark: bigint): Promise<void> => {
    const { position } = await loaded(catalogue);
    await open(catalogue).moveMark(position, mark);
  };
  /** Four rows, a minute apart, in two chunks. */
  const begin = async (catalogue: string): Promise<void> => {
    await open(catalogue).begin(beginning(), []);
    await finish(open(catalogue), [rowAt('1', noon + minute), rowAt('2', noon + 2n * minute)]);
    await finish(open(catalogue), [
      rowAt('3', noon + 3n * minute),
      rowAt('4', noon + 4n * minute),
      rowAt('5', null),
    ]);
  };

  describe(`a mark ${where}`, () => {
    test('that is moved back makes the rows after it unseen, and no others', async () => {
      await begin('back');
      await move('back', noon + minute);
      const { position, keys, pending } = await loaded('back');
      expect({ mark: position.mark, pending, keys }).toStrictEqual({
        mark: noon + minute,
        pending: null,
        keys: [keyOf('1'), keyOf('5')],
      });
    });

    test('that was moved back sees the rows that are published again', async () => {
      await begin('again');
      await move('again', noon + minute);
      await finish(open('again'), [rowAt('2', noon + 2n * minute)]);
      expect((await loaded('again')).keys).toStrictEqual(['1', '2', '5'].map(keyOf));
      await finish(open('again'), [rowAt('3', noon + 3n * minute), rowAt('4', noon + 4n * minute)]);
      expect((await loaded('again')).keys).toStrictEqual(['1', '2', '3', '4', '5'].map(keyOf));
    });

    test('that is moved back twice makes unseen what either move concerns', async () => {
      await begin('twice');
      await move('twice', noon + 2n * minute);
      await finish(open('twice'), [rowAt('3', noon + 3n * minute)]);
      await move('twice', noon + minute);
      expect((await loaded('twice')).keys).toStrictEqual(['1', '5'].map(keyOf));
      await finish(open('twice'), [rowAt('2', noon + 2n * minute)]);
      expect((await loaded('twice')).keys).toStrictEqual(['1', '2', '5'].map(keyOf));
    });

    test('that is moved forward keeps what is before it out of the next poll', async () => {
      await begin('forward');
      await move('forward', noon + 10n * minute);
      const { mark, ledgerSince, start } = (await loaded('forward')).position;
      expect({ mark, ledgerSince, start }).toStrictEqual({
        mark: noon + 10n * minute,
        ledgerSince: noon + 10n * minute + 1n,
        start: noon - overlap,
      });
    });

    test('that is moved far back begins there', async () => {
      await begin('far');
      const day = 24n * 60n * minute;
      await move('far', noon - 30n * day);
      const { position, keys } = await loaded('far');
      expect(position).toMatchObject({ mark: noon - 30n * day, start: noon - 30n * day, count: null });
      expect(keys).toStrictEqual([keyOf('5')]);
    });

    test('stops a poll that read the position before, and is stopped by one that wrote since', async () => {
      await begin('race');
      const { position } = await loaded('race');
      await open('race', 'person').moveMark(position, noon + minute);
      await expect(open('race', 'poll').record(position, chunkOf())).rejects.toMatchObject({
        code: 'STATE_CONFLICT',
      });
      await finish(open('race', 'poll'), [rowAt('2', noon + 2n * minute)]);
      await expect(open('race', 'person').moveMark(position, noon)).rejects.toMatchObject({
        code: 'STATE_CONFLICT',
      });
      expect((await loaded('race')).position.mark).toBe(noon + 2n * minute);
    });
  });
}
