import { expect, test } from 'vitest';
import { showAsOf } from '../../../lambdas/panels/sqlite-as-of.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { instantOf } from '../../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import {
  createSqliteInsert,
  indexEvents,
  indexNextWords,
} from '../../../lambdas/store/history/sqlite-event-index.ts';
import { createSqlitePages } from '../../../lambdas/store/history/sqlite-pages.ts';
import { forgetOldEvents } from '../../../lambdas/store/history/sqlite-retention.ts';
import { createSqliteStore } from '../../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../../lambdas/store/sqlite-file.ts';
import type { Chunk } from '../../../lambdas/store/store.ts';
import { newFolder } from '../../new-folder.ts';
import { turnedGreen } from '../../words/events.ts';
import { beginning, chunkOf, noon } from '../behaviour.ts';

/** A catalogue of a state file whose recorded chunks are rows of its history. */
function catalogueIn(file: StateFile, name: string) {
  const store = createSqliteStore(file, name, createSqliteInsert(file));
  const history = createSqliteHistory(file);
  const messageOf = (id: string) => toMessage({ ...turnedGreen(), id: `${name} ${id}` });
  const chunk = (...ids: readonly string[]): Chunk =>
    chunkOf({ messages: ids.map(messageOf), next: { mark: noon + 9n, count: null, waits: 0, gap: null } });
  return {
    store,
    history,
    messageOf,
    chunk,
    append: (messages: Chunk['messages']) =>
      history.append(messages, { catalogue: name, since: noon, until: noon + 9n }),
    /** Records the first chunk of a catalogue. */
    recordFirst: async (recorded: Chunk) => store.record(await store.begin(beginning(), []), recorded),
    /** The ids of the events that a sweep reads. */
    readBySweeps: async () => (await store.published(0)).events.map(({ event }) => event.id),
    pending: async () => (await store.load(0n))?.pending ?? null,
  };
}

async function idsIn(file: StateFile): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of createSqliteHistory(file).findRecords({ order: 'oldest' })) ids.push(id);
  return ids;
}

test('the events of a recorded chunk are in the file once, and readers find them once they are published', async () => {
  const file = openStateFile();
  const { store, append, chunk, pending, recordFirst } = catalogueIn(file, 'uk');
  const recorded = chunk('a', 'b');
  const position = await recordFirst(recorded);
  expect(await pending()).toStrictEqual(recorded);
  expect(await idsIn(file)).toStrictEqual([]);
  expect(createSqlitePages(file).lastAppended()).toBe(0);

  await append(recorded.messages);
  expect(await idsIn(file)).toStrictEqual(['uk a', 'uk b']);
  expect(await pending()).toStrictEqual(recorded);

  await store.advance(position, recorded);
  expect(await pending()).toBeNull();
  expect(await idsIn(file)).toStrictEqual(['uk a', 'uk b']);
  expect(file.database.prepare('SELECT count(*) AS n FROM recorded_event').get()).toEqual({ n: 2 });
  file.close();
});

test('an event that no topic takes is never found, and is not kept once the mark advances', async () => {
  const file = openStateFile();
  const { store, append, chunk, pending, recordFirst } = catalogueIn(file, 'uk');
  const recorded = chunk('a', 'refused', 'b');
  const position = await recordFirst(recorded);
  const [first, , last] = recorded.messages;
  await append([first, last].filter((message) => message !== undefined));
  expect(await idsIn(file)).toStrictEqual(['uk a', 'uk b']);
  expect(await pending()).toStrictEqual(recorded);
  await store.advance(position, recorded);
  expect(await idsIn(file)).toStrictEqual(['uk a', 'uk b']);
  expect(file.database.prepare('SELECT id FROM recorded_event ORDER BY seq').all()).toEqual([
    { id: 'uk a' },
    { id: 'uk b' },
  ]);
  file.close();
});

