import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { formatInstant } from '../../../lambdas/run/instant.ts';
import { type HistoryQuery, textMatcher } from '../../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { createSqlitePages } from '../../../lambdas/store/history/sqlite-pages.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { breast, turnedGreen } from '../../words/events.ts';
import { all } from './behaviour.ts';

const START = 1_700_000_000_000_000n;

/** So many events that a search looks at them in several parts. */
const COUNT = 1_600;

/** When each event happened, in seconds: in the order in which it was appended, but for one of seven. */
const orders: Readonly<Record<string, (index: number) => number>> = {
  'some long after they happened': (index) =>
    index % 7 === 3 ? (index * 7_919) % index : Math.floor(index / 3) * 3,
  'some from another clock, long before they happened': (index) =>
    index % 7 === 3 ? (index * 7_919) % COUNT : Math.floor(index / 3) * 3,
};

const timeOf = ({ time = '' }: PanelEvent): string => time;

async function openHistory(order = 'some long after they happened') {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const events = Array.from({ length: COUNT }, (_, index) =>
    turnedGreen({
      id: `${(index * 7_919) % COUNT}`.padStart(8, '0'),
      time: formatInstant(START + BigInt(orders[order]?.(index) ?? 0) * 1_000_000n),
      panel: { ...breast, id: index % 2 },
      rowText: `${index < 900 ? 'early' : 'later'} ${index % 50 === 0 ? 'seldom' : 'often'}`,
    }),
  );
  const history = createSqliteHistory(file);
  await history.append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since: 0n, until: 1n },
  );
  const newestFirst = events.toSorted(
    (one, other) =>
      Number(timeOf(other) > timeOf(one)) - Number(timeOf(other) < timeOf(one)) ||
      (one.id < other.id ? 1 : -1),
  );
  return { file, history, newestFirst };
}

test.each(Object.keys(orders))(
  'a search finds all events with its words where events were appended, %s',
  async (order) => {
    const { file, history, newestFirst } = await openHistory(order);
    const pages = createSqlitePages(file);
    for (const text of ['often', 'later seldom', 'nowhere']) {
      const [since, until] = [START + 500_000_000n, START + 1_300_000_000n];
      for (const query of [
        { text },
        { text, since },
        { text, until },
        { text, since, until },
      ] as HistoryQuery[]) {
        const hasWords = textMatcher(text);
        const [from, to] = [formatInstant(query.since ?? 0n), formatInstant(query.until ?? START * 2n)];
        const wanted = newestFirst.filter(
          (event) => hasWords(event) && timeOf(event) >= from && timeOf(event) < to,
        );
        const ids = wanted.map(({ id }) => id);
        const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
        expect(idsOf(await all(history.findRecords(query)))).toStrictEqual(ids);
        expect(idsOf(await all(history.find({ ...query, limit: 40 })))).toStrictEqual(ids.slice(0, 40));
        const oldest = await all(history.find({ ...query, order: 'oldest' }));
        expect(idsOf(oldest)).toStrictEqual(ids.toReversed());
        const page = pages.page(query, { size: 1_200, examined: 5_000 });
        expect(page.events.map(({ event }) => event.id)).toStrictEqual(ids.slice(0, 1_200));
        const after = page.events.at(-1);
        if (page.next !== null && after) {
          const next = pages.page(query, { size: 1_200, examined: 5_000, after });
          expect(next.events.map(({ event }) => event.id)).toStrictEqual(ids.slice(1_200));
        }
        expect(pages.numbers(query, COUNT)).toHaveLength(ids.length);
        const numbers = pages.numbers(query, 1_200);
        expect(idsOf(pages.numbered(numbers)).toSorted()).toStrictEqual(ids.slice(0, 1_200).toSorted());
      }
    }
  },
);

test('a search for few events of many sorts only those that were appended last', async () => {
  const { file, history } = await openHistory();
  const sorted: number[] = [];
  const { prepare } = file.database;
  file.database.prepare = (sql) => {
    const statement = prepare.call(file.database, sql);
    if (!sql.includes('(SELECT event.seq FROM event WHERE')) return statement;
    const { get } = statement;
    statement.get = (...values: unknown[]) => {
      const row = get.apply(statement, values as never);
      sorted.push(JSON.parse(String(row?.numbers)).length);
      return row;
    };
    return statement;
  };
  expect(await all(history.find({ text: 'breast', limit: 100 }))).toHaveLength(100);
  expect(sorted).toHaveLength(1);
  expect(sorted[0]).toBeLessThanOrEqual(1_000);
});
