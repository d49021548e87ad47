import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../../../bin/local/page/watch-record.ts';
import type { PollReport } from '../../../lambdas/poll/report.ts';
import { createSqliteStore } from '../../../lambdas/state/sqlite.ts';
import { quietReport } from '../../poll/quiet-report.ts';
import { NOW, type OpenedPage, openPage } from './open-page.ts';

const at = Date.parse(NOW);
const poll = (report: Partial<PollReport>, minutes: number): Run => ({
  kind: 'poll',
  at: at - minutes * 60_000,
  milliseconds: 400,
  requests: 1,
  report: { ...quietReport, ...report },
});

let page: OpenedPage;
afterEach(() => page.close());

/** What a person reads of a view. */
const words = async (address: string): Promise<string> =>
  (await page.text(address)).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the watcher that runs', () => {
  const runs: Run[] = [];
  beforeEach(async () => {
    runs.length = 0;
    page = await openPage([], {
      record: { startedAt: at - 3_600_000, every: 60, runs: () => runs, requests: 7 },
    });
  });

  test('says what it did, quiet polls in one line, and how much it asked', async () => {
    runs.push(
      poll({}, 1),
      poll({}, 2),
      poll(
        { outcome: 'published', activities: 2, late: 1, events: { a: 2, b: 1 }, lagSeconds: 90, waiting: 1 },
        3,
      ),
    );
    const text = await words('/watcher');
    expect(text).toContain('Polls every 60 s since 21 Nov 2026, 11:00; 7 requests so far.');
    expect(text).toContain('nothing new, 2 times in a row');
    expect(text).toContain('3 events of 2 rows; 1 late; 1 row held back; newest row 2 min old 1 0.4 s');
    expect(text).toContain('None of the last runs failed.');
    expect(text).toContain('live, log read 60 s ago');
  });

  test('says on every page that the last poll failed, and why on its own', async () => {
    runs.push(
      { kind: 'failed poll', at: at - 60_000, milliseconds: 10, requests: 3, message: 'answered 503 <b>' },
      poll({}, 5),
    );
    expect(await words('/')).toContain('the last poll failed, log read 5 min ago');
    const html = await page.text('/watcher');
    expect(html).toContain('<b>1 run failed.</b> Nothing is lost');
    expect(html).toContain('answered 503 &lt;b&gt;');
  });

  test('says that the catalogue asked to wait', async () => {
    runs.push(poll({ outcome: 'postponed', notBefore: at + 300_000 }, 0));
    expect(await words('/')).toContain('the catalogue asked to wait');
    expect(await words('/watcher')).toContain('was asked to wait until 21 Nov 2026, 12:05');
  });
});

test('a page without a watcher shows what earlier polls kept: mark, wordings that are not recognised, and the listing', async () => {
  page = await openPage();
  const store = createSqliteStore(page.file, 'uk');
  const mark = BigInt(at) * 1000n - 60_000_000n;
  await store.begin({ mark, start: 0n, count: 300, source: 'https://panelapp.example/api/v1/' }, []);
  await store.countShapes(new Map([['Gene … was frobnicated', 3]]), mark);
  const text = await words('/watcher');
  expect(text).toContain('No poll runs in this process.');
  expect(text).toContain('Address https://panelapp.example/api/v1/');
  expect(text).toContain('Mark 21 Nov 2026, 11:59 every row of the log up to here was published (60 s ago)');
  expect(text).toContain('Rows in the log 300');
  expect(text).toContain('Gene … was frobnicated 3 21 Nov 2026, 11:59');
  expect(text).toContain('Listing none is stored; the first sweep stores one');
});
