import { describe, expect, test } from 'vitest';
import { type LogPage, logPage } from '../../lambdas/poll/log-page.ts';
import { rowsSince } from '../../lambdas/poll/read-back.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { instantOf, letteredPage } from './lettered-page.ts';
import { createSimulatedLog, noon } from './simulated-log.ts';

interface LetteredLog {
  /**
   * By page number, the answers in turn, of which the last one goes on: `c b a`; with the count of the log's rows
   * `c b a of 12`; with an unusable count `c b a of ?`; an empty text past the end.
   */
  readonly pages: Readonly<Record<number, readonly string[]>>;
  /** The page where reading begins. */
  readonly bottom?: number;
  readonly floor?: string;
  readonly until?: string;
  readonly gap?: { readonly at: string; readonly polls: number };
}

interface ReadLog {
  /** In the order in which they were given. */
  readonly rows: string;
  /** The instant that the mark must not pass. */
  readonly limit: string | null;
  /** Numbers of the pages that the catalogue was asked for. */
  readonly asked: readonly number[];
  /** The count of each batch. */
  readonly counts: readonly (number | null)[];
  readonly warnings: readonly unknown[];
}

/** Reads a log of lettered rows; three rows are on each page, and nine in the log where the answers do not say it. */
async function readLettered({ pages, bottom = 3, gap, ...given }: LetteredLog): Promise<ReadLog> {
  const asked: number[] = [];
  const readPage = async (number: number): Promise<LogPage | null> => {
    const answers = pages[number] ?? [''];
    const times = asked.filter((each) => each === number).length;
    asked.push(number);
    const [rows = '', count = '9'] = (answers[times] ?? answers.at(-1) ?? '').split(' of ');
    if (rows === '') return null;
    return letteredPage(number, rows, {
      count: count === '?' ? null : Number(count),
      isLast: !(number + 1 in pages),
    });
  };
  const first = await readPage(1);
  if (!first) throw new Error('the log has no page');
  const rows: string[] = [];
  const counts: (number | null)[] = [];
  const warnings: unknown[] = [];
  let limit: bigint | null = null;
  const batches = rowsSince({
    readPage,
    first,
    floor: instantOf(given.floor ?? 'a'),
    ...(given.until === undefined ? {} : { until: instantOf(given.until) }),
    expected: null,
    bottom: { number: bottom, pages: new Map([[1, first]]) },
    seen: new Map(),
    gap: gap ? { at: instantOf(gap.at), polls: gap.polls } : null,
    log: { ...silentLog, warn: (message, fields) => warnings.push([message, fields]) },
  });
  for await (const batch of batches) {
    for (const row of batch.rows) rows.push(row.kind === 'activity' ? row.activity.text : '?');
    counts.push(batch.count);
    limit = batch.watermarkLimit ?? limit;
  }
  const letter = [...'abcdefghijklmnopqrstuvwxyz'].find((each) => instantOf(each) === limit);
  return { rows: rows.join(' '), limit: letter ?? null, asked, counts, warnings };
}

describe('a log is read from its oldest page to its newest', () => {
  const pages = { 1: ['i h g'], 2: ['f e d'], 3: ['c b a'] };

  test('each page once', async () => {
    expect(await readLettered({ pages })).toStrictEqual({
      rows: 'a b c d e f g h i',
      limit: null,
      asked: [1, 3, 2],
      counts: [3, 6, 9],
      warnings: [],
    });
  });

  test('from a floor', async () => {
    const { rows, asked } = await readLettered({ pages, floor: 'e', bottom: 2 });
    expect({ rows, asked }).toStrictEqual({ rows: 'e f g h i', asked: [1, 2] });
  });

  test('up to an instant', async () => {
    const { rows, asked } = await readLettered({ pages, until: 'f' });
    expect({ rows, asked }).toStrictEqual({ rows: 'a b c d e f', asked: [1, 3, 2] });
  });

  test('and rows of one page in the order of their times', async () => {
    const { rows } = await readLettered({ pages: { ...pages, 2: ['e f d'] } });
    expect(rows).toBe('a b c d e f g h i');
  });

  test('where the page to begin with is past the end', async () => {
    const { rows, asked } = await readLettered({ pages, bottom: 5 });
    expect({ rows, asked }).toStrictEqual({ rows: 'a b c d e f g h i', asked: [1, 5, 4, 3, 2] });
  });
});

