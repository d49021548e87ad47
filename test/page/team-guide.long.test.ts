import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { openPeopleFile, partitions } from '../../page/sign-in/people-file.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { selfSigned } from '../../sandbox/http.ts';
import {
  registeredClient,
  signInThere,
  startIndependentProvider,
} from '../../scripts/independent-provider.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { freePort } from '../aws/emulator.ts';
import { runCommand, words } from '../bin/run-command.ts';
import { newFolder } from '../new-folder.ts';

/** The guide of the team, followed in a browser: its settings, its command, and what it says of people. */

const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guides', 'team.md'), 'utf8');
const inGuide = {
  settings: /`sign-in\.json`:\n\n```json\n([\s\S]+?)```/.exec(guide)?.[1] ?? '',
  command: / npx gene-panel-notifier (page --sign-in .*--certificate .*)\n/.exec(guide)?.[1] ?? '',
  ending: /npx gene-panel-notifier (page --end-sessions all)\n/.exec(guide)?.[1] ?? '',
};
const DAY = 86_400_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
beforeEach(() => {
  // The provider warns that its keys and memory are those of a quick start, which is what they are.
  for (const level of ['warn', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterAll(() => browser.close());

/** The page as the guide sets it up, with files in a folder of its own. */
async function followGuide() {
  const folder = newFolder();
  const [state, people] = [join(folder, 'state'), join(folder, 'page-people')];
  const catalogue = await startCatalogue({ clock, seed: 11, history: 1_000 });
  const from = new Date(clock.now() - 400 * DAY).toISOString();
  const polled = await runCommand(words`poll --only log --catalogue ${catalogue.url} --state ${state} --from
    ${from}`);
  expect(polled.code, polled.stderr).toBe(0);
  await catalogue.close();

  const port = await freePort();
  const origin = `https://localhost:${port}`;
  const anyCertificate = new Agent({ connect: { rejectUnauthorized: false } });
  const provider = await startIndependentProvider({
    origin,
    accounts: {
      ann: { name: 'Ann Example', roles: ['panels-decide'] },
      bo: { name: 'Bo Example', roles: ['panels-decide'] },
      cem: { name: 'Cem Example', roles: ['panels-read'] },
    },
    fetch: async (url, { body, headers } = {}) => {
      const sent = { method: 'POST', body: String(body), headers: Object.fromEntries(new Headers(headers)) };
      const { status } = await fetch(String(url), { ...sent, dispatcher: anyCertificate });
      return new Response(null, { status });
    },
  });
  const settings = inGuide.settings
    .replace('https://panels.example.org', origin)
    .replace('https://login.example.org/realms/hospital', provider.issuer);
  writeFileSync(join(folder, 'sign-in.json'), settings);
  const { cert, key } = selfSigned({
    host: 'localhost',
    from: new Date(clock.now() - DAY),
    until: new Date(clock.now() + DAY),
  });
  writeFileSync(join(folder, 'page.pem'), cert);
  writeFileSync(join(folder, 'page.key'), key);
  const args = inGuide.command
    .replace('--port 443', `--port ${port}`)
    .replace(/(sign-in\.json|page\.pem|page\.key)/g, (file) => join(folder, file))
    .split(' ');
  const stopping = new AbortController();
  const { promise: isServed, resolve } = Promise.withResolvers<void>();
  const running = runCommand([...args, '--state', state, '--people', people], {
    env: { PAGE_CLIENT_SECRET: registeredClient.secret },
    signal: stopping.signal,
    onMessage: (text) => text.includes('Serving what') && resolve(),
  });
  await Promise.race([isServed, running.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  onTestFinished(async () => {
    stopping.abort();
    await running;
    provider.close();
    await anyCertificate.close();
  });
  return { origin, people, provider };
}

async function signedIn(origin: string, login: string): Promise<Page> {
  const page = await browser.newPage({ ignoreHTTPSErrors: true, javaScriptEnabled: false });
  onTestFinished(() => page.close());
  await page.goto(`${origin}/worklist`);
  await signInThere(page, login);
  return page;
}

/** The provider's own sessions of the people who are signed in to the page, by account. */
async function sessionsIn(people: string): Promise<ReadonlyMap<string, string>> {
  const file = openPeopleFile(clock.now, people);
  const kept = await file.items.list(partitions.sessions);
  file.close();
  const sessions = kept.map(({ value }) => sessionSchema.parse(value));
  return new Map(sessions.map(({ person, providerSession }) => [person.account, providerSession]));
}
const sessionSchema = z.object({ person: z.object({ account: z.string() }), providerSession: z.string() });

test('the guide of the team is followed in browsers, with a provider that others wrote', async () => {
  const { origin, people, provider } = await followGuide();
  const shown = (page: Page) => page.locator('body').innerText();
  const audit = () =>
    readFileSync(join(people, 'audit.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): { readonly action: string; readonly entry?: string } => JSON.parse(line));

  const nora = await signedIn(origin, 'nora');
  expect(await shown(nora)).toContain('has no role here');
  const cem = await signedIn(origin, 'cem');
  expect(await shown(cem)).toMatch(/Cem Example\n[\s\S]*\d+ entries/);
  expect(await cem.getByRole('button', { name: 'Decide' }).count()).toBe(0);
  const [ann, bo] = [await signedIn(origin, 'ann'), await signedIn(origin, 'bo')];

  // My panels
  const panel = (await ann.locator('li.entry .place a').first().innerText()).trim();
  await ann.getByRole('link', { name: 'My panels' }).click();
  await ann.getByRole('textbox', { name: 'Panel' }).fill(panel);
  await ann.getByRole('button', { name: 'Add' }).click();
  await ann.locator('main').getByRole('link', { name: 'Worklist' }).click();
  const places = await ann.locator('li.entry .place a').allInnerTexts();
  expect(new Set(places)).toStrictEqual(new Set([panel]));

  // Decisions
  await ann.locator('li.entry h3 a').first().click();
  const entry = new URL(ann.url()).pathname.split('/').at(-1);
  await ann.getByLabel('Comment').fill('Asked the clinic');
  await ann.getByRole('button', { name: 'Comment' }).click();
  await ann.getByLabel('Person').fill('Bo Example');
  await ann.getByRole('button', { name: 'Assign', exact: true }).click();
  expect(await shown(ann)).toContain('now assigned to Bo Example (bo)');
  await bo.goto(`${origin}/worklist?state=all`);
  await bo.getByRole('link', { name: 'Mine' }).click();
  await bo.locator('li.entry h3 a').click();
  expect(await shown(bo)).toContain('Asked the clinic');
  await bo.getByLabel('State').selectOption('re-analyse');
  await bo.getByLabel('Reason').fill('Two cases');
  await bo.getByRole('button', { name: 'Decide' }).click();
  expect(await shown(bo)).toContain('\nDecided\n');
  await cem.goto(`${origin}/worklist/${entry}`);
  expect(await shown(cem)).toMatch(/re-analyse, Bo Example \(bo\)[\s\S]*Two cases/);
  const noted = audit().filter((line) => line.entry === entry);
  expect(noted.map(({ action }) => action)).toStrictEqual([
    ...['comments', 'commented', 'assigns', 'assigned', 'decides', 'decided'],
  ]);
  for (const file of ['audit.ndjson', 'people.sqlite'])
    expect(statSync(join(people, file)).mode & 0o777).toBe(0o600);

  // Keycloak, 3: a sign-out at the provider ends the session of the page at once.
  await provider.endSession('ann', (await sessionsIn(people)).get('ann') ?? '');
  expect([...(await sessionsIn(people)).keys()].toSorted()).toStrictEqual(['bo', 'cem']);

  // How it is kept safe: who runs the page ends all sessions.
  const ended = await runCommand([...inGuide.ending.split(' '), '--people', people]);
  expect(ended.stdout).toBe('2 sessions ended\n');
  await bo.context().clearCookies({ domain: new URL(provider.issuer).hostname });
  await bo.goto(`${origin}/worklist`);
  expect(new URL(bo.url()).origin).toBe(provider.issuer);
});
