import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Io } from '../bin/command.ts';
import { startLocalNotifier } from '../bin/local/notifier.ts';
import { openPageAccess } from '../bin/page-access.ts';
import { recorded } from '../bin/poll-until-stopped.ts';
import { anonymous } from '../lambdas/catalogue/http/access.ts';
import { createOutbox } from '../lambdas/notify/outbox.ts';
import { createSqlitePanelStates } from '../lambdas/panels/sqlite-panel-states.ts';
import type { CaseInput } from '../lambdas/questions/impact/read-cases.ts';
import { systemClock as clock } from '../lambdas/run/clock.ts';
import { minutes, parseInstant } from '../lambdas/run/instant.ts';
import { silentLog } from '../lambdas/run/log.ts';
import { createSqliteItems } from '../lambdas/store/items-sqlite.ts';
import type { StateFile } from '../lambdas/store/sqlite-file.ts';
import type { Served } from '../page/listen.ts';
import { type Listening, servePage } from '../page/listen.ts';
import type { PageOptions } from '../page/route-context.ts';
import { startCatalogue } from '../sandbox/catalogue/start.ts';
import { registeredClient, signInThere, startIndependentProvider } from './independent-provider.ts';
import { openChromium } from './open-chromium.ts';

/**
 * Opens every view of the page in a real browser, on saved pages of a catalogue, on the moving sandbox, and as a team that has
 * decided on it, at three widths, in light and dark: `npm run pictures:page`. Each view is checked by axe, and may ask nothing of
 * another host. The pictures that the guides show are written to docs/images; with a folder as argument, all of them go
 * there, and with names after it (`sandbox-changes`) those views only.
 */
const root = join(import.meta.dirname, '..');
const [everything, ...wanted] = process.argv.slice(2);
const zone = 'Europe/London';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const widths = { phone: [360, 740], tablet: [768, 1024], desktop: [1440, 900] } as const;
type Width = keyof typeof widths;

/** A view: where it is, and what is done on it before its picture is taken. */
interface Shot {
  readonly name: string;
  readonly address: string;
  readonly act?: (page: Page) => Promise<void>;
  /** Who opens it; where absent, a user of this machine. */
  readonly as?: BrowserContext;
  /** The picture for docs/images, and how it is taken. */
  readonly kept?: readonly { readonly file: string; readonly width: Width; readonly dark?: boolean }[];
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
  readonly file: StateFile;
  close(): Promise<void>;
  poll(): Promise<unknown>;
  readVersions(panels: readonly number[]): Promise<unknown>;
  /** Serves the same history to others. */
  serve(listening: Listening, people?: Partial<PageOptions>): Promise<Served>;
}

