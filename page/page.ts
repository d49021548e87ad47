import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { instantOf } from '../lambdas/clock/instant.ts';
import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { type History, HistoryError } from '../lambdas/history/history.ts';
import { createSqliteHistory } from '../lambdas/history/sqlite.ts';
import { createSqlitePages, type HistoryPages } from '../lambdas/history/sqlite-pages.ts';
import { indexNextWords } from '../lambdas/history/sqlite-word-index.ts';
import { cleanLine } from '../lambdas/messages/clean-text.ts';
import { byteOrderMark, csvLine, csvOfEvent, eventColumns } from '../lambdas/messages/csv.ts';
import { pageAddress } from '../lambdas/messages/page-address.ts';
import { panelName } from '../lambdas/messages/panel-words.ts';
import { unsentMessages } from '../lambdas/notify/sqlite-unsent.ts';
import type { StateFile } from '../lambdas/state/sqlite-file.ts';
import type { PanelChanges } from '../lambdas/subscriptions/net-changes.ts';
import { AddressError } from './address-error.ts';
import { changesView } from './changes/changes-view.ts';
import { createCounter } from './changes/counts.ts';
import { liveStream } from './changes/live.ts';
import { parametersOf, placeIn, queryOf, readView } from './changes/view.ts';
import { eventView } from './event/event-view.ts';
import { mailResponse } from './event/mail-response.ts';
import { readOpenEvent } from './event/read-open-event.ts';
import { addAssetRoutes } from './frame/asset-routes.ts';
import { csvResponse } from './frame/csv-response.ts';
import { type Html, html } from './frame/html.ts';
import { type Frame, layout, type PageContent, plainNotice } from './frame/layout.ts';
import { localTimes } from './frame/local-times.ts';
import { readGreenQuery } from './green/green-query.ts';
import { greenCsvOf, readGreenReport } from './green/green-report.ts';
import { greenPageView } from './green/green-view.ts';
import { readPanelHistory } from './panel/panel-history.ts';
import { panelPageView } from './panel/panel-view.ts';
import type { PageOptions, RouteContext } from './route-context.ts';
import { readWatcherState } from './watcher/watcher-state.ts';
import { statusView, statusWords, watcherPageView } from './watcher/watcher-view.ts';
import { yieldingHistory } from './yielding-history.ts';

const PAGE_SIZE = 100;
/** Events that one page looks at for those that match: more would keep polls waiting. */
const EXAMINED = 25_000;

/** The page over the history of a state file, as an application that answers requests. */
export function createPage(options: PageOptions): Hono {
  const { file, clock, zone, record, signal } = options;
  const context: RouteContext = {
    ...options,
    history: createSqliteHistory(file),
    pages: createSqlitePages(file),
    times: localTimes(zone),
  };
  const { history, pages, times } = context;
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

  addAssetRoutes(app);

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
    const open = view.open === '' ? null : await readOpenEvent(context, view.open);
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
    return csvResponse(csvOfEvents(history, query), 'changes');
  });

  app.get('/event/:id/:form', async ({ req, notFound }) => {
    const open = await readOpenEvent(context, req.param('id'));
    if (!open) return notFound();
    if (req.param('form') === 'json') {
      return new Response(open.body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    }
    if (req.param('form') === 'mail') return mailResponse(open.notice);
    return notFound();
  });

  app.get('/panel/:catalogue/:id', async ({ req }) => {
    const [catalogue, id] = [req.param('catalogue'), Number(req.param('id'))];
    const found = Number.isSafeInteger(id)
      ? await readPanelHistory(yieldingHistory(history), catalogue, id)
      : null;
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
    const query = readGreenQuery(new URL(req.url).searchParams, times, clock.now());
    const report = await readGreenReport(yieldingHistory(history), query, times);
    const codesOf = ({ catalogue, id }: PanelChanges): string =>
      panelName(newestOf(pages, catalogue, id)?.data.panel ?? null).codes;
    return answer({
      title: 'What turned green',
      current: 'green',
      main: greenPageView(query, { report, codesOf }, moment()),
      bodyClass: 'printable',
    });
  });

  app.get('/green.csv', async ({ req }) => {
    const query = readGreenQuery(new URL(req.url).searchParams, times, clock.now());
    const report = await readGreenReport(yieldingHistory(history), query, times);
    return csvResponse([greenCsvOf(report)], `turned-green-${query.from}-${query.to}`);
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
      signal,
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
    if (error instanceof AddressError) return refusal('This address cannot be shown', error.message, 400);
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

/** The matching events as CSV, newest first. */
async function* csvOfEvents(history: History, query: Parameters<History['find']>[0]): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(eventColumns);
  for await (const event of yieldingHistory(history).findWithoutRows({ ...query, order: 'newest' }))
    yield csvOfEvent(event);
}

/** Brings the search index up to date, so that polls and other requests of this process go on meanwhile. */
async function indexWords(file: StateFile): Promise<void> {
  while (indexNextWords(file) > 0) await nextTurn();
}
