import { describe, expect, test } from 'vitest';
import type { ActivityPage } from '../../lambdas/catalogue/client.ts';
import { createPageReader, OutOfTime, type PageReader } from '../../lambdas/poll/log-page.ts';
import { createTestClock } from '../run/test-clock.ts';
import { letteredRow } from './lettered-page.ts';

interface Answers {
  /** By page number, the answers in turn, of which the last one goes on; `c b a of 12` says a count. */
  readonly pages: Readonly<Record<number, readonly string[]>>;
  readonly deadline?: number;
}

interface Reading {
  readonly reader: PageReader;
  readonly asked: readonly number[];
  readonly clock: ReturnType<typeof createTestClock>;
}

/** A reader of lettered pages; a row that is written in capitals is no activity, and `-` has no time either. */
function readerOf({ pages, deadline }: Answers): Reading {
  const asked: number[] = [];
  const clock = createTestClock({ now: 0 });
  const activities = async (number: number): Promise<ActivityPage | null> => {
    const answers = pages[number] ?? [''];
    const times = asked.filter((each) => each === number).length;
    asked.push(number);
    const [rows = '', count = '9'] = (answers[times] ?? answers.at(-1) ?? '').split(' of ');
    if (rows === '') return null;
    return {
      page: number,
      rows: rows.split(' ').map((row) => {
        if (row.startsWith('-')) return { created: 'yesterday', text: row };
        const { text, ...invalid } = letteredRow(row.toLowerCase());
        return row === row.toLowerCase() ? { ...invalid, text } : invalid;
      }),
      count: count === '?' ? null : Number(count),
      hasNext: number + 1 in pages,
      serverTime: null,
    };
  };
  const reader = createPageReader({ catalogue: { activities }, clock, deadline });
  return { reader, asked, clock };
}

/** Reads pages in turn; gives the newest row of the last one, or null past the end. */
async function readAll({ reader }: Reading, numbers: readonly number[]): Promise<string | null> {
  let newest: string | null = null;
  for (const number of numbers) {
    const row = (await reader.read(number))?.rows[0];
    newest = row === undefined ? null : row.kind === 'activity' ? row.activity.text : 'invalid';
  }
  return newest;
}

describe('the deadline', () => {
  test('ends reading once it is reached', async () => {
    const reading = readerOf({ pages: { 1: ['c b a'] }, deadline: 1000 });
    await reading.clock.pass(999);
    expect(await readAll(reading, [1])).toBe('c');
    await reading.clock.pass(1);
    await expect(reading.reader.read(1)).rejects.toThrow(OutOfTime);
    expect(reading.asked).toStrictEqual([1]);
  });
});

describe('a page with the rows of page 1', () => {
  test('is refused where the catalogue ignores the page number', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['h i g'] } });
    await expect(readAll(reading, [1, 2])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(reading.asked, 'page 1 and the page are asked for again').toStrictEqual([1, 2, 1, 2]);
  });

  test('is refused where its rows are newer than those that page 1 had', async () => {
    const reading = readerOf({
      pages: { 1: ['i h g', 'k j i of 10', 'l k j of 11'], 2: ['j i h of 10', 'l k j of 11'] },
    });
    await expect(readAll(reading, [1, 2])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  });

  test('is another page, where directly after page 1 it has other rows', async () => {
    const reading = readerOf({ pages: { 1: ['i h g', 'l k j of 11'], 2: ['j i h of 10', 'i h g of 11'] } });
    expect(await readAll(reading, [1, 2])).toBe('i');
    expect(reading.asked).toStrictEqual([1, 2, 1, 2]);
  });

  test('is another page, where the count says that as many rows were added', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['i h g of 12'] } });
    expect(await readAll(reading, [1, 2])).toBe('i');
    expect(reading.asked).toStrictEqual([1, 2]);
  });

  test('is refused where fewer rows were added than pages are between', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['f e d'], 3: ['i h g of 14', 'i h g of 14'] } });
    await expect(readAll(reading, [1, 3])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  });

  test.each([
    ['i h g', 'i h g of ?'],
    ['i h g of ?', 'i h g'],
  ])('is refused where a count is unusable: %s, %s', async (first, second) => {
    const reading = readerOf({ pages: { 1: [first], 2: [second] } });
    await expect(readAll(reading, [1, 2])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  });

  test('is past the end, where it is gone when asked for again', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['i h g', ''] } });
    expect(await readAll(reading, [1, 2])).toBeNull();
  });

  test('is accepted where it is page 1 itself, read again', async () => {
    const reading = readerOf({ pages: { 1: ['i h g', 'k j i of 11'], 2: ['f e d'] } });
    expect(await readAll(reading, [1, 1])).toBe('k');
    expect(reading.asked).toStrictEqual([1, 1]);
  });

  test('is compared with the first page 1 that was read, where page 1 has no time when asked again', async () => {
    const reading = readerOf({ pages: { 1: ['i h g', '-1 -2 -3'], 2: ['h i g'], 3: ['c b a'] } });
    await expect(readAll(reading, [1, 2])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  });

  test('is not a shorter one', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['h g'] } });
    expect(await readAll(reading, [1, 2])).toBe('h');
  });
});

describe('a page without an activity', () => {
  test('is given where an older page has one', async () => {
    const reading = readerOf({ pages: { 1: ['I H G'], 2: ['F E D'], 3: ['c b a'] } });
    expect(await readAll(reading, [1])).toBe('invalid');
    expect(reading.asked).toStrictEqual([1, 2, 3]);
  });

  test('needs no other page where one was read before', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['F E D'], 3: ['c b a'] } });
    expect(await readAll(reading, [1, 2])).toBe('invalid');
    expect(reading.asked).toStrictEqual([1, 2]);
  });

  test('and without a time gets that of the page below', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['-1 -2 -3'], 3: ['-4 -5 -6'], 4: ['c b a'] } });
    await readAll(reading, [1]);
    const page = await reading.reader.read(2);
    expect(page?.newest).toBe((await reading.reader.read(4))?.newest);
    expect(reading.asked).toStrictEqual([1, 2, 3, 4, 4]);
  });

  test('is refused where no older page has one', async () => {
    const reading = readerOf({ pages: { 1: ['I H G'], 2: ['F E D'] } });
    await expect(readAll(reading, [1])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(reading.asked).toStrictEqual([1, 2]);
  });

  test('is refused after ten older pages without one', async () => {
    const pages = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, ['I H G of 60']]));
    const reading = readerOf({ pages });
    await expect(readAll(reading, [1])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(reading.asked).toHaveLength(11);
  });

  test('is refused where the log ends while older pages are read', async () => {
    const reading = readerOf({ pages: { 1: ['-1 -2 -3'], 2: [''] } });
    await expect(readAll(reading, [1])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  });

  test('and without a time is refused where no page below has one', async () => {
    const reading = readerOf({ pages: { 1: ['i h g'], 2: ['-1 -2 -3'], 3: ['-4 -5 -6'] } });
    await expect(readAll(reading, [1, 2])).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
  });
});

describe('the number of requests', () => {
  const requests = async (pages: Answers['pages']): Promise<number> => {
    const reading = readerOf({ pages });
    await expect(readAll(reading, Array(200).fill(1))).rejects.toMatchObject({
      code: 'REQUEST_BUDGET_SPENT',
    });
    return reading.asked.length;
  };

  test('is three for each page of the log, and fifty', async () => {
    expect(await requests({ 1: ['i h g of 30'] })).toBe(50 + 3 * 10);
    expect(await requests({ 1: ['i h g of ?'] }), 'without a count, for each page that is known').toBe(
      50 + 3,
    );
  });
});