describe('where the log changes while it is read', () => {
  test('rows that are added lead back to the page below, and the page is kept meanwhile', async () => {
    expect(
      await readLettered({
        pages: { 1: ['i h g'], 2: ['g f e of 10'], 3: ['c b a', 'd c b of 10'], 4: ['a'] },
      }),
    ).toStrictEqual({
      rows: 'a b c d e f g h i',
      limit: null,
      asked: [1, 3, 2, 3],
      counts: [3, 4, 7, 9],
      warnings: [],
    });
  });

  test('more rows than a page holds lead back to the pages below, and none above the first page is read', async () => {
    const { rows, limit, asked } = await readLettered({
      pages: {
        1: ['i h g'],
        2: ['l k j of 15'],
        3: ['c b a'],
        4: ['f e d of 15'],
        5: ['c b a of 15'],
      },
    });
    expect({ rows, limit, asked }).toStrictEqual({
      rows: 'a b c d e f g h i',
      limit: null,
      asked: [1, 3, 2, 4],
    });
  });

  test('rows that vanish among the oldest ones lose none of those above them', async () => {
    // The rows a, b and c vanish after page 3 was read.
    expect(
      await readLettered({ pages: { 1: ['i h g', 'i h g of 6'], 2: ['f e d', 'f e d of 6'], 3: ['c b a'] } }),
    ).toMatchObject({ rows: 'a b c d e f g h i', limit: null });
  });

  test('rows that vanish among the newest ones lose none of those below them', async () => {
    expect(
      await readLettered({ pages: { 1: ['i h g', 'f e d of 6'], 2: ['c b a of 6'], 3: ['c b a'] } }),
    ).toMatchObject({ rows: 'a b c d e f' });
  });

  test('a page that never begins where the one before ended sets a limit, and reading goes on', async () => {
    expect(await readLettered({ pages: { 1: ['i h g'], 2: ['f e d of ?'], 3: ['c b a'] } })).toStrictEqual({
      rows: 'a b c d e f g h i',
      limit: 'c',
      asked: [1, 3, 2, 2, 2, 2, 3, 2],
      counts: [3, null, null],
      warnings: [
        [
          'The pages of the log do not fit together; a row may be missing; the mark waits there',
          { page: 2, count: null },
        ],
      ],
    });
  });
});

describe('without a usable count', () => {
  test('each page is read with the one below it', async () => {
    expect(
      await readLettered({ pages: { 1: ['i h g of ?'], 2: ['f e d of ?'], 3: ['c b a of ?'] } }),
    ).toStrictEqual({
      rows: 'a b c d e f g h i',
      limit: null,
      asked: [1, 3, 2, 3, 2],
      counts: [null, null, null],
      warnings: [],
    });
  });

  test('rows that were pushed below a page are found there, across several pages', async () => {
    // Page 2 is read after four rows were added.
    const { rows, limit, asked } = await readLettered({
      pages: {
        1: ['m l k of ?'],
        2: ['j i h of ?'],
        3: ['c b a of ?', 'g f e of ?'],
        4: ['d c b of ?'],
        5: ['a of ?'],
      },
    });
    expect({ rows, limit, asked }).toStrictEqual({
      rows: 'a b c d e f g h i j k l m',
      limit: null,
      asked: [1, 3, 2, 3, 4, 2],
    });
  });

  test('no page is read below the floor', async () => {
    const { rows, asked } = await readLettered({
      floor: 'd',
      pages: { 1: ['i h g of ?'], 2: ['f e d of ?'], 3: ['c b a of ?'], 4: ['A of ?'] },
    });
    expect({ rows, asked }).toStrictEqual({ rows: 'd e f g h i', asked: [1, 3, 2, 3, 2] });
  });

  test('a log that ends meanwhile is read to its end', async () => {
    const { rows, asked } = await readLettered({
      pages: { 1: ['f e d of ?'], 2: ['c b a of ?', ''], 3: [''] },
      bottom: 2,
    });
    expect({ rows, asked }).toStrictEqual({ rows: 'a b c d e f', asked: [1, 2, 2] });
  });

  test('a catalogue that gives the same page for every number is noticed', async () => {
    const pages = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((number) => [number, ['c b a of ?']]));
    await expect(readLettered({ pages, bottom: 7 })).rejects.toMatchObject({
      code: 'LOG_UNREADABLE',
      message: expect.stringContaining('pages 7 to 3'),
    });
  });
});

