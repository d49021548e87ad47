import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../lambdas/run/clock.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openReadableStateFile, openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import type { PageOptions } from '../../page/route-context.ts';
import { loopbackAccess } from '../../page/sign-in/access.ts';
import { followDays } from '../bin/as-of-days.ts';
import { newFolder } from '../new-folder.ts';
import { at } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { openPage } from './open-page.ts';

type Get = (address: string) => Promise<Response>;

/** What a page over a folder answers. */
async function onPage<Value>(
  folder: string,
  clock: Clock,
  ask: (get: Get) => Promise<Value>,
  { as, ...options }: Partial<PageOptions> & { readonly as?: string } = {},
): Promise<Value> {
  const file = openReadableStateFile(folder);
  const signal = new AbortController().signal;
  const request = answerRequests({ file, clock, zone: 'UTC', signal, ...options }, loopbackAccess(as));
  try {
    return await ask((address) =>
      request(
        new Request(new URL(address, 'http://127.0.0.1:7208/'), { headers: { host: '127.0.0.1:7208' } }),
      ),
    );
  } finally {
    file.close();
  }
}

const asked = [
  '/api/history?since=7d&limit=3',
  '/api/history.ndjson?since=2026-08-01',
  '/api/report?since=7d',
  '/api/compare.ndjson',
  '/api/state?all=yes',
  '/api/worklist?status=all',
  '/worklist?state=all',
  '/worklist.csv?state=all',
  '/worklist/report?state=all',
  '/report?since=7d',
  '/report.csv?since=7d',
  '/compare',
  '/state?all=yes',
  '/state/files?all=yes',
];

const limit = 'As of [^<"]*what came to light later is left out\\.';

