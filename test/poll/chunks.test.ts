import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { type ClassifiedRow, classifyLog } from '../../lambdas/classifier/classify.ts';
import { correlate, createKnownStates } from '../../lambdas/classifier/correlation/correlate.ts';
import { chunksOfAll } from '../../lambdas/classifier/correlation/pairs.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { chunksOf, halvesOf } from '../../lambdas/poll/chunks.ts';
import type { Batch } from '../../lambdas/poll/read-back.ts';
import { minutes, parseInstant } from '../../lambdas/run/instant.ts';
import { onPanel, row } from '../classifier/correlation/rows.ts';

const now = parseInstant('2026-02-28T00:00:00Z') ?? 0n;

/** Rows in batches of so many, as pages of the log give them. */
async function* inBatches(
  entries: readonly ClassifiedRow[],
  size: number,
): AsyncGenerator<Batch<ClassifiedRow>> {
  for (let at = 0; at < entries.length; at += size)
    yield { rows: entries.slice(at, at + size), watermarkLimit: null, count: null };
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The events of chunks that are correlated one after the other. */
function eventsOf(chunks: Iterable<readonly ClassifiedRow[]>): PanelEvent[] {
  const known = createKnownStates();
  const background = { catalogue: { name: 'uk', url: '/' }, listing: null };
  return [...chunks].flatMap((chunk) => {
    const correlated = correlate(chunk, known, background);
    known.learn(correlated.learnt);
    return correlated.events;
  });
}

const inShort = (events: readonly PanelEvent[]): string[] =>
  events.map(({ id, data }) => JSON.stringify([id, data.change, data.activities])).sort();

const comments = (count: number, from = 0, apart = 1000): Activity[] =>
  Array.from({ length: count }, (_, index) =>
    row(from + index * apart, `Added comment: ${index}`, { entity_name: 'TTN' }),
  );

test('a chunk has as many rows as the state takes together, and fewer where their texts are long', async () => {
  const sizes = async (entries: readonly ClassifiedRow[], chunkRows: number): Promise<readonly number[]> => {
    const chunks = await collected(chunksOf(inBatches(entries, 100), { now, mayWait: true, chunkRows }));
    return chunks.map(({ rows }) => rows.length);
  };
  const short = classifyLog(comments(2_500));
  expect((await sizes(short, 100)).slice(0, 3)).toStrictEqual([50, 100, 100]);
  expect(await sizes(short, 1_000)).toStrictEqual([950, 1_000, 550]);
  const long = classifyLog(
    Array.from({ length: 400 }, (_, index) => row(index * 1000, `Added comment: ${'long '.repeat(2_000)}`)),
  );
  const ofLong = await sizes(long, 1_000);
  expect(ofLong.reduce((sum, size) => sum + size, 0)).toBe(400);
  expect(Math.max(...ofLong)).toBeLessThanOrEqual(200);
});

describe('rows of one action come in one chunk', () => {
  const at = 98_500;
  const banner = 'Gene: brca1 has been classified as Green List (High Evidence).';
  test.each([
    [
      'a rating by hand',
      row(at, banner),
      row(at + 7, 'Classified gene: BRCA1 as Green List (high evidence)'),
    ],
    ['a mark as ready', row(at, banner), row(at + 7, 'Marked gene: BRCA1 as ready')],
    [
      'a copied gene',
      row(
        at,
        'gene: BRCA1 was added\ngene: BRCA1 was added to Hereditary breast cancer. Sources: Literature',
      ),
      row(at + 7, 'Copied gene BRCA1 from panel Ataxia', onPanel),
    ],
    [
      'a new symbol',
      row(at, 'BRCA1 was changed to MT-ND1', { entity_name: 'MT-ND1' }),
      row(at + 7, 'Mode of inheritance for gene BRCA1 was set to MITOCHONDRIAL', { entity_name: 'MT-ND1' }),
    ],
  ])('%s', async (_name, first, second) => {
    for (let before = 45; before <= 101; before++) {
      const entries = classifyLog([
        ...comments(before, at - before * 1000),
        first,
        second,
        ...comments(120, at + 1000),
      ]);
      const chunks = (
        await collected(chunksOf(inBatches(entries, 10), { now, mayWait: true, chunkRows: 100 }))
      ).map(({ rows }) => rows);
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.flat()).toStrictEqual(entries);
      const rows = chunks.map((chunk) =>
        chunk.map((row) => (row.kind === 'invalid' ? row.row : row.activity)),
      );
      expect(rows.find((some) => some.includes(first))).toContain(second);
      expect([...chunksOfAll(entries)].flat()).toStrictEqual(entries);
    }
  });
});

