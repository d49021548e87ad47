import { expect, test } from 'vitest';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { longText } from './documents.ts';

/** What every store of items does. `open` returns the same store each time. */
export function describeItems(open: () => ItemStore): void {
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
      await open().create(item('long', `event#${String(place).padStart(2, '0')}`, longText(200_000)));
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

  test('the last items are listed, up to an id, in the order of their ids', async () => {
    for (const id of ['1', '2', '3', '4']) await open().create(item('last', id));
    const ids = async (range: { readonly last: number; readonly upTo?: string }) =>
      (await open().list('last', range)).map(({ id }) => id);
    expect(await ids({ last: 2 })).toStrictEqual(['3', '4']);
    expect(await ids({ last: 2, upTo: '3' })).toStrictEqual(['2', '3']);
    expect(await ids({ last: 9, upTo: '2~' })).toStrictEqual(['1', '2']);
    expect(await ids({ last: 9, upTo: '0' })).toStrictEqual([]);
  });

  test('items are put in place of others, many at once, and removed so', async () => {
    const many = Array.from({ length: 30 }, (_, at) => item('many', `a${String(at).padStart(2, '0')}`));
    await open().create(item('many', 'a07', 'before'));
    await open().put(...many, item('many', 'b'));
    await open().put(item('many', 'b', 'again'));
    expect(await open().get('many', 'a07')).toMatchObject({ value: { id: 'a07' } });
    expect((await open().list('many')).map(({ id }) => id)).toStrictEqual([...many.map(({ id }) => id), 'b']);
    await open().remove('many', ...many.map(({ id }) => id));
    expect(await open().list('many')).toMatchObject([{ id: 'b', value: 'again' }]);
  });

  test('a value larger than an item comes back whole, replaced or not', { tags: 'slow' }, async () => {
    const [first, second] = [longText(1_000_000), longText(900_000, 2)];
    expect(await open().create(item('large', 'a', { text: first }))).toBe(true);
    expect(await open().create(item('large', 'a', { text: second }))).toBe(false);
    const read = await open().get('large', 'a');
    expect(read?.value).toStrictEqual({ text: first });
    if (!read) throw new Error('The item is missing');
    expect(await open().replace({ ...read, value: { text: second } })).toBe(true);
    expect(await open().replace({ ...read, value: { text: first } })).toBe(false);
    expect((await open().list('large')).map(({ value }) => value)).toStrictEqual([{ text: second }]);
    await open().put(item('large', 'a', { text: first }), item('large', 'b', { text: second }));
    expect((await open().list('large')).map(({ value }) => value)).toStrictEqual([
      { text: first },
      { text: second },
    ]);
  });
}