describe('rows of one instant across two pages', () => {
  const above = ['x w v'];

  test('are read again until all of them were seen', async () => {
    const { rows, limit, asked } = await readLettered({
      pages: { 1: above, 2: ['u t2 t1', 'u t2 t3'], 3: ['t1 b a'] },
    });
    expect(rows.split(' ').toSorted().join(' ')).toBe('a b t1 t2 t3 u v w x');
    expect({ limit, asked }).toStrictEqual({ limit: null, asked: [1, 3, 2, 2] });
  });

  test('need no limit where the last reading shows the last of them', async () => {
    const { limit, asked } = await readLettered({
      pages: { 1: above, 2: ['u t2 t1'], 3: ['t1 b a', 't1 b a', 't3 b a'] },
    });
    expect({ limit, asked }).toStrictEqual({ limit: null, asked: [1, 3, 2, 2, 3, 2, 3] });
  });

  test('are read from all of their pages, where they fill more than two', async () => {
    // Six rows are tied. Pages 3 and 4 show t5 and t6 only when they are read again.
    const { rows, limit, asked } = await readLettered({
      bottom: 4,
      pages: {
        1: ['x w v of 15'],
        2: ['u t1 t2 of 15'],
        3: ['t2 t3 t4 of 15', 't2 t3 t5 of 15'],
        4: ['t4 d c of 15', 't6 d c of 15'],
        5: ['b a A of 15'],
      },
      floor: 'c',
    });
    expect(rows.split(' ').toSorted().join(' ')).toBe('c d t1 t2 t3 t4 t5 t6 u v w x');
    expect({ limit, asked }).toStrictEqual({ limit: null, asked: [1, 4, 3, 2, 2, 3, 4] });
  });

  test.each<[string, Pick<LetteredLog, 'pages' | 'bottom'>, string]>([
    [
      'after a row above it vanished',
      {
        bottom: 4,
        pages: {
          1: ['l k j of 12', 'l j i of 11'],
          2: ['h g f of 11'],
          3: ['f e d of 12', 'e d c of 11'],
          4: ['c b a of 12', 'b a of 11'],
        },
      },
      'a b c d e f g h i j l',
    ],
    [
      'after two were added and an old one vanished',
      { pages: { 1: ['i h g of 9', 'l k i of 10'], 2: ['h g f of 10'], 3: ['e d c of 10'] } },
      'c d e f g h i',
    ],
  ])('are none where two pages show one row: %s', async (_when, log, read) => {
    const { rows, limit, warnings } = await readLettered(log);
    expect({ rows, limit, warnings }).toStrictEqual({ rows: read, limit: null, warnings: [] });
  });

  const incomplete = { 1: above, 2: ['u t2 t1'], 3: ['t1 b a'] };

  test('set a limit where one of them is never seen', async () => {
    const { limit, asked, warnings } = await readLettered({ pages: incomplete });
    expect({ limit, asked }).toStrictEqual({ limit: 't', asked: [1, 3, 2, 2, 3, 2, 3] });
    expect(warnings).toStrictEqual([
      [
        'Rows of one instant lie across pages of the log, and perhaps not all were seen; the mark waits there',
        { rows: 2 },
      ],
    ]);
  });

  test('set no limit for ever', async () => {
    const { limit, warnings } = await readLettered({ pages: incomplete, gap: { at: 't', polls: 16 } });
    expect({ limit, warnings }).toStrictEqual({
      limit: null,
      warnings: [
        [expect.stringMatching(/; 16 polls found no further one, and the mark goes on$/), { rows: 2 }],
      ],
    });
  });

  test.each([
    ['t', 15, 't'],
    ['t', 16, null],
    ['u', 16, 't'],
  ])(
    'set a limit until so many polls found no further one: gap at %s, %i polls',
    async (at, polls, limit) => {
      expect(await readLettered({ pages: incomplete, gap: { at, polls } })).toMatchObject({ limit });
    },
  );

  test.each([
    ['t', [1, 3, 2, 2, 3, 2, 3]],
    ['u', [1, 3, 2]],
  ])('are not read again where they are older than the floor: %s', async (floor, asked) => {
    expect(await readLettered({ pages: incomplete, floor })).toMatchObject({ asked });
  });

  test.each([
    ['set a limit where one of them may have vanished meanwhile', 't2 b of 8', 't'],
    ['set no limit where all of them were seen since others vanished', 't1 b of 8', null],
  ])('%s', async (_, below, wanted) => {
    const pages = { 1: ['x w v', 'x w v of 8'], 2: ['u t2 t3 of 8'], 3: ['t1 b a', below] };
    const { rows, limit } = await readLettered({ pages });
    expect(rows.split(' ').toSorted().join(' ')).toBe('a b t1 t2 t3 u v w x');
    expect(limit).toBe(wanted);
  });

  test('set a limit where there is no usable count', async () => {
    const { rows, limit, asked } = await readLettered({
      pages: { 1: ['x w v of ?'], 2: ['u t2 t3 of ?'], 3: ['t1 b a of ?'] },
    });
    expect(rows.split(' ').toSorted().join(' ')).toBe('a b t1 t2 t3 u v w x');
    expect({ limit, asked }).toStrictEqual({ limit: 't', asked: [1, 3, 2, 3, 2, 3, 2, 3, 2] });
  });
});

