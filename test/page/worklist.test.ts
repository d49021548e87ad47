import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createWorklistStore, WORKLIST } from '../../lambdas/questions/worklist/worklist-record.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { loopbackAccess } from '../../page/sign-in/access.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { eventOf, turnedGreen } from '../words/events.ts';
import { browserSession, tokenIn } from './browser-session.ts';
import { openCases } from './open-cases.ts';
import { openPage } from './open-page.ts';
import { ORIGIN, openTeamPage, pageOf } from './team-page.ts';

const entriesIn = (html: string): readonly string[] =>
  [...html.matchAll(/name="entry"(?: id="[^"]+")? value="([^"]+)"/g)].map(([, entry = '']) => entry);

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
      'No entry is in this list. 1 do not match what you chose',
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
      'decides',
      'decided',
      'decided',
    ]);
  });

  test('keeps no decision, comment or assignment that the audit log cannot note, and says so', async () => {
    const clock = createTestClock({ wokenByHand: true });
    const full = new StateError(
      'STATE_UNAVAILABLE',
      'Writing the audit log: no space is left. Nothing was done.',
    );
    const audit = { write: () => Promise.reject(full) };
    const { answer, close, file } = await pageOf(loopbackAccess('Ann Example'), clock, { audit });
    const browser = browserSession(answer, ORIGIN);
    const list = await (await browser.open('/worklist')).text();
    const [entry = ''] = entriesIn(list);
    const forms = {
      '/worklist/decide': { entry, state: 'done', why: 'looked at' },
      '/worklist/assign': { entry, to: 'Bo Example' },
      '/worklist/comment': { entry: entry.slice(0, 32), text: 'Asked the clinic' },
    };
    for (const [address, fields] of Object.entries(forms)) {
      const refused = await browser.send(address, { token: tokenIn(list), ...fields });
      expect([refused.status, await refused.text()]).toStrictEqual([
        503,
        expect.stringMatching(/This was not kept[\s\S]*no space is left\. Nothing was done/),
      ]);
    }
    const { decisions, assignments, comments } = await createWorklistStore(
      createSqliteItems(file, { what: WORKLIST, now: systemClock.now }),
    ).record();
    expect([decisions, assignments, comments]).toStrictEqual([[], [], []]);
    close();
  });

  test('takes 500 decisions at once while it answers others, and refuses more before any is noted', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    const genes = Array.from({ length: 500 }, (_, at) =>
      turnedGreen({ gene: `GENE${at}`, id: (4_096 + at).toString(16).padStart(32, '0') }),
    );
    await createSqliteHistory(team.file).append(
      genes.map((event) => toMessage(event)),
      { catalogue: 'uk', since: 1n, until: 2n },
    );
    await team.signIn(browser, 'managerScotland');
    const list = await (await browser.open('/worklist')).text();
    const form = new URLSearchParams({ token: tokenIn(list), state: 'no-action', why: 'no case' });
    const rows = (await (await browser.open('/worklist.csv')).text()).matchAll(/^([0-9a-f]{32}),/gm);
    for (const [, id] of [...rows].slice(0, 500)) form.append('entry', `${id}:0:0`);
    let isDecided = false;
    const deciding = browser.send('/worklist/decide', form).then(async (response) => {
      isDecided = true;
      return [response.status, await response.text()];
    });
    let answered = 0;
    for (; !isDecided; answered++) await browser.open('/page.css');
    expect(await deciding).toStrictEqual([200, expect.stringContaining('Decided')]);
    expect(answered).toBeGreaterThan(10);
    expect(
      team.audit().filter(({ action, outcome }) => action === 'decided' && outcome === 'decided'),
    ).toHaveLength(500);

    const made = new URLSearchParams({ token: tokenIn(list), state: 'no-action', why: 'x' });
    for (let count = 0; count < 7_900; count++) made.append('entry', 'a');
    const noted = team.audit().length;
    const refused = await browser.send('/worklist/decide', made);
    expect([refused.status, await refused.text()]).toStrictEqual([
      400,
      expect.stringContaining('You chose 7900 entries; at most 500'),
    ]);
    expect(team.audit()).toHaveLength(noted);
  });

  test.each([
    ['a HEAD', 'HEAD', {}],
    ['a prefetch', 'GET', { 'sec-purpose': 'prefetch' }],
    ['a prerendered view', 'GET', { 'sec-purpose': 'prefetch;prerender' }],
    [
      'a window that a script of another site opened',
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
  ])('notes no reading of %s, and one of a person who follows a link', async (_what, method, headers) => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'managerScotland');
    const [entry = ''] = entriesIn(await (await browser.open('/worklist')).text());
    const address = `/worklist/${entry.slice(0, 32)}`;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const asked = { host: new URL(ORIGIN).host, cookie, accept: 'text/html' };
    await team.answer(new Request(`${ORIGIN}${address}`, { method, headers: { ...asked, ...headers } }));
    expect(await (await browser.open('/worklist.csv')).text()).not.toContain('Morag');
    await team.answer(
      new Request(`${ORIGIN}${address}`, {
        headers: {
          ...asked,
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
          'sec-fetch-user': '?1',
        },
      }),
    );
    expect(await (await browser.open('/worklist.csv')).text()).toContain('Morag');
  });

  test('keeps the comments of deciders, which change no state', async () => {
    const team = await openTeamPage();
    const browser = team.browser();
    await team.signIn(browser, 'managerScotland');
    const [entry = ''] = entriesIn(await (await browser.open('/worklist')).text());
    const id = entry.slice(0, 32);
    const form = await (await browser.open(`/worklist/${id}`)).text();
    expect(form).toContain('There is no comment and no assignment.');
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

test('a decider assigns an entry to a colleague, who finds it among their own', async () => {
  const team = await openTeamPage();
  const [one, other] = [team.browser(), team.browser()];
  await team.signIn(one, 'managerScotland');
  await one.open('/worklist');
  const list = async (browser: typeof one, address: string) => (await browser.open(address)).text();
  const token = tokenIn(await list(one, '/worklist'));
  const [entry = ''] = entriesIn(await list(one, '/worklist'));
  const assignTo = (to: string) =>
    one.send('/worklist/assign', { token, entry, to, list: '/worklist?sort=panel' });
  const unknown = await assignTo('Sofia Scientist');
  expect([unknown.status, await unknown.text()]).toStrictEqual([
    404,
    expect.stringContaining(
      'No decider who signed in here is called “Sofia Scientist”. These are known: Morag',
    ),
  ]);
  const reader = team.browser();
  await team.signIn(reader, 'scientistEngland');
  const tried = await reader.send('/worklist/assign', {
    ...{ token: tokenIn(await list(reader, '/my-panels')), entry, to: '' },
  });
  expect(tried.status).toBe(403);

  await team.signIn(other, 'operator');
  expect(await list(other, '/worklist?assigned=me')).toContain('No entry is in this list');
  const done = await assignTo('Olu Operator');
  expect([done.status, await done.text()]).toStrictEqual([
    200,
    expect.stringMatching(
      /now assigned to Olu Operator[\s\S]*href="\/worklist\?sort=panel">Back to the list/,
    ),
  ]);
  expect(await list(other, '/worklist?assigned=me')).toContain('BRCA1 now green');
  expect(await list(one, '/worklist?assigned=me')).not.toContain('BRCA1 now green');
  expect(await list(one, '/worklist?assigned=none')).not.toContain('BRCA1 now green');
  // The form is of before: somebody has it already.
  const late = await one.send('/worklist/assign', { token, entry, to: '', me: 'true' });
  expect([late.status, await late.text()]).toStrictEqual([
    409,
    expect.stringContaining('Nothing was changed'),
  ]);
  expect(team.audit().slice(-4)).toMatchObject([
    { action: 'assigns', name: 'Morag Manager', to: expect.stringContaining('Olu Operator') },
    { action: 'assigned', outcome: 'assigned' },
    { action: 'assigns' },
    { action: 'assigned', outcome: 'conflict' },
  ]);
});

test('each entry shows how many cases of the file it concerns, read anew for each view', async () => {
  let text = 'case,panel,version\nCANARY1,R208,4.0\nCANARY2,635,4.0\nCANARY3,R208,4.12\n';
  const cases = { name: 'cases.csv', format: 'csv', open: () => Readable.from([Buffer.from(text)]) } as const;
  const { team, browser } = await openCases(undefined, cases);
  await createSqliteHistory(team.file).append([toMessage(turnedGreen({ gene: 'PALB2', id: 'b1' }))], {
    catalogue: 'uk',
    since: 2n,
    until: 3n,
  });
  const counted = async (gene: string) => {
    const list = await (await browser.open(`/worklist?gene=${gene}`)).text();
    expect(list).not.toContain('CANARY');
    const [, words] =
      /<li class="entry"[\s\S]*?<p(?: class="warning")?>(?:<b>)?([^<]*cases?\b[^<]*)/i.exec(list) ?? [];
    return words;
  };
  expect([await counted('PALB2'), await counted('BRCA1')]).toStrictEqual(['2 cases', '0 cases']);
  text = 'case,panel,version\nCANARY1,R208,4.0\nCANARY2,635,3.9\n';
  expect([await counted('PALB2'), await counted('BRCA1')]).toStrictEqual([
    'At least 1 case',
    'Cases unknown',
  ]);
  text = 'case\n"CANARY';
  expect(await counted('PALB2')).toContain('no column is taken for panel');
});

test('a card shows all that one decides by', async () => {
  const text = 'case,panel,version\nA,R208,4.0\n';
  const cases = { name: 'cases.csv', format: 'csv', open: () => Readable.from([Buffer.from(text)]) } as const;
  const { team, browser } = await openCases(undefined, cases);
  const { now } = team.clock;
  await createSqlitePanelStates({ file: team.file, catalogue: 'uk', now }).save(
    madeUpState({
      panelId: 126,
      entities: [madeUpGene('PALB2', { rating: 'amber' })],
      readAt: instantOf(now()),
    }),
  );
  const parts = { gene: 'PALB2', time: '2026-11-18T09:14:02.120000Z' };
  const said = eventOf('entity.commented', { comment: 'Three families', action: 'added' }, parts);
  await createSqliteHistory(team.file).append(
    [turnedGreen({ ...parts, id: 'b1' }), said].map((event) => toMessage(event)),
    { catalogue: 'uk', since: 2n, until: 3n },
  );
  const list = await (await browser.open('/worklist?gene=PALB2')).text();
  const [card = ''] = /<li class="entry"[\s\S]*?<\/li>/.exec(list) ?? [];
  for (const shown of [
    /<span class="rating amber">amber<\/span>[\s\S]*<span class="rating green">green/,
    /R208<\/span> <span class="fine">version 4\.12/,
    /This version is signed off, since 10 November 2026/,
    /Rated by Catherine Snowe, 18 November 2026, 09:14 \(London\)/,
    /<blockquote>Three families/,
    /PALB2 \(HGNC:47284\) · mode of inheritance: BIALLELIC · also amber on R67/,
    /<b>1 case<\/b>/,
    /<a href="https:\/\/panelapp\.genomicsengland\.co\.uk\/panels\/635\/gene\/PALB2\/"[^>]*>Catalogue/,
    /<a href="\/\?since=all&amp;open=b1#event">Rows of the log/,
  ])
    expect(card).toMatch(shown);
});

describe('the list', () => {
  const genes = Array.from({ length: 23 }, (_, at) => turnedGreen({ id: `b${at}`, gene: `GENE${at}` }));

  test('has a page of cards, each with what one decides by; one box chooses all of a panel', async () => {
    const page = await openPage(genes, { as: 'Ann Example' });
    const first = await page.text('/worklist?sort=panel');
    expect(first.match(/<li class="entry"/g)).toHaveLength(20);
    expect(first).toContain('Page 1 of 2.');
    expect(first).toMatch(/<input type="checkbox" name="entry" value="(?:[0-9a-f]{32}:0:0 ?){20}">/);
    expect(first).toMatch(
      /GENE0 now green<\/a> <span class="step"><span class="rating amber">amber[\s\S]*<span class="rating green">green[\s\S]*R208[\s\S]*Rated by[\s\S]*Rows of the log<\/a> <a href="\/gene\?name=GENE0">Panels with GENE0/,
    );
    // On a phone the form is below twenty cards.
    expect(first).toMatch(/href="#decide"[\s\S]*id="decide"/);
    const second = await page.text('/worklist?sort=panel&page=2');
    expect(second.match(/<li class="entry"/g)).toHaveLength(3);
    page.close();
  });

  test.each([
    ['change=now-green&since=7d&sort=newest&gene=GENE1', 'Worklist: now green, last 7 days, GENE1'],
    ['assigned=me&state=done', 'Worklist: mine, done'],
    ['assigned=none&overdue=true', 'Worklist: not assigned, overdue'],
  ])('of %s has a title that says so: “%s”', async (asked, title) => {
    const page = await openPage(genes, { as: 'Ann Example' });
    expect(await page.text(`/worklist?${asked}`)).toContain(`<title>${title} –`);
    page.close();
  });

  test('leaves out changes of another kind and of before', async () => {
    const page = await openPage(genes, { as: 'Ann Example' });
    expect(await page.text('/worklist?change=no-longer-green')).toContain('23 do not match what you chose');
    expect(await page.text('/worklist?since=1d')).toContain('23 entries');
    for (const wrong of ['page=0', 'since=1y', 'sort=age', 'change=red'])
      expect((await page.get(`/worklist?${wrong}`)).status).toBe(400);
    page.close();
  });
});

test('on one machine a person decides under the name that was given', async () => {
  const page = await openPage([turnedGreen({ id: 'a1' })], { as: 'Ann Example' });
  const browser = browserSession(page.request, 'http://127.0.0.1:7208');
  const list = await (await browser.open('/worklist')).text();
  expect(list).not.toContain('/my-panels');
  const [entry = ''] = entriesIn(list);
  const deciding = { token: tokenIn(list), entry, state: 'done', why: 'discussed' };
  expect((await browser.send('/worklist/decide', deciding)).status).toBe(200);
  const assigning = { token: tokenIn(list), entry: entry.replace(':0:', ':1:'), to: 'Bo Example' };
  expect((await browser.send('/worklist/assign', assigning)).status).toBe(200);
  const shown = await page.text(`/worklist/${entry.slice(0, 32)}`);
  expect(shown).toMatch(/<b>done<\/b>, Ann Example, /);
  expect(shown).toContain('assigned to Bo Example');
  page.close();
});

test('the report of the worklist is a dated file with what was asked and how much was read', async () => {
  const page = await openPage([turnedGreen({ id: 'a1' })]);
  const response = await page.get('/worklist/report?state=open&gene=BRCA1');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="worklist-2026-11-21.html"');
  const report = await response.text();
  expect(report).toContain('<p>as known on 21 Nov 2026, 12:00 (Europe/London)</p>');
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
  expect(await (await page.get('/worklist?assigned=me')).text()).toContain(
    'start it with --as and your name',
  );
  page.close();
});
