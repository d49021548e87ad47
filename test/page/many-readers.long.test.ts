import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createWorklistStore, WORKLIST } from '../../lambdas/questions/worklist/worklist-record.ts';
import { defaultWorklist } from '../../lambdas/questions/worklist/worklist-settings.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import { servePage } from '../../page/listen.ts';
import { loopbackAccess } from '../../page/sign-in/access.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { turnedGreen } from '../words/events.ts';

const ENTRIES = 5_000;
const READERS = 20;
/** Views that do not read the worklist. */
const views = ['', 'report?show=green', 'panel/uk/635', 'watcher', 'gene?name=GENE7'];

const minute = (number: number): string =>
  new Date(Date.UTC(2026, 10, 1) + number * 60_000).toISOString().replace('Z', '000Z');

/** A history with a worklist of so many entries; `hold` keeps the next reading of decisions from ending. */
async function longWorklist() {
  const file = openStateFile();
  const genes = Array.from({ length: ENTRIES }, (_, at) =>
    turnedGreen({ gene: `GENE${at}`, time: minute(at), id: at.toString(16).padStart(32, '0') }),
  );
  await createSqliteHistory(file).append(
    genes.map((event) => toMessage(event)),
    { catalogue: 'uk', since: 0n, until: 1n },
  );
  const store = createWorklistStore(createSqliteItems(file, { what: WORKLIST, now: systemClock.now }));
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = {
    ...store,
    async record() {
      reached.resolve();
      await released.promise;
      return store.record();
    },
  };
  const options = { file, clock: { ...systemClock, now: () => Date.UTC(2026, 10, 21) }, zone: 'UTC' };
  return { options, held: { store: held, settings: defaultWorklist }, reached, released };
}

describe('while one person asks for a worklist of 5,000 entries', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  test('twenty others get their views in their browsers before it is ready', async () => {
    const { options, held, reached, released } = await longWorklist();
    const served = await servePage({ ...options, worklist: held }, { port: 0, as: 'Ann Example' });
    onTestFinished(async () => {
      await served.close();
      options.file.close();
    });
    let isReady = false;
    const open = async (address: string): Promise<readonly [status: number | undefined, text: string]> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      const response = await page.goto(new URL(address, served.url).href, { waitUntil: 'commit' });
      const text = (await page.locator('main').textContent()) ?? '';
      await context.close();
      return [response?.status(), text];
    };
    const worklist = open('worklist').then((answer) => {
      isReady = true;
      return answer;
    });
    await reached.promise;
    const others = await Promise.all(
      Array.from({ length: READERS }, (_, at) => open(views[at % views.length] ?? '')),
    );
    expect(others.map(([status]) => status)).toStrictEqual(others.map(() => 200));
    expect(isReady).toBe(false);
    released.resolve();
    expect(await worklist).toStrictEqual([200, expect.stringContaining(`${ENTRIES} entries`)]);
  });

  test('the process answers twenty others while it computes', async () => {
    const { options } = await longWorklist();
    onTestFinished(() => options.file.close());
    const answer = answerRequests({ ...options, signal: AbortSignal.abort() }, loopbackAccess('Ann Example'));
    const ask = async (address: string) => {
      const url = `http://127.0.0.1:7208/${address}`;
      const response = await answer(new Request(url, { headers: { host: '127.0.0.1:7208' } }));
      order.push(address);
      return response.text();
    };
    const order: string[] = [];
    const asked = [ask('worklist'), ...Array.from({ length: READERS }, () => ask('watcher'))];
    await Promise.all(asked);
    expect(order.indexOf('worklist')).toBe(READERS);
  });
});
