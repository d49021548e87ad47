import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programQuestions, questions } from '../../lambdas/questions/all.ts';
import type { Question } from '../../lambdas/questions/question.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { createPage } from '../../page/page.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { type OpenedPage, openPage } from './open-page.ts';

const names: Readonly<Record<string, string>> = {
  panel: 'Nonsens',
  'r-code': 'R999',
  gene: 'NOSUCH1',
  tag: 'nosuchtag',
  actor: 'Jane Nowhere',
  'panel-type': 'nonsens',
  catalogue: 'nosuch',
};
const each = (path: string, parts: readonly string[] = Object.keys(names)): readonly string[] =>
  parts.map((part) => `${path}?${new URLSearchParams({ [part]: names[part] ?? '' })}`);
const unreadDays = 'since=2001-01-01&until=2001-02-01';

interface AskedView {
  /** Addresses that name what does not exist. */
  readonly nonexistent: readonly string[];
  /** Addresses that ask for a time that was not read; a text says why a view has no time. */
  readonly unread: readonly string[] | string;
}

/** The addresses of a question: its options are those of its declaration. */
const viewsOf = (
  { name, options }: Question,
  isOnPage: boolean,
): readonly (readonly [string, AskedView])[] => {
  const parts = Object.keys(names).filter((part) => part === 'catalogue' || Object.hasOwn(options, part));
  const unread = Object.hasOwn(options, 'since')
    ? [unreadDays]
    : Object.hasOwn(options, 'version') && ['panel=635&version=0.1'];
  const paths = [`/api/${name}`, `/api/${name}.ndjson`, ...(isOnPage ? [`/${name}`, `/${name}.csv`] : [])];
  return paths.map((path) => [
    path,
    {
      nonexistent: each(path, parts),
      unread: unread ? unread.map((asked) => `${path}?${asked}`) : 'it asks for no time',
    },
  ]);
};
const ofQuestions = await Promise.all(
  Object.entries(programQuestions).map(async ([name, load]) =>
    viewsOf((await load()).question, Object.hasOwn(questions, name)),
  ),
);

/** Every view of the page, by its route; a text says why it says nothing about changes. */
const views: Readonly<Record<string, AskedView | string>> = {
  '/': { nonexistent: each('/'), unread: [`/?${unreadDays}`, `/?panel=635&${unreadDays}`] },
  '/print': { nonexistent: each('/print'), unread: [`/print?${unreadDays}`] },
  '/events.csv': { nonexistent: each('/events.csv'), unread: [`/events.csv?${unreadDays}`] },
  '/live': { nonexistent: each('/live'), unread: 'shows what comes from now on' },
  '/state/files': {
    nonexistent: each('/state/files', ['panel', 'r-code', 'catalogue']),
    unread: ['/state/files?panel=635&version=0.1'],
  },
  '/state/files/:format': {
    nonexistent: each('/state/files/seqr', ['panel', 'r-code', 'catalogue']),
    unread: ['/state/files/seqr?panel=635&version=0.1'],
  },
  ...Object.fromEntries(ofQuestions.flat()),
  '/api/openapi.json': 'describes the addresses for programs',
  '/gene': { nonexistent: ['/gene?name=NOSUCH1'], unread: 'lists the panels that were read' },
  '/gene.csv': { nonexistent: ['/gene.csv?name=NOSUCH1'], unread: 'lists the panels that were read' },
  '/panel/:catalogue/:id/contents.csv': {
    nonexistent: ['/panel/uk/999/contents.csv', '/panel/nosuch/635/contents.csv'],
    unread: ['/panel/uk/635/contents.csv?version=0.1'],
  },
  '/panel/:catalogue/:id': {
    nonexistent: ['/panel/uk/999', '/panel/nosuch/635'],
    unread: ['/panel/uk/635?version=0.1'],
  },
  '/worklist': {
    nonexistent: each('/worklist', ['panel', 'gene', 'r-code']),
    unread: 'lists every change that matters, and says what was not read',
  },
  '/worklist.csv': {
    nonexistent: each('/worklist.csv', ['panel', 'gene', 'r-code']),
    unread: 'lists every change that matters, and says what was not read',
  },
  '/worklist/report': {
    nonexistent: each('/worklist/report', ['panel', 'gene', 'r-code']),
    unread: 'lists every change that matters, and says what was not read',
  },
  '/worklist/:id': { nonexistent: ['/worklist/abc'], unread: 'one entry' },
  '/worklist/decide': 'takes a form',
  '/worklist/assign': 'takes a form',
  '/worklist/comment': 'takes a form',
  '/impact': 'takes a file of cases',
  '/my-panels': 'lists what a person chose',
  '/programs': 'lists the tokens of a person',
  '/event/:id/:form': { nonexistent: ['/event/abc/json'], unread: 'one event' },
  '/names': 'completes what a person types',
  '/watcher': 'says what was read',
  '/watcher/ask-again': 'takes a form',
};
const assets = /^\/(?:page\.css|icon\.svg|browser\/.*)$/;

let page: OpenedPage;
beforeAll(async () => {
  page = await openPage([turnedGreen({ panel: breast, time: '2026-11-20T09:00:00.000000Z' })]);
  const read = {
    since: parseInstant('2026-11-18T12:00:00Z') ?? 0n,
    until: parseInstant('2026-11-21T12:00:00Z') ?? 0n,
  };
  await createSqliteHistory(page.file).append([], { catalogue: 'uk', ...read });
});
afterAll(() => page.close());

test('every view is asked, or says why it need not be', () => {
  const file = openStateFile();
  const { routes } = createPage({ file, clock: systemClock, zone: 'UTC', signal: AbortSignal.abort() });
  file.close();
  const paths = [...new Set(routes.map(({ path }) => path))].filter(
    (path) => path !== '/*' && !assets.test(path),
  );
  expect(paths.sort()).toStrictEqual(Object.keys(views).sort());
});

const asked = Object.values(views).filter((view) => typeof view !== 'string');
const allClear = /Nothing matches|No change was made|turned green, and none|<b>0<\/b> (?:changes|now)/;

describe('a name that does not exist gives no all-clear', () => {
  test.each(asked.flatMap(({ nonexistent }) => nonexistent))('%s', async (address) => {
    const response = await page.get(address);
    const text = await response.text();
    expect(response.status, text).toBe(404);
    expect(text).toMatch(
      /\b[Nn]o (?:panel|gene|event|catalogue|such entry|change of a panel|state of version)\b|nothing at/i,
    );
    expect(text).not.toMatch(allClear);
  });
});

describe('a time that was not read is not said to be quiet', () => {
  test.each(asked.flatMap(({ unread }) => (typeof unread === 'string' ? [] : unread)))(
    '%s',
    async (address) => {
      const text = await (await page.get(address)).text();
      expect(text).toMatch(/not read|othing of this period was read|is not kept|unknown here|no version of/);
      expect(text).not.toMatch(allClear);
    },
  );
});
