import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalTable, openLocalTable } from '../../bin/local/table.ts';
import { systemClock } from '../../lambdas/clock/clock.ts';
import { minutes, parseInstant } from '../../lambdas/clock/instant.ts';
import { createStateStore } from '../../lambdas/state/dynamodb.ts';
import type { Chunk, StateStore } from '../../lambdas/state/store.ts';
import { createMemoryStore, emptyTable, type MemoryTable } from './memory-store.ts';

const at = (text: string): bigint => parseInstant(text) ?? 0n;
const noon = at('2026-01-31T12:00:00Z');
const key = (digit: string): string => digit.repeat(32);
const overlap = minutes(15);
const source = 'https://catalogue.example/api/v1/';

const chunk = (given: Partial<Chunk> = {}): Chunk => ({
  messages: [
    {
      id: key('e'),
      topic: 'tags',
      body: '{"é": "\\u2028"}',
      attributes: { type: { type: 'String', value: 't' } },
    },
  ],
  rows: { keys: [key('a'), key('b')], newest: noon + 5n },
  known: new Map([
    [
      '7#gene#BRCA1',
      { rating: 'green', at: noon, told: [{ form: 'banner', at: noon, by: null, to: 'green' }] },
    ],
    ['7#gene#BRCA2', { rating: null, at: noon, told: [] }],
  ]),
  next: { mark: noon + 5n, count: 12 },
  ...given,
});

let local: LocalTable;
const memories = new Map<string, MemoryTable>();
beforeAll(async () => {
  local = await openLocalTable(systemClock);
});
afterAll(() => local.close());

const stores: Readonly<Record<string, (catalogue: string, runId?: string) => StateStore>> = {
  'in memory': (catalogue) => {
    const table = memories.get(catalogue) ?? emptyTable();
    memories.set(catalogue, table);
    return createMemoryStore(table, async () => {});
  },
  'in DynamoDB': (catalogue, runId = 'run') =>
    createStateStore({
      dynamodb: local.dynamodb,
      table: local.table,
      catalogue,
      runId,
      clock: systemClock,
    }),
};

