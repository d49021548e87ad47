import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import type { Run } from '../../page/route-context.ts';
import { breast, eventOf, rated, turnedGreen } from '../words/events.ts';
import { NOW, type OpenedPage, openPage } from './open-page.ts';

const hearing = { ...breast, id: 126, name: 'Hearing loss', relevantDisorders: ['R67'] };
const at = (text: string): bigint => parseInstant(text) ?? 0n;

/** A history of which the first 27 days of November's 30 were never read. */
async function openPartlyRead(...events: Parameters<typeof openPage>[0] & object): Promise<OpenedPage> {
  const page = await openPage(events);
  await createSqliteHistory(page.file).append([], {
    catalogue: 'uk',
    since: at('2026-11-18T12:00:00Z'),
    until: at('2026-11-21T12:00:00Z'),
  });
  return page;
}

let page: OpenedPage;
beforeEach(async () => {
  page = await openPartlyRead(
    turnedGreen({ id: 'a1', time: '2026-11-20T09:00:00.000000Z' }),
    turnedGreen({ id: 'a2', panel: hearing, gene: 'OTOF', time: '2026-11-20T10:00:00.000000Z' }),
  );
});
afterEach(() => page.close());

describe('where nothing is found, a view says which part of the period was read', () => {
  test.each([
    ['/?to=red', 'No change matches these filters in the 3 of 30 days that were read.'],
    ['/?panel=126&gene=BRCA1', 'in the 3 of 30 days that were read.'],
    ['/?since=2026-11-01&until=2026-11-10', 'Nothing of this period was read'],
    ['/report?since=2026-11-01&until=2026-11-11', 'Nothing of this period was read'],
    [
      '/report?show=green&since=2026-11-01&until=2026-11-20&panel=126',
      'No gene, STR or region turned green, and none stopped being green, in the',
    ],
    ['/report.csv?since=2026-11-01&until=2026-11-11', '"uk was not read from 1 Nov 2026'],
    ['/events.csv?since=2026-11-01&until=2026-11-10', 'not read'],
    ['/panel/uk/126', 'in the period that was read'],
  ])('%s', async (address, sentence) => {
    const text = await page.text(address);
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/in this period\.|None of them|No change was made\./);
  });

  test('where something is found, too', async () => {
    expect(await page.text('/')).toContain('<b>2</b> changes in the 3 of 30 days that were read');
    expect(await page.text('/report?since=2026-10-23&until=2026-11-22')).toContain(
      '2 now green and 0 no longer green on 2 panels in the 3 of 29 days that were read',
    );
  });
});

test('a log that was read to its end a moment ago, and had no rows since Friday, was read', async () => {
  const quiet = {
    kind: 'poll',
    at: Date.parse(NOW),
    milliseconds: 400,
    requests: 1,
    report: { outcome: 'quiet' },
  } as Run;
  const record = { startedAt: 0, every: 60, requests: 1, runs: () => [quiet] };
  const events = [turnedGreen({ id: 'a1', time: '2026-11-20T09:00:00.000000Z' })];
  const read = { catalogue: 'uk', since: 0n, until: at('2026-11-20T17:00:00Z') };
  for (const [options, isRead] of [
    [{ record }, true],
    [{}, false],
  ] as const) {
    const opened = await openPage([], options);
    const history = createSqliteHistory(opened.file);
    opened.file.database.exec('DELETE FROM coverage');
    await history.append(
      events.map((event) => toMessage(event)),
      read,
    );
    const html = await opened.text('/?to=red');
    expect(html.includes('in these 30 days')).toBe(isRead);
    expect(html.includes('class="warning unread"')).toBe(!isRead);
    expect((await opened.text('/worklist')).includes('class="warning unread"')).toBe(!isRead);
    opened.close();
  }
});