test('a chunk that another run recorded is published as it was recorded, also where that run had appended a part', async () => {
  const file = openStateFile();
  const before = catalogueIn(file, 'uk');
  const recorded = before.chunk('a', 'b', 'c');
  const begun = await before.store.begin(beginning(), []);
  await before.store.record(begun, recorded);
  await before.append(recorded.messages.slice(0, 2));

  const { store, append, readBySweeps } = catalogueIn(file, 'uk');
  const loaded = await store.load(0n);
  expect(loaded?.pending).toStrictEqual(recorded);
  await append(loaded?.pending?.messages ?? []);
  if (loaded?.pending) await store.advance(loaded.position, loaded.pending);
  expect(await idsIn(file)).toStrictEqual(['uk a', 'uk b', 'uk c']);
  expect(await readBySweeps()).toStrictEqual(['uk a', 'uk b', 'uk c']);
  file.close();
});

test('an event that the history has already is published again with its first body, and kept once', async () => {
  const file = openStateFile();
  const { store, append, chunk, messageOf, pending, recordFirst } = catalogueIn(file, 'uk');
  await append([messageOf('b')]);
  const recorded = chunk('a', 'b', 'c');
  const position = await recordFirst(recorded);
  expect(await pending()).toStrictEqual(recorded);
  await append(recorded.messages);
  await store.advance(position, recorded);
  expect((await idsIn(file)).toSorted()).toStrictEqual(['uk a', 'uk b', 'uk c']);
  file.close();
});

test('who reads the events in the order of their numbers misses none of a chunk that waits while others are published', async () => {
  const file = openStateFile();
  const [uk, australia] = [catalogueIn(file, 'uk'), catalogueIn(file, 'australia')];
  const waiting = uk.chunk('a', 'b');
  const position = await uk.recordFirst(waiting);

  const other = australia.chunk('c');
  const recorded = await australia.recordFirst(other);
  await australia.append(other.messages);
  await australia.store.advance(recorded, other);
  await uk.append([uk.messageOf('found without a row')]);
  const pages = createSqlitePages(file);
  const read = pages.lastAppended();
  expect(pages.appended(0, read, 9).map(({ id }) => id)).toStrictEqual([
    'australia c',
    'uk found without a row',
  ]);

  expect(await uk.pending()).toStrictEqual(waiting);
  await uk.append(waiting.messages);
  await uk.store.advance(position, waiting);
  expect(pages.appended(read, pages.lastAppended(), 9).map(({ id }) => id)).toStrictEqual(['uk a', 'uk b']);
  file.close();
});

test('a chunk that could not be recorded is not taken for published', async () => {
  const file = openStateFile();
  const { store, append, chunk } = catalogueIn(file, 'uk');
  const begun = await store.begin(beginning(), []);
  const stale = { ...begun, version: begun.version + 1 };
  await expect(store.record(stale, chunk('a'))).rejects.toThrow(/another run has moved it/);
  await append(chunk('a').messages);
  expect(await idsIn(file)).toStrictEqual(['uk a']);
  file.close();
});

test('events that wait to be published are not forgotten, however old they are', async () => {
  const file = openStateFile();
  const { append, chunk, messageOf, pending, recordFirst } = catalogueIn(file, 'uk');
  const recorded = chunk('a');
  await recordFirst(recorded);
  await append([messageOf('b')]);
  const day = 24 * 60 * 60 * 1000;
  forgetOldEvents(file, { days: 30, now: 0 });
  await append([messageOf('c')]);
  expect(forgetOldEvents(file, { days: 30, now: 40 * day })).toBe(1);
  expect(await pending()).toStrictEqual(recorded);
  file.close();
});

test('a recorded event that is missing is damage', async () => {
  const file = openStateFile();
  const { chunk, pending, recordFirst } = catalogueIn(file, 'uk');
  await recordFirst(chunk('a', 'b'));
  file.database.exec('DELETE FROM recorded_event WHERE seq = 1');
  await expect(pending()).rejects.toThrow(/it is damaged \(1 of 2 recorded events are there\)/);
  file.close();
});