test('a chunk that is too large is split beside an action, and inside it only where it holds nothing else', () => {
  const action = classifyLog([
    row(0, 'Gene: brca1 has been classified as Green List (High Evidence).'),
    row(7, 'Classified gene: BRCA1 as Green List (high evidence)'),
  ]);
  const [comment] = classifyLog(comments(1, -1000));
  expect(halvesOf([comment as ClassifiedRow, ...action]).map(({ length }) => length)).toStrictEqual([1, 2]);
  expect(halvesOf([...action, comment as ClassifiedRow]).map(({ length }) => length)).toStrictEqual([2, 1]);
  expect(halvesOf(action).map(({ length }) => length)).toStrictEqual([1, 1]);
});

test('rows that were read before the log failed are given before the error', async () => {
  const entries = classifyLog(comments(70));
  async function* failing(): AsyncGenerator<Batch<ClassifiedRow>> {
    yield { rows: entries.slice(0, 30), watermarkLimit: null, count: null };
    yield { rows: entries.slice(30), watermarkLimit: null, count: null };
    throw new Error('HTTP 500');
  }
  const met: ClassifiedRow[] = [];
  const reading = async (): Promise<void> => {
    for await (const chunk of chunksOf(failing(), { now, mayWait: true, chunkRows: 100 }))
      met.push(...chunk.rows);
  };
  await expect(reading()).rejects.toThrow('HTTP 500');
  expect(met).toStrictEqual(entries);
});

test('a watermark limit counts from the batch that has it', async () => {
  const entries = classifyLog(comments(400));
  const limits = [null, now - minutes(5), now - minutes(1), null];
  async function* held(): AsyncGenerator<Batch<ClassifiedRow>> {
    for (const [index, watermarkLimit] of limits.entries())
      yield { rows: entries.slice(index * 100, index * 100 + 100), watermarkLimit, count: null };
  }
  const chunks = await collected(chunksOf(held(), { now, mayWait: true, chunkRows: 100 }));
  expect(chunks.map(({ watermarkLimit }) => watermarkLimit)).toStrictEqual([
    null,
    now - minutes(5),
    now - minutes(5),
    now - minutes(5),
    now - minutes(5),
  ]);
});

test('rows are in order of time, also where a later batch has older ones', async () => {
  const entries = classifyLog(comments(60));
  const [older, newer] = [entries.slice(0, 30), entries.slice(30)];
  async function* unordered(): AsyncGenerator<Batch<ClassifiedRow>> {
    for (const rows of [newer, older]) yield { rows, watermarkLimit: null, count: null };
  }
  const [chunk] = await collected(chunksOf(unordered(), { now, mayWait: true, chunkRows: 100 }));
  expect(chunk?.rows).toStrictEqual(entries);
});

const samples = new URL('../../../shared/samples/', import.meta.url);
const fixtures = new URL('../fixtures/catalogue/', import.meta.url);
const logs = [['this repository', fixtures, 3] as const, ['../shared', samples, 6] as const];

describe.each(logs.filter(([, folder]) => existsSync(folder)))(
  'the saved rows of %s',
  (_name, folder, pages) => {
    const rows = Array.from({ length: pages }, (_, page) => {
      const file = new URL(`activities-page-00${page + 1}.json`, folder);
      return (JSON.parse(readFileSync(file, 'utf8')) as { results: Activity[] }).results;
    }).flat();
    const entries = classifyLog(rows);
    const whole = inShort(eventsOf([entries]));

    test('give the same events wherever pages end', { tags: 'slow' }, async () => {
      for (let first = 0; first < 100; first += 3) {
        async function* pagesFrom(): AsyncGenerator<Batch<ClassifiedRow>> {
          yield { rows: entries.slice(0, first), watermarkLimit: null, count: null };
          yield* inBatches(entries.slice(first), 100);
        }
        const chunks = await collected(chunksOf(pagesFrom(), { now, mayWait: true, chunkRows: 100 }));
        expect(inShort(eventsOf(chunks.map(({ rows }) => rows)))).toStrictEqual(whole);
      }
    });
  },
);

test('rows of one action come in one chunk, however many rows of a file lie between them', () => {
  const [banner, rating] = classifyLog([
    row(0, 'Gene: brca1 has been classified as Green List (High Evidence).'),
    row(50_000, 'Classified gene: BRCA1 as Green List (high evidence)'),
  ]) as [ClassifiedRow, ClassifiedRow];
  const between = classifyLog(comments(400, 1000, 100));
  const after = classifyLog(comments(150, 600_000));
  const chunks = [...chunksOfAll([banner, ...between, rating, ...after])];
  expect(chunks.map(({ length }) => length)).toStrictEqual([402, 100, 50]);
});
