import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Browser, Page } from 'playwright-core';
import type { Io } from '../bin/command.ts';
import { startLocalNotifier } from '../bin/local/notifier.ts';
import { recorded } from '../bin/local/recorded-notifier.ts';
import { systemClock as clock } from '../lambdas/clock/clock.ts';
import { minutes, parseInstant } from '../lambdas/clock/instant.ts';
import { anonymous } from '../lambdas/http/access.ts';
import { silentLog } from '../lambdas/log/log.ts';
import { createOutbox } from '../lambdas/notify/outbox.ts';
import { sqliteOutbox } from '../lambdas/notify/sqlite-outbox.ts';
import type { StateFile } from '../lambdas/state/sqlite-file.ts';
import { servePage } from '../page/serve-page.ts';
import { startCatalogue } from '../sandbox/catalogue/start.ts';
import { openChromium } from './open-chromium.ts';

/**
 * Opens every view of the page in a real browser, on saved pages of a catalogue and on the moving sandbox, at three
 * widths, in light and dark: `npm run pictures:page`. Each view is checked by axe, and may ask nothing of another
 * host. The pictures that the guides show are written to docs/images; with a folder as argument, all of them go
 * there, and with names after it (`sandbox-changes`) those views only.
 */
const root = join(import.meta.dirname, '..');
const [everything, ...wanted] = process.argv.slice(2);
const zone = 'Europe/London';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const widths = { phone: [360, 740], tablet: [800, 1000], desktop: [1600, 1000] } as const;
type Width = keyof typeof widths;

/** A view: where it is, and what is done on it before its picture is taken. */
interface Shot {
  readonly name: string;
  readonly address: string;
  readonly act?: (page: Page) => Promise<void>;
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
  /** Polls once more. */
  poll(): Promise<unknown>;
}

/** A page over what a watcher read of a catalogue. */
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
  const page = await servePage({ file: notifier.file, clock, zone, record }, { port: 0 });
  return {
    url: page.url,
    file: notifier.file,
    poll: () => notifier.poll(),
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
      { name: 'unknown-green', address: 'green?r-code=R9999' },
      { name: 'gene', address: 'gene?name=NF1' },
      { name: 'print', address: 'print?since=7d' },
      { name: 'bad-filter', address: '?to=blue' },
      { name: 'missing', address: 'nowhere' },
      { name: 'green', address: 'green', kept: [{ file: 'page-green', width: 'tablet' }] },
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
  } finally {
    await source.close();
  }
}

/** Messages that could not be sent, for the view of the watcher. */
async function failMessages(file: StateFile): Promise<void> {
  const store = sqliteOutbox({ file, now: clock.now });
  const failing = createOutbox(store, { subscription: 'greens', channel: 'slack:lab', now: clock.now });
  await failing.begin({ kind: 'events', events: ['one', 'two'] }, clock.now() - 3_600_000);
  for (const delivery of await failing.deliveries())
    await failing.update({ ...delivery, attempts: 4, notBefore: clock.now() + 480_000 });
  const weekly = createOutbox(store, { subscription: 'weekly', channel: 'teams:lab', now: clock.now });
  const period = { since: '2026-11-09T09:00:00Z', until: '2026-11-16T09:00:00Z' };
  await weekly.begin({ kind: 'digest', period }, clock.now() - 90_000_000);
  for (const delivery of await weekly.deliveries()) await weekly.setAside({ ...delivery, attempts: 13 });
}

/** The address of the first link that a selector finds on a view. */
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
  { address, act, kept = [] }: Shot,
  { width, dark }: { readonly width: Width; readonly dark: boolean },
): Promise<void> {
  const [wide, high] = widths[width];
  const page = await browser.newPage({
    viewport: { width: wide, height: high },
    colorScheme: dark ? 'dark' : 'light',
  });
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

/** What axe finds, each as one line. */
async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger, which the page's Content-Security-Policy does not concern.
  await page.evaluate(axe);
  const found = (await page.evaluate(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary.replace(/\\s+/g, " ").slice(0, 200))]))',
  )) as readonly (readonly [string, readonly string[]])[];
  return found.map(([id, nodes]) => `${id}: ${nodes.slice(0, 3).join(' | ')}`);
}
