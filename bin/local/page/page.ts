import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Clock } from '../../../lambdas/clock/clock.ts';
import { instantOf } from '../../../lambdas/clock/instant.ts';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { type History, HistoryError } from '../../../lambdas/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/history/sqlite.ts';
import { createSqlitePages, type HistoryPages } from '../../../lambdas/history/sqlite-pages.ts';
import { indexNextWords } from '../../../lambdas/history/sqlite-word-index.ts';
import { cleanLine } from '../../../lambdas/messages/clean-text.ts';
import { mailHtml } from '../../../lambdas/messages/mail-html.ts';
import type { Notice } from '../../../lambdas/messages/notice.ts';
import { noticeOfEvent } from '../../../lambdas/messages/notice-of-event.ts';
import { pageAddress } from '../../../lambdas/messages/page-address.ts';
import { panelName } from '../../../lambdas/messages/panel-words.ts';
import { everythingKept } from '../../../lambdas/messages/privacy.ts';
import { timeWords } from '../../../lambdas/messages/time-words.ts';
import { backgroundOf } from '../../../lambdas/notify/background.ts';
import { unsentMessages } from '../../../lambdas/notify/sqlite-unsent.ts';
import type { StateFile } from '../../../lambdas/state/sqlite-file.ts';
import type { PanelChanges } from '../../../lambdas/subscriptions/net-changes.ts';
import { UsageError } from '../../command.ts';
import { byteOrderMark, csvLine, csvOfEvent, eventColumns } from '../../csv.ts';
import { readFilterValues } from '../../filter-options.ts';
import { csvOf } from '../../report/csv.ts';
import { readReport } from '../../report/read-report.ts';
import type { Report } from '../../report/report.ts';
import { changesView } from './changes-view.ts';
import { createCounter } from './counts.ts';
import { eventView, type OpenEvent } from './event-view.ts';
import { type GreenView, greenPageView, greensOf } from './green-view.ts';
import { type Html, html } from './html.ts';
import { type Frame, layout, type PageContent, plainNotice } from './layout.ts';
import { liveStream } from './live.ts';
import { type LocalTimes, localTimes } from './local-times.ts';
import { pageIcon } from './page-icon.ts';
import { pageScript } from './page-script.ts';
import { readPanelHistory } from './panel-history.ts';
import { panelPageView } from './panel-view.ts';
import { pageStyle } from './style/page-style.ts';
import { parametersOf, placeIn, queryOf, readView } from './view.ts';
import type { WatchRecord } from './watch-record.ts';
import { readWatcherState } from './watcher-state.ts';
import { statusView, statusWords, watcherPageView } from './watcher-view.ts';

export interface PageOptions {
  readonly file: StateFile;
  readonly clock: Clock;
  /** The reader's time zone, such as `Europe/London`. */
  readonly zone: string;
  /** Ends the live streams. */
  readonly signal: AbortSignal;
  /** What the watcher of this process did; absent where none runs. */
  readonly record?: WatchRecord;
}

/** What every route of the page uses. */
interface Room {
  readonly options: PageOptions;
  readonly history: History;
  readonly pages: HistoryPages;
  readonly times: LocalTimes;
}

const PAGE_SIZE = 100;
/** Events that one page looks at for those that match: more would keep polls waiting. */
const EXAMINED = 25_000;

const assets = [
  ['/page.css', pageStyle, 'text/css; charset=utf-8'],
  ['/page.mjs', pageScript, 'text/javascript; charset=utf-8'],
  ['/icon.svg', pageIcon, 'image/svg+xml'],
] as const;

