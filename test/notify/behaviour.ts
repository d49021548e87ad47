import { expect, test } from 'vitest';
import type { OutboxStore } from '../../lambdas/notify/outbox-store.ts';

/** What every store of the outbox does. `open` gives the same store each time. */
export function describeOutboxStore(open: () => OutboxStore): void {
  const item = (partition: string, id: string, value: unknown = { id }) => ({ partition, id, value });

  test('an item is created once', async () => {
    expect(await open().create(item('once', 'a', { first: true }))).toBe(true);
    expect(await open().create(item('once', 'a', { first: false }))).toBe(false);
    expect(await open().get('once', 'a')).toMatchObject({ version: 1, value: { first: true } });
    expect(await open().get('once', 'b')).toBeNull();
  });

  test('of two that replace the same version, the second is refused', async () => {
    await open().create(item('replace', 'a'));
    const read = await open().get('replace', 'a');
    if (!read) throw new Error('The item is missing');
    expect(await open().replace({ ...read, value: 'one' })).toBe(true);
    expect(await open().replace({ ...read, value: 'two' })).toBe(false);
    expect(await open().get('replace', 'a')).toMatchObject({ version: 2, value: 'one' });
  });

  test('an item that was removed cannot be replaced', async () => {
    await open().create(item('gone', 'a'));
    const read = await open().get('gone', 'a');
    if (!read) throw new Error('The item is missing');
    await open().remove('gone', 'a');
    expect(await open().replace(read)).toBe(false);
    expect(await open().get('gone', 'a')).toBeNull();
    await open().remove('gone', 'a');
  });

  test('items are listed by the beginning of their id, in its order, from one partition', async () => {
    for (const id of ['event#2', 'event#1', 'open#1']) await open().create(item('list', id));
    await open().create(item('list#other', 'event#3'));
    expect((await open().list('list', 'event#')).map(({ id }) => id)).toStrictEqual(['event#1', 'event#2']);
  });

  test('long lists are read to their end', async () => {
    for (let place = 0; place < 12; place += 1) {
      await open().create(item('long', `event#${String(place).padStart(2, '0')}`, 'x'.repeat(200_000)));
    }
    expect(await open().list('long', 'event#')).toHaveLength(12);
  });

  test('an item that has expired is gone', async () => {
    await open().create({ ...item('expired', 'a'), expires: 1 });
    expect(await open().get('expired', 'a')).toBeNull();
    expect(await open().list('expired', 'a')).toStrictEqual([]);
    expect(await open().create(item('expired', 'a', 'new'))).toBe(true);
    expect(await open().get('expired', 'a')).toMatchObject({ value: 'new' });
  });
}