test('what sweeps read of published events is a part of the history, and stays when that is forgotten', async () => {
  const file = openStateFile();
  const { store, append, chunk } = catalogueIn(file, 'uk');
  let position = await store.begin(beginning(), []);
  for (const ids of [['a', 'b'], ['c'], ['d']]) {
    const recorded = chunk(...ids);
    position = await store.record(position, recorded);
    await append(recorded.messages);
    position = await store.advance(position, recorded);
  }
  const bytes = (): number =>
    Number(file.database.prepare('SELECT sum(length(body)) AS bytes FROM published_chunk').get()?.bytes);
  const before = await store.published(0);
  expect(before.events.map(({ event }) => event.id)).toStrictEqual(['uk a', 'uk b', 'uk c', 'uk d']);
  expect(bytes()).toBeLessThan(20);

  const day = 24 * 60 * 60 * 1000;
  forgetOldEvents(file, { days: 30, now: 0 });
  expect(forgetOldEvents(file, { days: 30, now: 40 * day })).toBe(3);
  expect(await idsIn(file)).toStrictEqual(['uk d']);
  expect(await store.published(0)).toStrictEqual(before);
  expect(bytes()).toBeGreaterThan(100);
  file.close();
});

test('sweeps read also the event that no topic took', async () => {
  const file = openStateFile();
  const { store, append, chunk, recordFirst, readBySweeps } = catalogueIn(file, 'uk');
  const recorded = chunk('a', 'refused');
  const position = await recordFirst(recorded);
  await append(recorded.messages.slice(0, 1));
  await store.advance(position, recorded);
  expect(await readBySweeps()).toStrictEqual(['uk a', 'uk refused']);
  file.close();
});

test('a published event that is missing is damage', async () => {
  const file = openStateFile();
  const { store, append, chunk, recordFirst } = catalogueIn(file, 'uk');
  const recorded = chunk('a', 'b');
  const position = await recordFirst(recorded);
  await append(recorded.messages);
  await store.advance(position, recorded);
  file.database.exec('DELETE FROM recorded_event WHERE seq = 1');
  await expect(store.published(0)).rejects.toThrow(/it is damaged \(1 of 2 published events are there\)/);
  file.close();
});

test('who reads in the order of numbers misses no event of the chunk that was recorded first and is published last', async () => {
  const file = openStateFile();
  const [uk, australia] = [catalogueIn(file, 'uk'), catalogueIn(file, 'australia')];
  const [waiting, other] = [uk.chunk('a', 'b'), australia.chunk('c', 'd')];
  const first = await uk.recordFirst(waiting);
  const second = await australia.recordFirst(other);
  const pages = createSqlitePages(file);
  await uk.append(waiting.messages);
  await uk.store.advance(first, waiting);
  const read = pages.lastAppended();
  while (indexNextWords(file) > 0);
  indexEvents(file);

  expect(await australia.pending()).toStrictEqual(other);
  await australia.append(other.messages);
  await australia.store.advance(second, other);
  expect(pages.appended(0, read, 9).map(({ id }) => id)).toStrictEqual(['uk a', 'uk b']);
  expect(pages.appended(read, pages.lastAppended(), 9).map(({ id }) => id)).toStrictEqual([
    'australia c',
    'australia d',
  ]);
  expect(indexNextWords(file)).toBe(2);
  indexEvents(file);
  expect(pages.body('australia c')).toBe(other.messages[0]?.body);
  expect(await australia.readBySweeps()).toStrictEqual(['australia c', 'australia d']);
  file.close();
});

