import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import type { Filter } from '../../../lambdas/filters/filter.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import type { History, HistoryRecord } from '../../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import {
  createSqliteInsert,
  hasKey,
  indexEvents,
} from '../../../lambdas/store/history/sqlite-event-index.ts';
import { createSqlitePages } from '../../../lambdas/store/history/sqlite-pages.ts';
import { createSqliteStore } from '../../../lambdas/store/sqlite.ts';
import {
  openStateFile,
  openUnwritableStateFile,
  type StateFile,
} from '../../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../../new-folder.ts';
import { breast, turnedGreen } from '../../words/events.ts';
import { beginning, chunkOf, noon } from '../behaviour.ts';
import { all } from './behaviour.ts';

const opened = (file: StateFile): StateFile => {
  onTestFinished(() => file.close());
  return file;
};
const inFolder = (): { readonly folder: string; readonly file: StateFile } => {
  const folder = newFolder();
  return { folder, file: openStateFile(folder) };
};

const events = Array.from({ length: 7 }, (_, index) =>
  turnedGreen({
    id: `e${index}`,
    time: `2024-03-0${index + 1}T00:00:00.000000Z`,
    panel: { ...breast, id: index % 2 },
    gene: `GENE${index % 3}`,
  }),
);
const recordOf = (event: PanelEvent): HistoryRecord => toMessage(event);
const append = (history: History, given: readonly PanelEvent[]): Promise<void> =>
  history.append(given.map(recordOf), { catalogue: 'uk', since: 0n, until: 1n });
const indexedIn = ({ database }: StateFile): readonly unknown[] =>
  ['event_id', 'event_name', 'event_panel'].map(
    (table) => database.prepare(`SELECT count(*) AS entries FROM ${table}`).get()?.entries,
  );

/** What each reader finds in a file by ids, names and panels. */
async function found(file: StateFile) {
  const [history, pages] = [createSqliteHistory(file), createSqlitePages(file)];
  const ids = async (filter: Filter): Promise<readonly string[]> =>
    (await all(history.find({ filter, order: 'oldest' }))).map(({ id }) => id);
  return {
    ofGene: await ids({ genes: ['GENE1'] }),
    ofPanel: await ids({ panels: [1] }),
    page: pages.page({ filter: { genes: ['GENE2'] } }, { size: 9, examined: 9 }).events.map(({ id }) => id),
    numbers: pages.numbers({ filter: { panels: [0] } }, 9).length,
    body: pages.body('e6') ?? pages.body('e0'),
    bodies: [...(await history.bodiesOf(events.map(recordOf)))].length,
    names: pages.entityNames('g', 9),
    keys: await history.entityKeys(),
  };
}

const everything = {
  ofGene: ['e1', 'e4'],
  ofPanel: ['e1', 'e3', 'e5'],
  page: ['e5', 'e2'],
  numbers: 4,
  body: events[6] && recordOf(events[6]).body,
  bodies: 7,
  names: ['gene0', 'gene1', 'gene2'],
  keys: ['gene0', 'gene1', 'gene2'],
};

test('every reader finds events that are not indexed yet, beside indexed ones, and all once they are', async () => {
  const file = opened(openStateFile());
  await append(createSqliteHistory(file), events.slice(0, 4));
  indexEvents(file);
  await append(createSqliteHistory(file), events.slice(4));
  expect(indexedIn(file)).toStrictEqual([4, 4, 4]);
  expect(await found(file)).toStrictEqual(everything);
  indexEvents(file);
  expect(indexedIn(file)).toStrictEqual([7, 7, 7]);
  expect(await found(file)).toStrictEqual(everything);
});

test('a reader that may not write finds what a run that died has not indexed', async () => {
  const { folder, file } = inFolder();
  await append(createSqliteHistory(file, 5), events.slice(0, 5));
  await append(createSqliteHistory(file), events.slice(5));
  file.close();
  const reader = opened(openUnwritableStateFile(folder));
  expect(indexedIn(reader)).toStrictEqual([5, 5, 5]);
  expect(await found(reader)).toStrictEqual(everything);
});

test('what is not published is not indexed, and is once it is published', async () => {
  const file = opened(openStateFile());
  const store = createSqliteStore(file, 'uk', createSqliteInsert(file));
  const history = createSqliteHistory(file);
  await append(history, events.slice(0, 2));
  const next = { mark: noon + 9n, count: null, waits: 0, gap: null };
  const recorded = chunkOf({ messages: events.slice(2, 5).map((event) => toMessage(event)), next });
  const position = await store.record(await store.begin(beginning(), []), recorded);
  await append(history, events.slice(3, 5));
  await append(history, events.slice(5, 6));
  indexEvents(file);
  expect(indexedIn(file)).toStrictEqual([5, 5, 5]);
  await store.advance(position, recorded);
  await append(history, [...events.slice(6), ...events.slice(2, 3)]);
  expect(await found(file)).toStrictEqual(everything);
  indexEvents(file);
  expect(indexedIn(file)).toStrictEqual([7, 7, 7]);
  expect(await found(file)).toStrictEqual(everything);
});

test('an event of a gene or a panel is looked up, and no other is read, also in a period', () => {
  const { database } = opened(openStateFile());
  for (const key of ['id', 'name', 'panel'] as const) {
    for (const bounds of key === 'id' ? [[]] : [[], ['at >= 1'], ['at >= 1', 'at < 9']]) {
      const period = bounds.map((bound) => `event.${bound} AND`).join(' ');
      const plan = database
        .prepare(
          `EXPLAIN QUERY PLAN SELECT head FROM event WHERE ${period} ${hasKey(key, "'x', 'y'", bounds)} ORDER BY event.at DESC, event.id DESC LIMIT 9`,
        )
        .all()
        .map(({ detail }) => String(detail));
      expect(
        plan.filter((step) => step.startsWith('SCAN recorded_event')),
        key,
      ).toStrictEqual([]);
      expect(plan.join('\n')).toMatch(new RegExp(`SEARCH event_${key} USING PRIMARY KEY \\(${key}=\\?`));
      expect(plan.filter((step) => step.startsWith('SEARCH recorded_event USING'))).toStrictEqual(
        Array(2).fill(expect.stringMatching(/INTEGER PRIMARY KEY \(rowid[=>]\?\)/)),
      );
    }
  }
});
