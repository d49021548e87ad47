import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore, ledgerQueries } from '../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { turnedGreen } from '../words/events.ts';
import { chunkOf, describeStateStore, rowAt } from './behaviour.ts';
import { describeDocuments } from './documents.ts';
import { describeForgetting } from './forgetting.ts';
import { describeMovedMark } from './moved-mark.ts';

const directory = newFolder();
let file: StateFile;
beforeAll(async () => {
  file = openStateFile(directory);
});
afterAll(() => file.close());

describeDocuments('in SQLite', (catalogue) => createSqliteDocuments(file, catalogue));
describeStateStore('in SQLite', (catalogue) => createSqliteStore(file, catalogue));
describeStateStore('in SQLite, with its history', (catalogue) =>
  createSqliteStore(file, `${catalogue} with history`, createSqliteInsert(file)),
);
describeMovedMark('in SQLite', (catalogue) => createSqliteStore(file, catalogue));
describeForgetting('in SQLite', (catalogue) => createSqliteStore(file, catalogue));

test('a quiet poll finds its rows of the ledger by an index, among those of years', () => {
  const { database } = file;
  const plans = ledgerQueries.flatMap((sql) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all('uk', ...(sql.includes('>=') ? [0] : []))
      .map(({ detail }) => String(detail)),
  );
  expect(plans.length).toBeGreaterThan(1);
  expect(plans[0]).toMatch(/USING PRIMARY KEY \(catalogue=\? AND at>\?\)/);
  expect(plans[1]).toMatch(/USING COVERING INDEX \S+ \(catalogue=\?\)/);
});

test('what was published in 90 days is kept for sweeps that fail so long, and the last 2,000 chunks longer', async () => {
  const memory = openStateFile();
  const store = createSqliteStore(memory, 'uk');
  const messages = [toMessage(turnedGreen())];
  const start = 1_700_000_000_000_000n;
  const days = (count: number): bigint => BigInt(count) * 86_400_000_000n;
  const at = { mark: start, start, count: null, source: 'here' };
  let position = await store.begin(at, []);
  const publish = async (mark: bigint): Promise<void> => {
    const next = { ...position, mark };
    position = await store.advance(position, chunkOf({ messages, rows: [], next }));
  };
  const kept = async (): Promise<number> => (await store.published(0)).events.length;
  for (let chunk = 0; chunk < 2_100; chunk += 1) await publish(start + (days(60) * BigInt(chunk)) / 2_100n);
  expect(await kept()).toBe(2_100);
  await publish(start + days(89));
  expect(await kept()).toBe(2_101);
  await publish(start + days(300));
  expect(await kept()).toBe(2_001);
  memory.close();
});

/** A file with a published and a recorded chunk, each of 100 messages. */
async function withRecordedChunk(directory: string) {
  const opened = openStateFile(directory);
  const store = createSqliteStore(opened, 'uk');
  const event = turnedGreen();
  const messages = Array.from({ length: 100 }, (_, index) => toMessage({ ...event, id: `${index}` }));
  const mark = 1_700_000_000_000_000n;
  const next = { mark, count: null, waits: 0, gap: null };
  const begun = await store.begin({ mark, start: mark, count: null, source: 'here' }, []);
  const rows = [rowAt('1', mark), rowAt('2', null)];
  const published = await store.advance(begun, chunkOf({ messages, rows, next }));
  const chunk = chunkOf({ messages, next });
  await store.record(published, chunk);
  return { opened, store, chunk, bytes: JSON.stringify(messages).length };
}

test('a chunk that is recorded without a history, and what is kept for sweeps, take a small part of the bytes of their events', async () => {
  const place = await mkdtemp(join(directory, 'compressed-'));
  const { opened, bytes } = await withRecordedChunk(place);
  const { length } = opened.database
    .prepare(
      'SELECT sum(length(pending)) + (SELECT sum(length(body)) FROM published_chunk) AS length FROM position',
    )
    .get() as { length: number };
  opened.close();
  expect(length).toBeLessThan(bytes / 5);
});

/** The file, where `meanwhile` runs once, after the first read of the position. */
function interrupted(opened: StateFile, meanwhile: () => void): StateFile {
  let run: (() => void) | null = meanwhile;
  const prepare = (sql: string) => {
    const statement = opened.database.prepare(sql);
    if (!sql.startsWith('SELECT position')) return statement;
    const get = (...values: string[]) => {
      const found = statement.get(...values);
      run?.();
      run = null;
      return found;
    };
    return { get };
  };
  return { ...opened, database: { prepare } as unknown as StateFile['database'] };
}

test('a state that another process moves while it is read is read as it was before', async () => {
  const place = await mkdtemp(join(directory, 'moved-'));
  const [reading, writing] = [openStateFile(place), openStateFile(place)];
  const mark = 1_700_000_000_000_000n;
  const next = { mark: mark + 1n, count: null, waits: 0, gap: null };
  const writer = createSqliteStore(writing, 'uk', createSqliteInsert(writing));
  const begun = await writer.begin({ mark, start: mark, count: null, source: 'here' }, []);
  const chunk = chunkOf({ messages: [toMessage(turnedGreen())], rows: [rowAt('1', mark + 1n)], next });
  const recorded = await writer.record(begun, chunk);
  let moved: Promise<unknown> = Promise.resolve();
  const store = createSqliteStore(
    interrupted(reading, () => {
      moved = writer.advance(recorded, chunk);
    }),
    'uk',
    createSqliteInsert(reading),
  );
  const read = await store.load(0n);
  await moved;
  expect(read?.position).toEqual(recorded);
  expect(read?.pending?.messages).toHaveLength(1);
  expect(read?.seen.size).toBe(0);
  expect((await store.load(0n))?.pending).toBeNull();
  for (const { close } of [reading, writing]) close();
});
