import { expect, test } from 'vitest';
import { tokenIn } from './browser-session.ts';
import { openPage } from './open-page.ts';
import { openTeamPage } from './team-page.ts';

test('a person chooses panels by name, and finds what changed on them since the last visit', async () => {
  const team = await openTeamPage();
  const [one, other] = [team.browser(), team.browser()];
  await team.signIn(one, 'scientistEngland');
  await team.signIn(other, 'scientistWales');
  const first = await (await one.open('/my-panels')).text();
  expect(first).toContain('You have chosen no panel yet.');
  const token = tokenIn(first);
  const added = await one.send('/my-panels', { token, panel: '635' });
  expect([added.status, added.headers.get('location')]).toStrictEqual([303, '/my-panels']);
  // The same panel under its name, or any form of it, is kept once.
  for (const panel of [
    'Inherited breast cancer and ovarian cancer',
    'inherited BREAST cancer and ovarian cancer',
    '635',
  ])
    expect((await one.send('/my-panels', { token, panel })).status).toBe(303);
  const chosen = await (await one.open('/my-panels')).text();
  expect(chosen.match(/name="remove" value="[^"]*"/g)).toStrictEqual(['name="remove" value="635"']);
  const wrong = await one.send('/my-panels', { token, panel: 'Nonsens' });
  expect([wrong.status, await wrong.text()]).toStrictEqual([
    404,
    expect.stringContaining('It was not added'),
  ]);
  team.clock.pass(3_600_000);
  const page = await (await one.open('/my-panels')).text();
  expect(page).toContain('/?panel=635&amp;since=2026-11-20">Changes since your last visit');
  expect(page).toContain('Your last visit was on 20 Nov 2026, 12:00.');
  expect(await (await other.open('/my-panels')).text()).toContain('You have chosen no panel yet.');
  expect((await one.send('/my-panels', { remove: '635' })).status).toBe(403);
  await one.send('/my-panels', { token, remove: '635' });
  expect(await (await one.open('/my-panels')).text()).toContain('You have chosen no panel yet.');
});

test('without a sign-in no panels are kept', async () => {
  const page = await openPage();
  const response = await page.get('/my-panels');
  expect([response.status, await response.text()]).toStrictEqual([
    404,
    expect.stringContaining('keeps panels of people who sign in'),
  ]);
  expect(await page.text('/')).not.toContain('/my-panels');
  page.close();
});
