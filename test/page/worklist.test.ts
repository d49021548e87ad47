import { describe, expect, test } from 'vitest';
import { turnedGreen } from '../messages/events.ts';
import { tokenIn } from './browser-session.ts';
import { openPage } from './open-page.ts';
import { openTeamPage } from './team-page.ts';

const entriesIn = (html: string): readonly string[] =>
  [...html.matchAll(/name="entry" value="([^"]+)"/g)].map(([, entry = '']) => entry);

describe('the worklist of a team', () => {
  test('lists what is to be done; a decider decides, and the entry keeps who, when and why', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'managerScotland');
    const list = await (await browser.open('/worklist')).text();
    const [entry = ''] = entriesIn(list);
    expect(list).toContain('BRCA1 now green');
    const form = new URLSearchParams({ token: tokenIn(list), state: 'no-action', why: 'no case <b>' });
    form.append('entry', entry);
    form.append('entry', `${'0'.repeat(32)}:0`);
    const some = await browser.send('/worklist/decide', form);
    expect(some.status).toBe(409);
    expect(await some.text()).toContain('The worklist has no such entry.');
    expect(await (await browser.open('/worklist')).text()).toContain(
      'No entry is in this state. 1 in other states',
    );
    const page = await (await browser.open(`/worklist/${entry.slice(0, 32)}`)).text();
    expect(page).toMatch(
      /<b>no action<\/b>, Morag Manager \([^)]+\), <time[^>]*>20 Nov 2026, 12:00<\/time><br>no case &lt;b&gt;/,
    );
    const again = await (await browser.open(`/worklist/${entry.slice(0, 32)}`)).text();
    expect(again).toMatch(/Read by<\/h2>\s*<p>Morag Manager/);
    const csv = await (await browser.open('/worklist.csv?state=all')).text();
    expect(csv).toContain('no case <b>');
    expect(team.audit().map(({ action }) => action)).toStrictEqual([
      'signed-in',
      'decides',
      'decided',
      'decides',
      'decided',
    ]);
  });

  test('keeps the comments of deciders, which change no state', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'managerScotland');
    const [entry = ''] = entriesIn(await (await browser.open('/worklist')).text());
    const id = entry.slice(0, 32);
    const form = await (await browser.open(`/worklist/${id}`)).text();
    expect(form).toContain('There is no comment.');
    const said = { token: tokenIn(form), entry: id, text: 'Asked <the clinic>' };
    // The form is sent twice, as a hasty person does.
    for (const response of [
      await browser.send('/worklist/comment', said),
      await browser.send('/worklist/comment', said),
    ]) {
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(`/worklist/${id}`);
    }
    const page = await (await browser.open(`/worklist/${id}`)).text();
    expect(
      page.match(/Morag Manager[^<]*, <time[^>]*>20 Nov 2026, 12:00<\/time><br>Asked &lt;the clinic&gt;/g),
    ).toHaveLength(1);
    expect(page).toContain('There is no decision yet.');
    expect(await (await browser.open('/worklist.csv')).text()).toContain('Asked <the clinic>');
    expect(team.audit().map(({ action }) => action)).toStrictEqual([
      ...['signed-in', 'comments', 'commented', 'comments', 'commented'],
    ]);
    expect(JSON.stringify(team.audit())).not.toContain('clinic');
    for (const [fields, status] of [
      [{ ...said, text: ' ' }, 400],
      [{ ...said, entry: '0'.repeat(32) }, 404],
      [{ ...said, token: 'x' }, 403],
    ] as const)
      expect((await browser.send('/worklist/comment', fields)).status).toBe(status);
    const reader = team.browser();
    await team.signIn(reader, 'scientistEngland');
    const view = await (await reader.open(`/worklist/${id}`)).text();
    expect(view).not.toContain('action="/worklist/comment"');
    const tried = await reader.send('/worklist/comment', { ...said, token: tokenIn(view) });
    expect(tried.status).toBe(403);
  });

  test('has no form for a reader', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'scientistEngland');
    const list = await (await browser.open('/worklist')).text();
    expect(list).toContain('BRCA1 now green');
    expect(entriesIn(list)).toStrictEqual([]);
  });

  test.each([
    ['no entry', { state: 'done', why: 'x' }],
    ['no reason', { entry: 'a:0', state: 'done', why: ' ' }],
    ['no state', { entry: 'a:0', why: 'x' }],
    ['a state that does not exist', { entry: 'a:0', state: 'closed', why: 'x' }],
  ])('refuses a form with %s', async (_what, fields) => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'managerScotland');
    const token = tokenIn(await (await browser.open('/worklist')).text());
    expect((await browser.send('/worklist/decide', { token, ...fields })).status).toBe(400);
  });
});

test('the report of the worklist is a dated file with what was asked and how much was read', async () => {
  const page = await openPage([turnedGreen({ id: 'a1' })]);
  const response = await page.get('/worklist/report?state=open&gene=BRCA1');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="worklist-2026-11-21.html"');
  const report = await response.text();
  expect(report).toContain('<h1>Worklist of gene panel changes, 2026-11-21 12:00 UTC</h1>');
  expect(report).toContain('BRCA1 now green');
  expect(report).toMatch(/Entries are changes in the newest versions of panels \(.*BRCA1.*\)/);
  page.close();
});

test('without a sign-in the worklist can be read only', async () => {
  const page = await openPage([turnedGreen({ id: 'a1' })]);
  const list = await page.text('/worklist?state=open');
  expect(list).toContain('BRCA1 now green');
  expect(entriesIn(list)).toStrictEqual([]);
  for (const wrong of ['/worklist?state=closed', '/worklist?overdue=1', '/worklist?colour=red']) {
    expect((await page.get(wrong)).status).toBe(400);
  }
  page.close();
});