async function openSource(
  catalogue: Awaited<ReturnType<typeof startCatalogue>>,
  name: string,
  from: string,
): Promise<Source> {
  const started = await startLocalNotifier({
    name,
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
    file: notifier.file,
    poll: () => notifier.poll(),
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

const problems: string[] = [];
const browser = await openChromium();
try {
  await mkdir(join(root, 'docs', 'images'), { recursive: true });
  if (everything !== undefined) await mkdir(everything, { recursive: true });
  await onSavedPages();
  await onMovingSandbox();
} finally {
  await browser.close();
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write('axe found nothing; no view asked for anything from outside.\n');

async function onSavedPages(): Promise<void> {
  const from = join(root, 'test', 'fixtures', 'catalogue');
  const source = await openSource(await startCatalogue({ clock, from }), 'uk', '2015-01-01T00:00:00Z');
  try {
    const panel = await firstAddress(browser, source, '.panel h3 a', '?since=all');
    await takeAll('saved', source, [
      { name: 'changes', address: '?since=all' },
      { name: 'panel', address: panel },
      { name: 'empty', address: '' },
      { name: 'green', address: 'green?from=2023-10-01&to=2023-12-01' },
      { name: 'watcher', address: 'watcher' },
    ]);
  } finally {
    await source.close();
  }
}

async function onMovingSandbox(): Promise<void> {
  const from = new Date(clock.now() - 400 * 86_400_000).toISOString();
  const catalogue = await startCatalogue({ clock, seed: 11, history: 3_500 });
  const source = await openSource(catalogue, 'sandbox', from);
  try {
    await failMessages(source.file);
    const open = await firstAddress(browser, source, 'li.event.green:has(.arrow) a.open');
    const panel = await firstAddress(browser, source, '.panel h3 a');
    await takeAll('sandbox', source, [
      { name: 'changes', address: '', kept: [{ file: 'page-changes-phone', width: 'phone' }] },
      {
        name: 'event',
        address: open,
        kept: [
          { file: 'page', width: 'desktop' },
          { file: 'page-dark', width: 'desktop', dark: true },
        ],
      },
      { name: 'mail', address: open.replace('#event', '&show=mail#event') },
      { name: 'slack', address: open.replace('#event', '&show=slack#event') },
      { name: 'teams', address: open.replace('#event', '&show=teams#event') },
      { name: 'json', address: open.replace('#event', '&show=json#event') },
      { name: 'filtered', address: '?to=green&direction=upgraded&direction=new&direction=unknown&since=all' },
      { name: 'nothing', address: '?gene=NOSUCHGENE&since=all' },
      { name: 'no-event', address: '?open=0123' },
      { name: 'unknown', address: '?panel=ataxia' },
      { name: 'unknown-green', address: 'report?show=green&r-code=R9999' },
      { name: 'gene', address: 'gene?name=NF1' },
      { name: 'print', address: 'print?since=7d' },
      { name: 'bad-filter', address: '?to=blue' },
      { name: 'missing', address: 'nowhere' },
      { name: 'green', address: 'report?show=green', kept: [{ file: 'page-green', width: 'tablet' }] },
      { name: 'panel', address: panel, kept: [{ file: 'page-panel', width: 'tablet' }] },
      { name: 'watcher', address: 'watcher' },
      {
        name: 'filters',
        address: '?to=green',
        act: async (page) => {
          const summary = page.locator('.filters summary');
          if (await summary.isVisible()) await summary.press('Enter');
          await page.locator('#f-panel').pressSequentially('a');
          await page.waitForSelector('.choices li');
        },
      },
      {
        name: 'new',
        address: '',
        act: async (page) => {
          // Some actions write no row that stays in the log.
          for (let actions = 0; actions < 5; actions++) catalogue.act();
          await source.poll();
          await page.waitForSelector('#new-changes a');
        },
      },
    ]);
    await asTeam(source);
  } finally {
    await source.close();
  }
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
      cem: { name: 'Cem Example', roles: ['panels-read'] },
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
  const served = await source.serve(
    { ...access.listening, port: Number(port) },
    { ...access.people, cases: await casesOn(source.file, panels) },
  );
  try {
    const [ann, bo, cem] = [await signedIn('ann'), await signedIn('bo'), await signedIn('cem')];
    const entry = await decideTogether(ann, bo);
    const kept = [
      { file: 'page-worklist', width: 'desktop' },
      { file: 'page-worklist-dark', width: 'desktop', dark: true },
      { file: 'page-worklist-phone', width: 'phone' },
    ] as const;
    await takeAll('team', { ...source, url: served.url }, [
      {
        name: 'worklist',
        address: `worklist?state=all&change=now-green&sort=newest&${onPanels}`,
        as: ann,
        kept,
      },
      { name: 'by-panel', address: 'worklist?sort=panel', as: ann },
      { name: 'chosen', address: 'worklist?sort=newest', as: ann, act: chooseSome },
      { name: 'mine', address: 'worklist?assigned=me&state=all', as: bo },
      { name: 'reader', address: 'worklist?state=all', as: cem },
      { name: 'entry', address: entry, as: ann, kept: [{ file: 'page-entry', width: 'tablet' }] },
      { name: 'entry-reader', address: entry, as: cem },
      { name: 'my-panels', address: 'my-panels', as: ann },
      { name: 'changes', address: '', as: ann },
      { name: 'signed-off', address: 'compare', as: ann },
      { name: 'cases', address: 'impact', as: ann },
      { name: 'impact', address: 'impact', as: ann, act: compareCases },
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

async function chooseSome(page: Page): Promise<void> {
  for (const box of (await page.locator('li.entry > input').all()).slice(0, 2)) await box.check();
}

async function compareCases(page: Page): Promise<void> {
  const buffer = Buffer.from('case,panel,date\n26.01234,R344,2026-11-02\n26.01235,R344,2026-11-20\n');
  await page.getByLabel('File of cases').setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('cases compared').waitFor();
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

/** Some cases that were analysed with each of these panels, at an earlier version. */
async function casesOn(file: StateFile, panels: readonly number[]): Promise<CaseInput> {
  const states = createSqlitePanelStates({ file, catalogue: 'sandbox', now: clock.now });
  const lines = ['case,panel,version'];
  for (const [at, panel] of panels.entries()) {
    const earlier = (await states.versions(panel)).at(-30);
    for (let number = 0; number < 2 + 3 * at; number++)
      lines.push(`26.0${at}${number},${panel},${earlier?.version}`);
  }
  return { name: 'cases.csv', format: 'csv', open: () => Readable.from([Buffer.from(lines.join('\n'))]) };
}

/** Messages that could not be sent, for the view of the watcher. */
async function failMessages(file: StateFile): Promise<void> {
  const store = createSqliteItems(file, { what: 'the messages', now: clock.now });
  for (const id of ['greens#slack:lab', 'weekly#teams:lab'])
    await store.create({ partition: 'notify#recipients', id, value: null });
  const failing = createOutbox(store, { subscription: 'greens', channel: 'slack:lab', now: clock.now });
  await failing.begin({ kind: 'events', events: ['one', 'two'] }, clock.now() - 3_600_000);
  for (const delivery of await failing.deliveries())
    await failing.update({ ...delivery, attempts: 4, notBefore: clock.now() + 480_000 });
  const weekly = createOutbox(store, { subscription: 'weekly', channel: 'teams:lab', now: clock.now });
  const period = { since: '2026-11-09T09:00:00Z', until: '2026-11-16T09:00:00Z' };
  await weekly.begin({ kind: 'digest', period }, clock.now() - 90_000_000);
  for (const delivery of await weekly.deliveries()) await weekly.setAside({ ...delivery, attempts: 13 });
}

async function firstAddress(within: Browser, { url }: Source, selector: string, view = ''): Promise<string> {
  const page = await within.newPage();
  await page.goto(new URL(view, url).href);
  const address = await page.locator(selector).first().getAttribute('href');
  await page.close();
  if (address === null) throw new Error(`Nothing on ${url} matches ${selector}`);
  return address.replace(/^\//, '');
}

async function takeAll(of: string, source: Source, shots: readonly Shot[]): Promise<void> {
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.includes(`${of}-${shot.name}`)) continue;
    for (const width of Object.keys(widths) as Width[]) {
      for (const dark of [false, true]) {
        // axe looks at each view in both schemes and at each width, though not at every pair of them.
        const isLooked = width === 'desktop' ? dark : !dark;
        const isKept = shot.kept?.some((each) => each.width === width && (each.dark ?? false) === dark);
        if (isLooked || isKept || everything !== undefined) {
          await take(`${of}-${shot.name}`, source, shot, { width, dark });
        }
      }
    }
  }
}

async function take(
  name: string,
  { url }: Source,
  { address, act, as, kept = [] }: Shot,
  { width, dark }: { readonly width: Width; readonly dark: boolean },
): Promise<void> {
  const [wide, high] = widths[width];
  const page = await (as ? as.newPage() : browser.newPage({ locale: 'en-GB' }));
  await page.setViewportSize({ width: wide, height: high });
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) problems.push(`${name}: asks for ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      problems.push(`${name}: ${message.text()}`);
  });
  await page.goto(new URL(address, url).href);
  await act?.(page);
  await page.waitForFunction('document.readyState === "complete"');
  const label = `${name}-${width}${dark ? '-dark' : ''}`;
  problems.push(...(await violations(page)).map((each) => `${label}: ${each}`));
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  if (Number(overflow) > 0) problems.push(`${label}: is ${overflow} pixels wider than the screen`);
  const png = await page.screenshot({ fullPage: false });
  const files = kept.filter((each) => each.width === width && (each.dark ?? false) === dark);
  for (const { file } of files) await writeFile(join(root, 'docs', 'images', `${file}.png`), png);
  for (const { file } of files) process.stdout.write(`docs/images/${file}.png, ${png.length} bytes\n`);
  if (everything !== undefined) await writeFile(join(everything, `${label}.png`), png);
  if (everything !== undefined && name.endsWith('-green') && label.endsWith('-tablet'))
    await page.pdf({ path: join(everything, `${label}.pdf`), format: 'A4' });
  await page.close();
}

async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger, which the page's Content-Security-Policy does not concern.
  await page.evaluate(axe);
  const found = (await page.evaluate(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary.replace(/\\s+/g, " ").slice(0, 200))]))',
  )) as readonly (readonly [string, readonly string[]])[];
  return found.map(([id, nodes]) => `${id}: ${nodes.slice(0, 3).join(' | ')}`);
}
