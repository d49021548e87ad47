import { afterEach, beforeEach, expect, test } from 'vitest';
import { createChunkWriter } from '../../bin/local/chunk-writer.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert } from '../../lambdas/store/history/sqlite-event-index.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { Chunk } from '../../lambdas/store/store.ts';
import { newFolder } from '../new-folder.ts';
import { chunkOf, rowAt } from '../store/behaviour.ts';
import { turnedGreen } from '../words/events.ts';

const thread = new URL('../../bin/local/chunk-writer-thread.ts', import.meta.url);
const start = 1_700_000_000_000_000n;
const beginning = { mark: start, start, count: null, source: 'here' };

let directory: string;
let file: StateFile;
beforeEach(async () => {
  directory = newFolder();
  file = openStateFile(directory);
});
afterEach(() => file.close());

const open = () => {
  const store = createSqliteStore(file, 'uk', createSqliteInsert(file));
  const history = createSqliteHistory(file);
  return createChunkWriter({ file, name: 'uk', store, history, thread });
};

const chunk = (number: number): Chunk => {
  const mark = start + BigInt(number) * 1_000_000n;
  const next = { mark, count: number, waits: 0, gap: null };
  const messages = [toMessage({ ...turnedGreen(), id: String(number).repeat(32) })];
  return chunkOf({ messages, rows: [rowAt(String(number), mark)], next });
};

test('a thread writes the chunks of a backlog in order, and what it wrote is read after it', async () => {
  const { store, history, settle } = open();
  let position = await store.begin(beginning, []);
  for (const each of [1, 2, 3].map(chunk)) {
    position = await store.record(position, each);
    expect(await createSqliteStore(file, 'uk').load(0n)).toMatchObject({ position, pending: each });
    const period = { catalogue: 'uk', since: start, until: each.next.mark };
    await history.append(each.messages, period);
    position = await store.advance(position, each);
  }
  expect(await store.load(10_000_000n)).toMatchObject({ position, pending: null, seen: { size: 3 } });
  expect(await history.coverage()).toMatchObject([{ until: position.mark }]);
  await settle();
  const kept: string[] = [];
  for await (const { id } of history.find({ order: 'oldest' })) kept.push(id);
  expect(kept).toStrictEqual(['1', '2', '3'].map((digit) => digit.repeat(32)));
});

test('what a thread cannot write fails the poll, and nothing after it is written', async () => {
  const { store, history, settle } = open();
  const begun = await store.begin(beginning, []);
  const advanced = await store.advance(await store.record(begun, chunk(1)), chunk(1));
  const second = chunk(2);
  const recorded = await store.record(advanced, second);
  await createSqliteStore(file, 'uk').moveMark(recorded, start);
  const next = await store.advance(recorded, second);
  await expect(store.record(next, chunk(3))).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  await history.append(chunk(3).messages, { catalogue: 'uk', since: start, until: start });
  await expect(settle()).rejects.toMatchObject({ name: 'StateError', code: 'STATE_CONFLICT' });
  expect(await history.bodiesOf(chunk(3).messages)).toStrictEqual(new Map());
  expect(await store.load(0n)).toMatchObject({ position: { mark: start }, pending: null });
});

test('a thread records an event that the history has already as it was published', async () => {
  const { store, history, settle } = open();
  let position = await store.begin(beginning, []);
  const [first, second] = [chunk(1), chunk(2)];
  position = await store.advance(await store.record(position, first), first);
  await history.append(second.messages, { catalogue: 'uk', since: start, until: start });
  position = await store.record(position, second);
  expect(await createSqliteStore(file, 'uk').load(0n)).toMatchObject({ position, pending: second });
  await settle();
});
