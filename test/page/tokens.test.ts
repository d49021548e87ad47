import { expect, test } from 'vitest';
import { tokenIn } from './browser-session.ts';
import { openPage } from './open-page.ts';
import { ORIGIN, openTeamPage } from './team-page.ts';

type Team = Awaited<ReturnType<typeof openTeamPage>>;

const DAY = 86_400_000;

/** Requests an address as a program does. */
const ask = (team: Team, address: string, authorization?: string, method = 'GET'): Promise<Response> =>
  team.answer(
    new Request(new URL(address, ORIGIN), {
      method,
      headers: { host: new URL(ORIGIN).host, ...(authorization !== undefined && { authorization }) },
    }),
  );
/** The status of an answer; it is read, as it takes a place of the page until then. */
async function statusOf(team: Team, token: string, address = '/api/report'): Promise<number> {
  const response = await ask(team, address, `Bearer ${token}`);
  await response.text();
  return response.status;
}

/** Signs in, makes a token on the page, and returns it with the browser and the token of its forms. */
async function madeToken(team: Team, user: 'scientistEngland' | 'scientistWales', name: string) {
  const browser = team.browser();
  await team.signIn(browser, user);
  const form = tokenIn(await (await browser.open('/programs')).text());
  const made = await browser.send('/programs', { token: form, name, days: '90' });
  const [, token = ''] = /<code>(gpn_[\w-]+)<\/code>/.exec(await made.text()) ?? [];
  return { browser, form, token };
}

test('a program reads by a token that its person made on the page, until it is ended there', async () => {
  const team = await openTeamPage();
  const { browser, form, token } = await madeToken(team, 'scientistEngland', 'LIMS <import>');
  expect(token).toMatch(/^gpn_[\w-]{43}$/);
  for (const path of ['/api/history', '/api/worklist', '/api/report.ndjson', '/api/openapi.json'])
    expect([path, await statusOf(team, token, path)]).toStrictEqual([path, 200]);

  const listed = await (await browser.open('/programs')).text();
  expect(listed).not.toContain(token);
  expect(listed).toContain('LIMS &lt;import&gt;');
  const [, id = ''] = /name="end" value="([^"]+)"/.exec(listed) ?? [];
  const other = await madeToken(team, 'scientistWales', 'script');
  const stolen = await other.browser.send('/programs', { token: other.form, end: id });
  expect([stolen.status, await statusOf(team, token)]).toStrictEqual([404, 200]);

  expect((await browser.send('/programs', { token: form, end: id })).status).toBe(303);
  expect([await statusOf(team, token), await statusOf(team, other.token)]).toStrictEqual([401, 200]);
  expect(await (await browser.open('/programs')).text()).toContain('You have no token.');
  expect(team.audit().filter(({ action }) => String(action).startsWith('token-'))).toMatchObject([
    { action: 'token-made', token: 'LIMS <import>' },
    { action: 'token-made', token: 'script' },
    { action: 'token-ended', token: 'LIMS <import>' },
  ]);
  expect(JSON.stringify(await team.people.items.list('tokens'))).not.toContain(other.token);
});

test('a token ends after its days, and opens what is for programs alone', async () => {
  const team = await openTeamPage();
  const { token } = await madeToken(team, 'scientistEngland', 'script');
  for (const path of ['/', '/report', '/programs', '/worklist.csv'])
    expect([path, await statusOf(team, token, path)]).toStrictEqual([path, 401]);
  expect((await ask(team, '/api/report', `Bearer ${token}`, 'POST')).status).toBe(405);
  team.clock.pass(89 * DAY);
  expect(await statusOf(team, token)).toBe(200);
  team.clock.pass(2 * DAY);
  expect(await statusOf(team, token)).toBe(401);
});

test('without a token that holds, the refusal says how to get one', async () => {
  const team = await openTeamPage();
  for (const authorization of [undefined, 'Bearer gpn_wrong', 'Bearer x', 'Basic YTpi', 'Bearer']) {
    const response = await ask(team, '/api/report', authorization);
    expect([response.headers.get('content-type'), response.headers.get('www-authenticate')]).toStrictEqual([
      'application/problem+json',
      'Bearer',
    ]);
    expect(JSON.parse(await response.text())).toMatchObject({
      status: 401,
      detail: expect.stringContaining('Make one on the page, under Programs'),
    });
  }
});

test('a program that asks too much is slowed down, and its person and other programs are not', async () => {
  const team = await openTeamPage();
  const { browser, token } = await madeToken(team, 'scientistEngland', 'script');
  const other = await madeToken(team, 'scientistWales', 'script');
  const statuses: number[] = [];
  for (let request = 0; request < 61; request++)
    statuses.push(await statusOf(team, token, '/api/openapi.json'));
  expect([statuses.at(59), statuses.at(60)]).toStrictEqual([200, 429]);
  const refused = await ask(team, '/api/history', `Bearer ${token}`);
  expect([refused.headers.get('retry-after'), JSON.parse(await refused.text())]).toMatchObject([
    '1',
    { status: 429, detail: 'Too many requests. Try again in 1 s.' },
  ]);
  expect((await browser.open('/')).status).toBe(200);
  expect(await statusOf(team, other.token)).toBe(200);
  team.clock.pass(1_000);
  expect(await statusOf(team, token)).toBe(200);
});

test('a token that is ended while it is used does not begin again', async () => {
  const team = await openTeamPage();
  const { browser, form, token } = await madeToken(team, 'scientistEngland', 'script');
  const [item] = await team.people.items.list('tokens');
  const { replace } = team.people.items;
  team.people.items.replace = async (changed) => {
    team.people.items.replace = replace;
    await browser.send('/programs', { token: form, end: String(item?.id) });
    return replace(changed);
  };
  expect(await statusOf(team, token)).toBe(401);
  expect(await team.people.items.list('tokens')).toStrictEqual([]);
});

test('without a sign-in, programs need no token', async () => {
  const page = await openPage();
  const response = await page.get('/programs');
  expect([response.status, await response.text()]).toStrictEqual([
    404,
    expect.stringContaining('Without a sign-in, programs on this machine read /api'),
  ]);
  expect((await page.get('/api/report')).status).toBe(200);
  expect(await page.text('/')).not.toContain('/programs');
  page.close();
});

test.each([
  { name: '', days: '90' },
  { name: 'script', days: '9000' },
])('a form without a name or a length makes no token: %o', async (fields) => {
  const team = await openTeamPage();
  const { browser, form } = await madeToken(team, 'scientistEngland', 'script');
  expect((await browser.send('/programs', { token: form, ...fields })).status).toBe(400);
  expect((await browser.send('/programs', { name: 'script', days: '90' })).status).toBe(403);
  expect(await team.people.items.list('tokens')).toHaveLength(1);
});
