import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { BrowserContext, Page } from 'playwright-core';
import type { Io } from '../bin/command.ts';
import { startLocalNotifier } from '../bin/local/notifier.ts';
import { openPageAccess } from '../bin/page-access.ts';
import { recorded } from '../bin/poll-until-stopped.ts';
import { anonymous } from '../lambdas/catalogue/http/access.ts';
import { systemClock as clock } from '../lambdas/run/clock.ts';
import { minutes, parseInstant } from '../lambdas/run/instant.ts';
import { silentLog } from '../lambdas/run/log.ts';
import type { Served } from '../page/listen.ts';
import { type Listening, servePage } from '../page/listen.ts';
import type { PageOptions } from '../page/route-context.ts';
import { startCatalogue } from '../sandbox/catalogue/start.ts';
import { registeredClient, signInThere, startIndependentProvider } from './independent-provider.ts';
import { openChromium } from './open-chromium.ts';

/**
 * Takes the pictures of the page that the guides show, in a real browser, of the sandbox, and of a team that has decided on it, into
 * docs/images: `npm run pictures:page`.
 */
const images = join(import.meta.dirname, '..', 'docs', 'images');
const zone = 'Europe/London';

const widths = { phone: [360, 740], tablet: [768, 1024], desktop: [1440, 900] } as const;

/** A picture: of which view, and how it is taken. */
interface Picture {
  readonly file: string;
  readonly address: string;
  readonly width: keyof typeof widths;
  readonly dark?: boolean;
  /** Who opens it; where absent, a user of this machine. */
  readonly as?: BrowserContext;
}

const io: Io = {
  stdin: Readable.from([]),
  stdout: new PassThrough().resume(),
  stderr: new PassThrough().resume(),
  env: {},
  clock,
  signal: new AbortController().signal,
};

interface Source {
  readonly url: string;
  close(): Promise<void>;
  readVersions(panels: readonly number[]): Promise<unknown>;
  /** Serves the same history to others. */
  serve(listening: Listening, people?: Partial<PageOptions>): Promise<Served>;
}

async function openSource(
  catalogue: Awaited<ReturnType<typeof startCatalogue>>,
  from: string,
): Promise<Source> {
  const started = await startLocalNotifier({
    name: 'sandbox',
    url: catalogue.url,
    access: anonymous,
    overlap: minutes(60),
    from: parseInstant(from) ?? 0n,
    learnSince: 0n,
    publisher: { publish: async () => [] },
    log: silentLog,
    io,
  });
  const { notifier, record } = recorded(started, { clock, every: 60 });
  await notifier.poll();
  await notifier.sweep();
  const serve: Source['serve'] = (listening, people) =>
    servePage({ file: notifier.file, clock, zone, record, ...people }, listening);
  const page = await serve({ port: 0 });
  return {
    url: page.url,
    async readVersions(panels) {
      await notifier.prove({ fromStart: panels });
      await notifier.sweep();
      await notifier.prove();
    },
    serve,
    async close() {
      await page.close();
      await notifier.close();
      await catalogue.close();
    },
  };
}

const browser = await openChromium();
try {
  await mkdir(images, { recursive: true });
  const from = new Date(clock.now() - 400 * 86_400_000).toISOString();
  const source = await openSource(await startCatalogue({ clock, seed: 11, history: 3_500 }), from);
  try {
    const event = await firstAddress(source, 'li.event.green:has(.arrow) a.open');
    const panel = await firstAddress(source, '.panel h3 a');
    await takeAll(source, [
      { file: 'page-changes-phone', address: '', width: 'phone' },
      { file: 'page', address: event, width: 'desktop' },
      { file: 'page-dark', address: event, width: 'desktop', dark: true },
      { file: 'page-green', address: 'report?show=green', width: 'tablet' },
      { file: 'page-panel', address: panel, width: 'tablet' },
    ]);
    await asTeam(source);
  } finally {
    await source.close();
  }
} finally {
  await browser.close();
}

