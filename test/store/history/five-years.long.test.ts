import { stat } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { poll } from '../../../lambdas/poll/poll.ts';
import type { Message } from '../../../lambdas/publishing/message.ts';
import { instantOf, minutes } from '../../../lambdas/run/instant.ts';
import { silentLog } from '../../../lambdas/run/log.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { createSqliteInsert, indexEvents } from '../../../lambdas/store/history/sqlite-event-index.ts';
import { forgetOldEvents } from '../../../lambdas/store/history/sqlite-retention.ts';
import { createSqliteStore } from '../../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../../new-folder.ts';
import { createRecordingPublisher, createSimulatedLog } from '../../poll/simulated-log.ts';

const DAY_MS = 86_400_000;
const DAYS = 5 * 365;
/** Rows of the log a day; `ROWS=100` is a busy catalogue, and takes as much longer. */
const ROWS = Number(process.env.ROWS ?? 6);
/** Days on which no poll runs: twice two months. */
const isOutage = (day: number): boolean => (day >= 400 && day < 461) || (day >= 1300 && day < 1361);

interface Simulated {
  /** Bytes of the file at the end of each year. */
  readonly sizes: readonly number[];
  /** Rows of the ledger, and items of other kinds, at the end of each year. */
  readonly rows: readonly number[];
  readonly chunks: readonly number[];
  /** The most requests and the most rows of the ledger that a poll needed on a day after a day with a poll. */
  readonly requests: number;
  readonly seen: number;
  readonly lost: readonly string[];
  readonly repeated: number;
  readonly events: number;
}

/** Five years of one catalogue on one machine, with a poll a day. */
async function fiveYears(historyDays?: number): Promise<Simulated> {
  const directory = newFolder();
  let file = openStateFile(directory);
  onTestFinished(() => file.close());
  const catalogue = createSimulatedLog({ pageSize: 100 });
  const { clock } = catalogue;
  const written: string[] = [];
  const ids = new Map<string, number>();
  const published = new Set<string>();
  const years = { sizes: [] as number[], rows: [] as number[], chunks: [] as number[] };
  let [requests, seen] = [0, 0];
  catalogue.write('Deleted their comment');
  for (let day = 0; day < DAYS; day += 1) {
    for (let row = 0; row < ROWS; row += 1) {
      clock.pass(DAY_MS / ROWS);
      const text = `commented on gene: BRCA1: ${day}.${row} ${'as the literature says '.repeat(20)}`;
      // The first poll bookmarks the newest row.
      if (day > 0) written.push(text);
      catalogue.write(text, { at: catalogue.now - minutes(row % 3 === 2 ? 10 : 0), entity_name: `G${row}` });
    }
    if (isOutage(day)) continue;
    const store = createSqliteStore(file, 'uk', createSqliteInsert(file));
    const accepted: Message[] = [];
    const before = catalogue.asked.length;
    await poll({
      name: 'uk',
      catalogue,
      store,
      history: createSqliteHistory(file),
      publisher: createRecordingPublisher(accepted, async () => {}),
      clock,
      log: silentLog,
      overlap: minutes(15),
    });
    indexEvents(file);
    for (const { id, body } of accepted) {
      ids.set(id, (ids.get(id) ?? 0) + 1);
      for (const { text } of (JSON.parse(body) as PanelEvent).data.activities) published.add(String(text));
    }
    if (!isOutage(day - 1)) {
      requests = Math.max(requests, catalogue.asked.length - before);
      seen = Math.max(seen, (await store.load(minutes(15)))?.seen.size ?? 0);
    }
    if (historyDays !== undefined) {
      forgetOldEvents(file, { days: historyDays, now: clock.now() });
      await store.forgetBefore(instantOf(clock.now() - historyDays * DAY_MS));
    }
    if (day % 365 !== 364) continue;
    // A restart.
    file.close();
    years.sizes.push((await stat(file.path)).size);
    file = openStateFile(directory);
    const count = (table: string): number =>
      Number(file.database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    years.rows.push(count('ledger'));
    years.chunks.push(count('published_chunk'));
  }
  return {
    ...years,
    requests,
    seen,
    lost: written.filter((text) => !published.has(text)),
    repeated: [...ids.values()].filter((times) => times > 1).length,
    events: ids.size,
  };
}

describe('five years on one machine', { timeout: 600_000 }, () => {
  test('lose and repeat nothing over outages of two months, with the requests and the ledger of a poll bounded', async () => {
    const { lost, repeated, events, sizes, rows, chunks, requests, seen } = await fiveYears();
    expect([lost, repeated]).toStrictEqual([[], 0]);
    expect(events).toBeGreaterThanOrEqual((DAYS - 1) * ROWS);
    expect(requests).toBeLessThanOrEqual(2 + Math.ceil(ROWS / 50));
    expect(seen).toBeLessThanOrEqual(2 * ROWS);
    expect(rows.at(-1)).toBeLessThanOrEqual(DAYS * ROWS + 1);
    // What polls published, for the sweeps: here the last 2,000 chunks.
    expect(chunks.at(-1)).toBeLessThanOrEqual(2_100);
    // docs/scale.md; these texts are longer than most.
    const bytes = (sizes.at(-1) ?? 0) / events;
    process.stdout.write(
      `${events} events, ${Math.round(bytes)} bytes an event, ${sizes.map((size) => (size / 1e6).toFixed(1)).join(', ')} MB\n`,
    );
    expect(bytes).toBeLessThan(6000);
  });

  test('with events kept for a year need no more space after the second', async () => {
    const { lost, repeated, sizes, rows } = await fiveYears(365);
    expect([lost, repeated]).toStrictEqual([[], 0]);
    process.stdout.write(
      `kept a year: ${sizes.map((size) => (size / 1e6).toFixed(1)).join(', ')} MB, ${rows.join(', ')} rows of the ledger\n`,
    );
    const [, second = 0, , , last = 0] = sizes;
    expect(last).toBeLessThan(second * 1.3 + 8e6);
    expect(rows.at(-1)).toBeLessThanOrEqual(366 * ROWS + 1);
  });
});