test('every row of a tie is read, or the mark waits at it, where a page was read before rows were added above it', async () => {
  /** Logs of which no page showed some row of the tie. */
  let missed = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const log = createSimulatedLog({ seed, pageSize: 10 });
    const readPage = async (number: number): Promise<LogPage | null> => {
      const page = await log.activities(number);
      return page && logPage(page);
    };
    // From the oldest row: 20 rows a minute apart, 10 of one instant, and 30 a minute apart.
    const tied = noon + minutes(20);
    for (let index = 0; index < 60; index++) {
      const at = index < 20 ? noon + minutes(index) : index < 30 ? tied : noon + minutes(index);
      log.write(`row ${index}`, { at });
    }
    // Page 5 is read before 15 rows are added, and page 6 afterwards.
    const known = await readPage(5);
    for (let index = 60; index < 75; index++) log.write(`row ${index}`, { at: noon + minutes(index) });
    const first = await readPage(1);
    if (!known || !first) throw new Error('the log has no such page');
    const found = new Set<string>();
    let limit: bigint | null = null;
    const batches = rowsSince({
      readPage,
      first,
      floor: noon,
      expected: null,
      bottom: {
        number: 8,
        pages: new Map([
          [1, first],
          [5, known],
        ]),
      },
      seen: new Map(),
      gap: null,
      log: silentLog,
    });
    for await (const { rows, watermarkLimit } of batches) {
      for (const { key } of rows) found.add(key);
      limit = watermarkLimit ?? limit;
    }
    if (found.size < log.rows.length) {
      missed += 1;
      expect(limit, `seed ${seed}`).toBe(tied);
    }
  }
  expect(missed).toBeGreaterThan(0);
});