/** An answer without what says of which time it is. */
const withoutTime = (text: string): string =>
  text
    .replace(
      new RegExp(
        `\\s*\\{\\s*(?:"what":"limit",)?"kind":\\s*"as-of",\\s*"sentence":\\s*"${limit}"\\s*\\},?`,
        'g',
      ),
      '',
    )
    .replace(new RegExp(`^"${limit}"\\r?\\n`, 'm'), '')
    .replace(new RegExp(`<p class="notice">${limit}.*</p>|<p class="warning">${limit}</p>\n`), '')
    .replaceAll(/&(?:amp;)?as-of=[^"&]*/g, '')
    .replaceAll(/\?as-of=[^"&]*&(?:amp;)?/g, '?')
    .replaceAll(/\?as-of=[^"&]*/g, '')
    .replace(/(name="as-of" type="date" value=")[^"]*/, '$1')
    .replaceAll(/"limits": \[\s*\]/g, '"limits": []')
    .replace(/^[\s\S]*<main/, '<main')
    .trim();

test('the page and the interface for programs answer as of a time as they answered then', async () => {
  const answers: { readonly time: string; readonly address: string; readonly text: string }[] = [];
  let last: { readonly state: string; readonly clock: Clock } | undefined;
  const { run } = await followDays({
    days: 2,
    seed: 1,
    async atEndOfDay(state, clock) {
      const time = new Date(clock.now()).toISOString();
      last = { state, clock };
      await onPage(state, clock, async (get) => {
        for (const address of asked) answers.push({ time, address, text: await (await get(address)).text() });
      });
    },
  });
  await run();
  const { state = '', clock = createTestClock() } = last ?? {};
  const changed = new Set<string>();
  await onPage(state, clock, async (get) => {
    for (const { time, address, text } of answers) {
      const past = `${address}${address.includes('?') ? '&' : '?'}as-of=${time}`;
      const answered = await (await get(past)).text();
      expect(withoutTime(answered), past).toBe(withoutTime(text));
      expect(answered, past).toMatch(new RegExp(limit));
      if (withoutTime(await (await get(address)).text()) !== withoutTime(text)) changed.add(address);
    }
  });
  expect([...changed].sort()).toStrictEqual([...asked].sort());

  // Who decides does so about the present, and has not read an entry that was shown as of then.
  await onPage(
    state,
    clock,
    async (get) => {
      const text = async (address: string): Promise<string> => (await get(address)).text();
      const time = answers.at(-1)?.time;
      const form = '<form action="/worklist/decide"';
      expect(await text('/worklist?state=all')).toContain(form);
      const past = await text(`/worklist?state=all&as-of=${time}`);
      expect(past).not.toContain(form);
      const [, entry = ''] = /href="(\/worklist\/[^"?]+\?as-of=[^"]+)"/.exec(past) ?? [];
      const shown = await text(entry);
      expect(shown).toMatch(new RegExp(limit));
      expect(shown).not.toContain('<form action="/worklist');
      const [now = ''] = entry.split('?');
      expect(await text(now)).toContain('nobody who signed in');
      expect(await text(now)).not.toContain('nobody who signed in');
    },
    { as: 'Ann' },
  );
});

describe('an address as of a time says so at the top, or why it cannot be shown', () => {
  const clock = createTestClock({ now: Date.UTC(2026, 8, 10, 12) });
  async function folder(): Promise<string> {
    const state = newFolder();
    const file = openStateFile(state, { now: () => Date.UTC(2026, 8, 2, 9) });
    onTestFinished(() => file.close());
    const begun = at('2026-09-02T08:00:00');
    await createSqliteStore(file, 'uk').begin({ mark: begun, start: begun, count: null, source: 'here' }, []);
    const until = at('2026-09-02T09:00:00');
    await createSqliteHistory(file).append([], { catalogue: 'uk', since: begun, until });
    return state;
  }
  const get = async (address: string, options?: Partial<PageOptions>): Promise<[number, string]> =>
    onPage(
      await folder(),
      clock,
      async (ask) => {
        const response = await ask(address);
        return [response.status, await response.text()];
      },
      options,
    );

  test.each([
    ['2026-09-01', 'It was begun at 2026-09-02T09:00:00.000000Z. Ask as of that time or a later one.'],
    [
      '2026-09-10',
      '“as-of” is "2026-09-10"; expected a day that is over, or a time that is not in the future.',
    ],
    ['2027-01-01', '“as-of” is "2027-01-01"; expected a day that is over'],
    ['2026-02-30', '“as-of” is "2026-02-30"; expected a day or a time in ISO 8601'],
    ['yesterday', '“as-of” is "yesterday"; expected a day or a time in ISO 8601'],
    ['2026-09-03&as-of=2026-09-04', '“as-of” is "2026-09-04"; expected one value.'],
  ])('as of %s', async (day, sentence) => {
    const [status, problem] = await get(`/api/report?as-of=${day}`);
    expect([status, JSON.parse(problem).detail]).toStrictEqual([400, expect.stringContaining(sentence)]);
    const [ofView, view] = await get(`/report?as-of=${day}`);
    expect([ofView, view.replaceAll('&quot;', '"')]).toStrictEqual([400, expect.stringContaining(sentence)]);
  });

  test('what is left out goes with a time only', async () => {
    const [status, problem] = await get('/api/report?left-out=yes');
    expect([status, problem]).toStrictEqual([400, expect.stringContaining('expected as-of beside it')]);
  });

  test('a page that keeps nothing in a folder, and that of a stage', async () => {
    const page = await openPage();
    expect(await (await page.get('/api/report?as-of=2026-09-03')).text()).toContain(
      'keeps nothing in a folder',
    );
    page.close();
    const [status, sentence] = await get('/api/report?as-of=2026-09-03', {
      deployed: {} as NonNullable<PageOptions['deployed']>,
    });
    expect([status, sentence]).toStrictEqual([400, expect.stringContaining('a deployed stage')]);
  });

  test('the form has the day, the links of the answer keep it, and a day ends where its reader is', async () => {
    const [status, view] = await get('/report?as-of=2026-09-03&since=2026-09-01', { zone: 'Europe/London' });
    expect(status).toBe(200);
    expect(view).toContain('As of the end of 3 Sept 2026: what came to light later is left out.');
    expect(view).toMatch(/<input id="s-as-of" name="as-of" type="date" value="2026-09-03">/);
    expect(view).toContain('href="/report.csv?since=2026-09-01&amp;as-of=2026-09-03"');
    expect(view).toContain('href="/report?since=2026-09-01">As known now');
    expect(view).toContain('as known on 3 Sept 2026, 23:59');
    const counted = await get('/report?as-of=2026-09-03&left-out=yes');
    expect(counted[1]).toContain('left out. That is 0 events, 0 of them about the time before;');
  });

  test('what was not read then is no all-clear', async () => {
    const report = { outcome: 'quiet' };
    const run = { kind: 'poll', at: clock.now(), milliseconds: 0, report };
    const record = {
      startedAt: 0,
      every: 60,
      runs: () => [run],
      requests: 0,
    } as unknown as NonNullable<PageOptions['record']>;
    const [, view] = await get('/report?as-of=2026-09-03&since=2026-09-03', { record });
    expect(view).toContain('of which no row was read');
    const answer = JSON.parse((await get('/api/worklist?as-of=2026-09-03&since=2026-09-01'))[1]);
    expect([answer.isWhole, answer.rows]).toStrictEqual([false, []]);
  });
});