describe('a name that nothing has is no all-clear', () => {
  test.each([
    ['/?panel=hearing', 'No panel is called “hearing” in what was read.', 'href="/?panel=126"'],
    ['/?panel=Haering+loss', 'No panel is called “Haering loss”', 'href="/?panel=126"'],
    ['/?panel=999', 'No panel has the id 999', null],
    ['/?r-code=R999', 'No panel has the code R999', null],
    ['/?r-code=R20', 'No panel has the code R20', 'href="/?r-code=R208"'],
    ['/?gene=BRCA9', 'No gene, STR or region is called “BRCA9” in what was read.', 'href="/?gene=BRCA1"'],
    ['/?tag=nosuch', 'No event that was read has the tag “nosuch”', null],
    [
      '/?actor=Katherine+Snowe',
      'the curator or reviewer “Katherine Snowe”',
      'href="/?actor=Catherine+Snowe"',
    ],
    ['/report?panel=hearing', 'No panel is called “hearing” in what was read.', 'panel=126'],
    ['/report?r-code=R999', 'No panel has the code R999', null],
    ['/report.csv?panel=Nonsense', 'No panel is called “Nonsense”', null],
    ['/events.csv?gene=NOSUCH', 'No gene, STR or region', null],
    ['/panel/uk/999', 'no change of a panel 999', null],
  ])('%s', async (address, sentence, offer) => {
    const response = await page.get(address);
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain(sentence);
    expect(html).not.toMatch(/Nothing matches|turned green, and none|<b>0<\/b> (?:changes|now)/);
    if (offer !== null) expect(html).toContain(offer);
  });

  test('beside a name that exists, what that one finds is shown under the warning', async () => {
    const html = await page.text('/?gene=BRCA1&gene=NOSUCH');
    expect(html).toContain('called “NOSUCH”');
    expect(html).toContain('id="e-a1"');
  });
});

test('a panel is found by every name that it had, and read by its present one', async () => {
  const renamed = { ...hearing, name: 'Deafness and hearing loss' };
  await page.append(
    eventOf(
      'panel.changed',
      { changes: [{ field: 'name', from: 'Hearing loss', to: renamed.name }] } as never,
      { id: 'b1', panel: renamed, time: '2026-11-21T09:00:00.000000Z' },
    ),
  );
  for (const name of ['126', 'Hearing loss', 'deafness and HEARING loss']) {
    const html = await page.text(`/?${new URLSearchParams({ panel: name })}`);
    expect([...html.matchAll(/id="e-(\w+)"/g)].map(([, id]) => id)).toStrictEqual(['b1', 'a2']);
    expect(html).toContain('Panel: <b>Deafness and hearing loss</b>');
    const green = await page.text(`/report?${new URLSearchParams({ panel: name })}`);
    expect(green).toContain('1 now green');
    expect(green).toContain('Panel: <b>Deafness and hearing loss</b>');
  }
});

test('a part of a name offers the names that hold it, with R codes and former names', async () => {
  const choices = async (of: string, part: string) =>
    JSON.parse(await page.text(`/names?${new URLSearchParams({ of, part })}`));
  expect(await choices('panel', 'hear')).toStrictEqual([
    { value: '126', label: 'Hearing loss', note: 'R67' },
  ]);
  expect(await choices('gene', 'br')).toStrictEqual([{ value: 'BRCA1', label: 'BRCA1', note: '' }]);
  expect(await choices('r-code', 'r2')).toStrictEqual([{ value: 'R208', label: 'R208', note: '' }]);
  expect(await choices('panel', 'zzz')).toStrictEqual([]);
  expect((await page.get('/names?of=nothing&part=a')).status).toBe(400);
});

test('what may have been green before, and withdrawn sign-offs, are counted apart', async () => {
  await page.append(
    rated(null, 'green', 'unknown', { id: 'c1', gene: 'PALB2', time: '2026-11-21T08:00:00.000000Z' }),
    eventOf('panel.signed-off', { signedOff: true, version: '4.12', date: null } as never, { id: 'c2' }),
    eventOf('panel.signed-off', { signedOff: false, version: null, date: null } as never, { id: 'c3' }),
  );
  const html = await page.text('/');
  expect(html).toContain('Turned green <b>2</b>, perhaps green before <b>1</b>');
  expect(html).toContain('Signed off <b>1</b>, sign-off withdrawn <b>1</b>');
  const green = await page.text('/report');
  expect(green).toContain('2 now green and 0 no longer');
  expect(green).toContain('1 more was rated green and may have been green before');
});
