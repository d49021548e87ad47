import { expect, test } from 'vitest';
import type { AnswerKey, AnswerStore } from '../../lambdas/panels/answer-store.ts';
import { at } from './made-up-states.ts';

export const key = (changes: Partial<AnswerKey> = {}): AnswerKey => ({
  panelId: 3,
  version: '1.0',
  validFrom: at('2026-03-01T00:00:00'),
  source: 'present',
  readAt: at('2026-03-02T00:00:00'),
  ...changes,
});

/** An answer of many genes, of which the first so many are of another kind. */
export const bodyOf = (changed = 0, genes = 500): Buffer =>
  Buffer.from(
    JSON.stringify({
      genes: Array.from({ length: genes }, (_, at) => ({
        name: `GENE${at}`,
        text:
          (at < changed ? 'ä'.repeat(9) : `${(at * 2_654_435_761) % 1_000_003}`) +
          Math.imul(at + changed, 40_503),
      })),
    }),
  );

interface NewStore {
  readonly store: AnswerStore;
  /** So many bytes take what it keeps. */
  bytes(): number | Promise<number>;
}

/** What every store of answers does. `newStore` gives an empty one. */
export function testAnswerStore(newStore: () => NewStore): void {
  test('an answer comes back byte by byte', async () => {
    const { store } = newStore();
    const body = Buffer.from('{"genes": [], "82": 1.0, "name": "\\u2028\u00e4" }\n');
    await store.keep(key(), body);
    expect((await store.read(key()))?.equals(body)).toBe(true);
    expect(await store.read(key({ version: '1.1' }))).toBeNull();
    expect(await store.of(3)).toEqual([key()]);
  });

  test('a version as it was at first, as it was later, and as it is archived are answers of their own', async () => {
    const { store } = newStore();
    const later = key({ readAt: at('2026-03-03T00:00:00') });
    const archived = key({ source: 'archive', readAt: at('2026-03-04T00:00:00') });
    for (const [index, one] of [key(), later, archived].entries()) await store.keep(one, bodyOf(index));
    expect(await store.of(3)).toEqual([key(), later, archived]);
    const next = key({ version: '1.1', validFrom: at('2026-03-05T00:00:00') });
    await store.keep(next, bodyOf());
    expect(await store.of(3, key())).toEqual([key(), later, archived]);
    expect(await store.of(3, next)).toEqual([next]);
    for (const [index, one] of [key(), later, archived].entries())
      expect((await store.read(one))?.equals(bodyOf(index))).toBe(true);
  });

  test('an answer that comes again is kept once, since its first reading', async () => {
    const { store } = newStore();
    await store.keep(key(), bodyOf());
    await store.keep(key({ readAt: at('2026-03-05T00:00:00') }), bodyOf());
    expect(await store.of(3)).toEqual([key()]);
  });

  test('a version that differs little takes little, one that differs much is read as well', async () => {
    const { store, bytes } = newStore();
    const minor = (version: number): AnswerKey =>
      key({ version: `1.${version}`, validFrom: at('2026-03-01T00:00:00') + BigInt(version) });
    const before = await bytes();
    await store.keep(minor(0), bodyOf());
    const alone = (await bytes()) - before;
    const changed = Buffer.from(String(bodyOf()).replace('GENE77"', 'GENE77X"'));
    for (let version = 1; version <= 20; version += 1) await store.keep(minor(version), changed);
    expect((await bytes()) - before - alone).toBeLessThan(alone / 2);
    await store.keep(minor(21), bodyOf(400));
    for (const [version, body] of [bodyOf(), changed].entries())
      expect((await store.read(minor(version)))?.equals(body)).toBe(true);
    expect((await store.read(minor(21)))?.equals(bodyOf(400))).toBe(true);
  });
}