test('who reads in the order of numbers misses no event that a topic takes only after those behind it', async () => {
  const file = openStateFile();
  const { store, append, chunk, pending, recordFirst, readBySweeps } = catalogueIn(file, 'uk');
  const recorded = chunk('refused', 'a', 'b');
  const position = await recordFirst(recorded);
  const pages = createSqlitePages(file);
  await append(recorded.messages.slice(1));
  const read = pages.lastAppended();
  await append(recorded.messages);
  expect(pages.appended(read, pages.lastAppended(), 9).map(({ id }) => id)).toStrictEqual(['uk refused']);
  expect(await pending()).toStrictEqual(recorded);
  await store.advance(position, recorded);
  expect(await readBySweeps()).toStrictEqual(['uk refused', 'uk a', 'uk b']);
  file.close();
});

test('events that wait do not keep those of others from being indexed', async () => {
  const file = openStateFile();
  const [uk, australia] = [catalogueIn(file, 'uk'), catalogueIn(file, 'australia')];
  const waiting = uk.chunk('a');
  await uk.recordFirst(waiting);
  await australia.append([australia.messageOf('c')]);
  indexEvents(file);
  const indexed = () => file.database.prepare('SELECT id FROM event_id ORDER BY id').all();
  expect(indexed()).toEqual([{ id: 'australia c' }]);
  await uk.append(waiting.messages);
  indexEvents(file);
  expect(indexed()).toEqual([{ id: 'australia c' }, { id: 'uk a' }]);
  file.close();
});

test('published events of a chunk that has not advanced are not forgotten, however old they are', async () => {
  const file = openStateFile();
  const [uk, australia] = [catalogueIn(file, 'uk'), catalogueIn(file, 'australia')];
  const recorded = uk.chunk('a', 'b');
  const position = await uk.recordFirst(recorded);
  await uk.append(recorded.messages);
  const day = 24 * 60 * 60 * 1000;
  forgetOldEvents(file, { days: 30, now: 0 });
  await australia.append([australia.messageOf('c')]);
  expect(forgetOldEvents(file, { days: 30, now: 40 * day })).toBe(0);
  expect(await uk.pending()).toStrictEqual(recorded);

  await uk.append(recorded.messages);
  await uk.store.advance(position, recorded);
  expect(forgetOldEvents(file, { days: 30, now: 80 * day })).toBe(2);
  file.close();
});

test('a chunk that could not be recorded publishes none that another run then recorded under its numbers', async () => {
  const folder = newFolder();
  const [file, other] = [openStateFile(folder), openStateFile(folder)];
  const [uk, australia] = [catalogueIn(file, 'uk'), catalogueIn(other, 'australia')];
  const begun = await uk.store.begin(beginning(), []);
  const stale = { ...begun, version: begun.version + 1 };
  await expect(uk.store.record(stale, uk.chunk('a'))).rejects.toThrow(/another run has moved it/);
  await australia.recordFirst(australia.chunk('c'));
  await uk.append(uk.chunk('a').messages);
  expect(await idsIn(file)).toStrictEqual(['uk a']);
  file.close();
  other.close();
});

test('what is shown as of a time after events were forgotten covers no more than the history does', async () => {
  const day = 24 * 60 * 60 * 1000;
  let now = 0;
  const file = openStateFile(undefined, { now: () => now });
  const history = createSqliteHistory(file);
  const append = (id: string, since: number, until: number): Promise<void> =>
    history.append([toMessage({ ...turnedGreen(), id })], {
      ...{ catalogue: 'uk', since: instantOf(since * day), until: instantOf(until * day) },
    });
  await append('a', 0, 1);
  forgetOldEvents(file, { days: 30, now });
  now = 40 * day;
  await append('b', 1, 40);
  expect(forgetOldEvents(file, { days: 30, now })).toBe(1);
  now += 1000;
  const covered = await history.coverage();
  expect(covered).toEqual([{ catalogue: 'uk', since: instantOf(10 * day), until: instantOf(40 * day) }]);
  showAsOf(file, instantOf(now));
  expect(await createSqliteHistory(file).coverage()).toEqual(covered);
  expect(file.database.prepare('SELECT count(*) AS n FROM appended').get()?.n).toBe(1);
  file.close();
});