/** The page over the history of a state file, as an application that answers requests. */
export function createPage(options: PageOptions): Hono {
  const { file, clock, zone, record } = options;
  const room: Room = {
    options,
    history: createSqliteHistory(file),
    pages: createSqlitePages(file),
    times: localTimes(zone),
  };
  const { history, pages, times } = room;
  const counter = createCounter(pages);
  const app = new Hono();
  const moment = () => ({ times, now: clock.now() });

  const frame = async (): Promise<Frame> => {
    const coverage = await history.coverage();
    return {
      catalogues: [...new Set(coverage.map(({ catalogue }) => catalogue))],
      status: statusView(status(), clock.now()),
    };
  };
  const status = () => statusWords(record, newestTime(pages), moment());
  const answer = async (content: PageContent, code = 200): Promise<Response> =>
    new Response(String(await layout(await frame(), content)), {
      status: code,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  const refusal = (title: string, sentence: string | Html, code: number): Promise<Response> =>
    answer(
      { title, current: 'none', main: plainNotice(title, sentence, html`<a href="/">All changes</a>`) },
      code,
    );

  for (const [path, body, type] of assets) {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    app.get(path, ({ req }) =>
      req.header('if-none-match') === etag
        ? new Response(null, { status: 304, headers: { etag } })
        : new Response(body, { headers: { 'content-type': type, etag, 'cache-control': 'no-cache' } }),
    );
  }

  app.get('/', async ({ req, redirect }) => {
    const given = new URL(req.url).searchParams;
    const view = readView(given);
    // One view has one address: without the empty fields of the form.
    const canonical = parametersOf(view).toString();
    if (canonical !== given.toString()) return redirect(canonical === '' ? '/' : `/?${canonical}`, 302);
    const query = queryOf(view, times, clock.now());
    if (view.words !== '') await indexWords(file);
    const after = view.before === '' ? null : placeIn(view.before);
    const page = pages.page(query, { size: PAGE_SIZE, examined: EXAMINED, ...(after && { after }) });
    const open = view.open === '' ? null : await openEvent(room, view.open);
    return answer(
      changesView({
        view,
        page,
        counts: counter.counts(query),
        open: open ? eventView(open, view) : null,
        lastAppended: pages.lastAppended(),
        newest: newestTime(pages),
        severalCatalogues: (await frame()).catalogues.length > 1,
        ...moment(),
      }),
    );
  });

  app.get('/events.csv', ({ req }) => {
    const view = readView(new URL(req.url).searchParams);
    const query = queryOf(view, times, clock.now());
    return csvAnswer(csvLines(history, query), 'changes');
  });

  app.get('/event/:id/:form', async ({ req, notFound }) => {
    const open = await openEvent(room, req.param('id'));
    if (!open) return notFound();
    if (req.param('form') === 'json') {
      return new Response(open.body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    }
    if (req.param('form') === 'mail') return mailAnswer(open);
    return notFound();
  });

  app.get('/panel/:catalogue/:id', async ({ req }) => {
    const [catalogue, id] = [req.param('catalogue'), Number(req.param('id'))];
    const found = Number.isSafeInteger(id) ? await readPanelHistory(polite(history), catalogue, id) : null;
    if (!found) {
      return refusal(
        'No such panel',
        `The history has no change of a panel ${req.param('id').slice(0, 40)} of “${catalogue.slice(0, 80)}”.`,
        404,
      );
    }
    const newest = newestOf(pages, catalogue, id);
    const about = newest && ({ ...newest, data: { ...newest.data, entity: null } } as PanelEvent);
    return answer({
      title: cleanLine(found.panel.name),
      current: 'none',
      main: panelPageView(
        { id, catalogue, address: about ? pageAddress(about) : null, history: found },
        times,
        instantOf(clock.now()),
      ),
    });
  });

  app.get('/green', async ({ req }) => {
    const view = readGreenView(new URL(req.url).searchParams, times, clock.now());
    const report = await readGreens(room, view);
    const codesOf = ({ catalogue, id }: PanelChanges): string =>
      panelName(newestOf(pages, catalogue, id)?.data.panel ?? null).codes;
    return answer({
      title: 'What turned green',
      current: 'green',
      main: greenPageView(view, { report, codesOf }, moment()),
      bodyClass: 'printable',
    });
  });

  app.get('/green.csv', async ({ req }) => {
    const view = readGreenView(new URL(req.url).searchParams, times, clock.now());
    const report = greensOf(await readGreens(room, view));
    const panels = report.changes.panels.map((panel) => ({
      ...panel,
      promoted: null,
      signedOff: null,
      renamed: null,
    }));
    const text = csvOf({ ...report, changes: { ...report.changes, panels } });
    return csvAnswer([text], `turned-green-${view.from}-${view.to}`);
  });

  app.get('/watcher', async () =>
    answer({
      title: 'Watcher',
      current: 'watcher',
      main: watcherPageView(
        {
          catalogues: await readWatcherState(file, history),
          unsent: unsentMessages(file, clock.now()),
          record,
        },
        moment(),
      ),
    }),
  );

  app.get('/live', ({ req }) => {
    const parameters = new URL(req.url).searchParams;
    const after = Number(req.header('last-event-id') ?? parameters.get('after') ?? Number.NaN);
    parameters.delete('after');
    const view = readView(parameters);
    const stream = liveStream({
      pages,
      clock,
      signal: options.signal,
      after: Number.isSafeInteger(after) && after >= 0 ? after : pages.lastAppended(),
      view,
      status,
    });
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    });
  });

  app.notFound(({ req }) =>
    refusal('No such page', `There is nothing at ${new URL(req.url).pathname.slice(0, 200)}.`, 404),
  );
  app.onError((error) => {
    if (error instanceof UsageError) return refusal('This address cannot be shown', error.message, 400);
    if (error instanceof HistoryError) return refusal('The history cannot be read', error.message, 503);
    throw error;
  });
  return app;
}

/** The newest event of a panel. */
function newestOf(pages: HistoryPages, catalogue: string, panel: number): PanelEvent | undefined {
  return pages.page({ catalogue, filter: { panels: [panel] } }, { size: 1, examined: 1 }).events[0]?.event;
}

function newestTime(pages: HistoryPages): string | null {
  const [newest] = pages.page({}, { size: 1, examined: 1 }).events;
  return newest ? new Date(Number(newest.at / 1000n)).toISOString() : null;
}

/** An event with the words of its messages; null where the history has none of that id. */
async function openEvent({ pages, history, times, options }: Room, id: string): Promise<OpenEvent | null> {
  const body = pages.body(id);
  if (body === null) return null;
  const event = JSON.parse(body) as PanelEvent;
  const background = await backgroundOf(event, history, everythingKept);
  const notice: Notice = noticeOfEvent(event, {
    times: timeWords(times.zone),
    now: new Date(options.clock.now()).toISOString(),
    reason: null,
    background: () => background,
  });
  return { event, body, notice };
}

/** The mail as a page of its own, which a frame shows: its one style sheet is allowed by its digest. */
function mailAnswer({ notice }: OpenEvent): Response {
  const body = mailHtml(notice);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  return new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups`,
    },
  });
}

async function* csvLines(history: History, query: Parameters<History['find']>[0]): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(eventColumns);
  for await (const event of polite(history).findWithoutRows({ ...query, order: 'newest' }))
    yield csvOfEvent(event);
}

function csvAnswer(lines: AsyncIterable<string> | Iterable<string>, name: string): Response {
  return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'no-store',
    },
  });
}

/** Brings the search index up to date, so that polls and other requests of this process go on meanwhile. */
async function indexWords(file: StateFile): Promise<void> {
  while (indexNextWords(file) > 0) await nextTurn();
}

/** Events after which a poll may go on. */
const TURN = 1_000;

/** The history, read so that polls and other requests of this process go on meanwhile. */
function polite(history: History): History {
  return {
    ...history,
    async *findWithoutRows(query) {
      let count = 0;
      for await (const event of history.findWithoutRows(query)) {
        if (++count % TURN === 0) await nextTurn();
        yield event;
      }
    },
  };
}

const GREEN_DAYS = 30;

function readGreenView(parameters: URLSearchParams, times: LocalTimes, now: number): GreenView {
  const known = ['from', 'to', 'panel', 'r-code', 'panel-type'];
  for (const name of parameters.keys()) {
    if (!known.includes(name)) {
      throw new UsageError(
        `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}; expected ${known.join(', ')}.`,
      );
    }
  }
  const one = (name: string): string => (parameters.get(name) ?? '').trim();
  const today = times.day(now);
  const day = (name: string, usual: string): string => {
    const text = one(name) || usual;
    if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
    throw new UsageError(`“${name}” is ${JSON.stringify(text)}; expected a day such as 2026-01-31.`);
  };
  const to = day('to', today);
  const from = day('from', times.day(Number(times.startOf(to, -GREEN_DAYS) / 1000n)));
  if (to < from) throw new UsageError(`The period ends on ${to}, which is before its begin on ${from}.`);
  const type = one('panel-type');
  if (type !== '' && type !== 'gms-signed-off') {
    throw new UsageError(`“panel-type” is ${JSON.stringify(type)}; expected gms-signed-off.`);
  }
  return { from, to, panel: one('panel'), rCode: one('r-code'), signedOff: type !== '' };
}

async function readGreens(
  { history, times }: Room,
  { from, to, panel, rCode, signedOff }: GreenView,
): Promise<Report> {
  const filter = readFilterValues({
    ...(panel !== '' && { panel: [panel] }),
    ...(rCode !== '' && { 'r-code': [rCode] }),
    ...(signedOff && { 'panel-type': ['gms-signed-off'] }),
  });
  const period = { since: times.startOf(from), until: times.startOf(to, 1) };
  const span = { title: `${from} to ${to}`, period, includes: () => true };
  return greensOf(await readReport(polite(history), { ...period, filter }, span));
}