describe.each(Object.entries(stores))('a position %s', (_where, open) => {
  test('is not there before the first run', async () => {
    expect(await open('fresh').load(overlap)).toBeNull();
  });

  test('begins with the rows that are taken as told', async () => {
    const store = open('begun');
    const begun = await store.begin(
      { mark: noon, start: noon - overlap, count: 3, source },
      { keys: [key('1')], newest: noon },
    );
    expect(begun).toStrictEqual({ version: 1, mark: noon, start: noon - overlap, count: 3, source });
    expect(await open('begun').load(overlap)).toStrictEqual({
      position: begun,
      pending: null,
      seen: new Set([key('1')]),
    });
  });

  test('gives back a recorded chunk word for word until it has advanced', async () => {
    const store = open('recorded');
    const begun = await store.begin(
      { mark: noon, start: noon, count: null, source },
      { keys: [], newest: noon },
    );
    const recorded = await store.record(begun, chunk());
    const stored = await open('recorded').load(overlap);
    expect(stored?.pending).toStrictEqual(chunk());
    expect(stored?.position).toMatchObject({ version: 2, mark: noon, count: null, source });
    const advanced = await store.advance(recorded, chunk());
    expect(advanced).toStrictEqual({ version: 3, mark: noon + 5n, start: noon, count: 12, source });
    expect(await open('recorded').load(overlap)).toStrictEqual({
      position: advanced,
      pending: null,
      seen: new Set([key('a'), key('b')]),
    });
    expect(await store.known(['7#gene#BRCA1', '7#gene#BRCA2', '7#gene#NONE'])).toStrictEqual(chunk().known);
  });

  test('forgets rows that lie before the mark less the overlap, and no others', async () => {
    const store = open('pruned');
    let position = await store.begin(
      { mark: noon, start: 0n, count: null, source },
      { keys: [key('1')], newest: noon },
    );
    for (const [digit, newest] of [
      ['2', noon + overlap],
      ['3', noon + 2n * overlap],
      ['4', noon + overlap - 1n],
    ] as const) {
      const next = chunk({
        rows: { keys: [key(digit)], newest },
        next: { mark: newest > position.mark ? newest : position.mark, count: null },
      });
      position = await store.advance(await store.record(position, next), next);
    }
    expect((await open('pruned').load(overlap))?.seen).toStrictEqual(new Set([key('2'), key('3')]));
    expect((await open('pruned').load(overlap + 1n))?.seen).toStrictEqual(
      new Set([key('2'), key('3'), key('4')]),
    );
  });

  test('refuses a writer that lost its place', async () => {
    const store = open('raced');
    const begun = await store.begin(
      { mark: noon, start: noon, count: null, source },
      { keys: [], newest: noon },
    );
    const other = open('raced', 'other run');
    await store.record(begun, chunk());
    await expect(other.record(begun, chunk())).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(other.postpone(begun, 1)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(
      other.begin({ mark: 0n, start: 0n, count: null, source }, { keys: [], newest: 0n }),
    ).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  test('does not put older knowledge over newer', async () => {
    const store = open('stale');
    const begun = await store.begin(
      { mark: noon, start: noon, count: null, source },
      { keys: [], newest: noon },
    );
    const recorded = await store.record(begun, chunk());
    const newer = chunk({ known: new Map([['k', { rating: 'red', at: noon + 9n, told: [] }]]) });
    await store.advance(await store.record(await store.advance(recorded, chunk()), newer), newer);
    const stale = chunk({ known: new Map([['k', { rating: 'green', at: noon, told: [] }]]) });
    await expect(open('stale', 'frozen').advance(recorded, stale)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
    expect((await store.known(['k'])).get('k')?.rating).toBe('red');
  });

  test('keeps until when the catalogue wants to be left alone, and forgets it with the next move', async () => {
    const store = open('postponed');
    const begun = await store.begin(
      { mark: noon, start: noon, count: 1, source },
      { keys: [], newest: noon },
    );
    const postponed = await store.postpone(begun, 1_700_000_000_000);
    expect((await store.load(overlap))?.position).toStrictEqual({
      ...begun,
      version: 2,
      notBefore: 1_700_000_000_000,
    });
    const next = chunk();
    await store.advance(await store.record(postponed, next), next);
    expect((await store.load(overlap))?.position.notBefore).toBeUndefined();
  });

  test('counts wordings that are not known', async () => {
    const store = open('shaped');
    await store.countShapes(
      new Map([
        ['Archived …', 2],
        ['', 1],
      ]),
      noon,
    );
    await store.countShapes(new Map([['Archived …', 1]]), noon + 1n);
    const counted = [...(await store.shapes())].sort((one, other) => other.count - one.count);
    expect(counted[0]).toStrictEqual({ shape: 'Archived …', count: 3, lastAt: noon + 1n });
    expect(counted).toHaveLength(2);
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
    const listing = { panels: new Map([[7, facts]]), listedAt: 5 };
    await store.saveListing(listing);
    expect(await store.listing()).toStrictEqual(listing);
  });
});

describe('a position in DynamoDB', () => {
  const put = (
    catalogue: string,
    sk: string,
    item: Record<string, { S?: string; N?: string; B?: Uint8Array }>,
  ) =>
    local.dynamodb.send(
      new PutItemCommand({
        TableName: local.table,
        Item: { pk: { S: `catalogue#${catalogue}` }, sk: { S: sk }, ...item } as never,
      }),
    );
  const open = stores['in DynamoDB'] as NonNullable<(typeof stores)[string]>;

  test('that was deleted stops loudly (fault 25)', async () => {
    await put('lost', 'origin', {});
    await expect(open('lost').load(overlap)).rejects.toMatchObject({
      code: 'STATE_LOST',
      message: expect.stringContaining('--from'),
    });
  });

  test.each([
    ['without a mark', { format: { N: '1' }, version: { N: '1' }, start: { N: '0' } }],
    [
      'with a mark that is no number',
      { format: { N: '1' }, version: { N: '1' }, start: { N: '0' }, mark: { S: 'x' } },
    ],
    [
      'with a chunk that is no chunk',
      {
        format: { N: '1' },
        version: { N: '1' },
        start: { N: '0' },
        mark: { N: '1' },
        pending: { B: Uint8Array.of(1) },
      },
    ],
  ])('%s stops loudly (fault 25)', async (name, item) => {
    await put(name, 'position', item);
    await expect(open(name).load(overlap)).rejects.toMatchObject({ code: 'STATE_CORRUPT' });
  });

  test('of a newer version stops loudly (fault 25)', async () => {
    await put('newer', 'position', { format: { N: '2' } });
    await expect(open('newer').load(overlap)).rejects.toMatchObject({
      code: 'STATE_NEWER',
      message: expect.stringContaining('format 2'),
    });
  });

  test('survives a first run that died before the position was there', async () => {
    await put('half-begun', 'ledger#00000000000000001#0000000001', {
      keys: { B: Buffer.from(key('1'), 'hex') },
    });
    expect(await open('half-begun').load(overlap)).toBeNull();
  });

  test('takes a write whose reply was lost for its own (fault 60)', async () => {
    const lossy = Object.create(local.dynamodb) as typeof local.dynamodb;
    let lose = 1;
    lossy.send = (async (command: never) => {
      const reply = await local.dynamodb.send(command);
      // The SDK repeats a call whose reply was lost.
      if ((command as object) instanceof PutItemCommand && lose-- > 0) return local.dynamodb.send(command);
      return reply;
    }) as never;
    const store = createStateStore({
      dynamodb: lossy,
      table: local.table,
      catalogue: 'lossy',
      runId: 'mine',
      clock: systemClock,
    });
    const begun = await store.begin(
      { mark: noon, start: noon, count: 1, source },
      { keys: [], newest: noon },
    );
    expect(begun.version).toBe(1);
    lose = 1;
    expect((await store.record(begun, chunk())).version).toBe(2);
  });

  test('reads a ledger of many pages in full', async () => {
    const store = open('long');
    let position = await store.begin(
      { mark: noon, start: noon, count: 1, source },
      { keys: [], newest: noon },
    );
    for (let index = 0; index < 120; index++) {
      const keys = [index.toString(16).padStart(32, '0')];
      const next = chunk({
        messages: [],
        known: new Map(),
        rows: { keys, newest: noon + BigInt(index) },
        next: { mark: noon + BigInt(index), count: null },
      });
      position = await store.advance(await store.record(position, next), next);
    }
    expect((await store.load(overlap))?.seen.size).toBe(120);
  });

  test('says what to do when the table is not there', async () => {
    const store = createStateStore({
      dynamodb: local.dynamodb,
      table: 'no-such-table',
      catalogue: 'uk',
      runId: 'run',
      clock: systemClock,
    });
    await expect(store.load(overlap)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('no-such-table'),
    });
  });
});