/** A team signs in by a provider and decides in their browsers; then what each of them sees. */
async function asTeam(source: Source): Promise<void> {
  const reserved = await source.serve({ port: 0 });
  await reserved.close();
  const { origin, port } = new URL(reserved.url);
  const provider = await startIndependentProvider({
    origin,
    accounts: {
      ann: { name: 'Ann Example', roles: ['panels-decide'] },
      bo: { name: 'Bo Example', roles: ['panels-decide'] },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'picture-page-'));
  const settings = join(folder, 'sign-in.json');
  await writeFile(
    settings,
    JSON.stringify({
      address: origin,
      provider: { issuer: provider.issuer, clientId: registeredClient.id },
      roles: { claim: 'roles', reader: ['panels-read'], decider: ['panels-decide'] },
    }),
  );
  const secret = { PAGE_CLIENT_SECRET: registeredClient.secret };
  const options = { 'sign-in': settings, people: join(folder, 'people') };
  const access = await openPageAccess(options, { ...io, env: secret });
  const panels = await newestGreenPanels(source);
  const onPanels = panels.map((panel) => `panel=${panel}`).join('&');
  await source.readVersions(panels);
  const served = await source.serve({ ...access.listening, port: Number(port) }, access.people);
  try {
    const [ann, bo] = [await signedIn('ann'), await signedIn('bo')];
    const entry = await decideTogether(ann, bo);
    const worklist = {
      address: `worklist?state=all&change=now-green&sort=newest&${onPanels}`,
      as: ann,
    } as const;
    await takeAll(served, [
      { ...worklist, file: 'page-worklist', width: 'desktop' },
      { ...worklist, file: 'page-worklist-dark', width: 'desktop', dark: true },
      { ...worklist, file: 'page-worklist-phone', width: 'phone' },
      { file: 'page-entry', address: entry, as: ann, width: 'tablet' },
    ]);
  } finally {
    await served.close();
    access.close();
    provider.close();
    await rm(folder, { recursive: true });
  }

  async function signedIn(login: string): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${origin}/worklist`);
    await signInThere(page, login);
    await page.close();
    return context;
  }

  /** Ann decides and assigns, Bo answers, as people do; returns the address of the entry that both of them worked on. */
  async function decideTogether(ann: BrowserContext, bo: BrowserContext): Promise<string> {
    const page = await ann.newPage();
    for (const panel of panels) {
      await page.goto(`${origin}/my-panels`);
      await page.getByRole('combobox', { name: 'Panel' }).fill(String(panel));
      await page.getByRole('button', { name: 'Add' }).click();
    }
    await page.goto(`${origin}/worklist?sort=newest&change=now-green&${onPanels}`);
    const entries = await page
      .locator('li.entry h3 a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const [hard = '', second = '', third = '', fourth = ''] = entries;
    await open(page, hard);
    await page.getByLabel('Comment').fill('Asked the clinic whether both families agree to a new report.');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.getByLabel('Person').fill('Bo Example');
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await decide(page, second, ['no-action', 'No case was analysed with this panel before the change.']);
    await decide(page, third, ['re-analyse', 'Two open cases; the first is planned for this week.']);
    await decide(page, fourth, ['wait-for-sign-off', 'Counts for us with the next sign-off.']);
    await page.close();
    const other = await bo.newPage();
    await other.goto(`${origin}/worklist?assigned=me`);
    await other.locator('li.entry h3 a').first().click();
    await other.getByLabel('Comment').fill('Both agree. I start today.');
    await other.getByRole('button', { name: 'Comment' }).click();
    await decide(other, hard, ['re-analyse', 'Both families agree to a new report.']);
    await other.close();
    return hard.slice(1);
  }

  async function decide(page: Page, entry: string, [state, why]: readonly [string, string]): Promise<void> {
    await open(page, entry);
    await page.getByLabel('State').selectOption(state);
    await page.getByLabel('Reason').fill(why);
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('heading', { name: 'Decided' }).waitFor();
  }

  async function open(page: Page, entry: string): Promise<void> {
    await page.goto(`${origin}${entry}`);
  }
}

/** The panels on which genes turned green last. */
async function newestGreenPanels({ url }: Source): Promise<readonly number[]> {
  const page = await browser.newPage();
  await page.goto(`${url}worklist?sort=newest&change=now-green&since=7d`);
  const links = await page.locator('li.entry .place a').all();
  const found = await Promise.all(links.map((link) => link.getAttribute('href')));
  await page.close();
  return [...new Set(found.map((address) => Number(address?.split('/').at(-1))))].slice(0, 3);
}

async function firstAddress({ url }: Source, selector: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  const address = await page.locator(selector).first().getAttribute('href');
  await page.close();
  if (address === null) throw new Error(`Nothing on ${url} matches ${selector}`);
  return address.replace(/^\//, '');
}

async function takeAll({ url }: Pick<Source, 'url'>, pictures: readonly Picture[]): Promise<void> {
  for (const { file, address, width, dark = false, as } of pictures) {
    const [wide, high] = widths[width];
    const page = await (as ? as.newPage() : browser.newPage({ locale: 'en-GB' }));
    await page.setViewportSize({ width: wide, height: high });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(new URL(address, url).href);
    await page.waitForFunction('document.readyState === "complete"');
    const png = await page.screenshot({ fullPage: false });
    await writeFile(join(images, `${file}.png`), png);
    process.stdout.write(`docs/images/${file}.png, ${png.length} bytes\n`);
    await page.close();
  }
}
