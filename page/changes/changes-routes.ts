import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hono } from 'hono';
import type { History } from '../../lambdas/history/history.ts';
import type { PageQuery } from '../../lambdas/history/sqlite-pages.ts';
import { indexNextWords } from '../../lambdas/history/sqlite-word-index.ts';
import { byteOrderMark, csvLine, csvOfEvent, eventColumns } from '../../lambdas/messages/csv.ts';
import type { StateFile } from '../../lambdas/state/sqlite-file.ts';
import { eventView } from '../event/event-view.ts';
import { readOpenEvent } from '../event/read-open-event.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { html } from '../frame/html.ts';
import { newestTime } from '../newest-event.ts';
import type { RouteContext } from '../route-context.ts';
import { parametersOf, placeIn, queryOf, readView } from '../view.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { changesView } from './changes-view.ts';
import { createCounter } from './counts.ts';
import { liveStream } from './live.ts';

const PAGE_SIZE = 100;
/** Events that one page looks at for those that match: more would keep polls waiting. */
const EXAMINED = 25_000;
/** Lines of a CSV file: 30 MB. */
const MOST_LINES = 100_000;

/** The stream of changes, its CSV, and what is new in it. */
export function addChangesRoutes(app: Hono, context: RouteContext): void {
  const { file, history, pages, times, clock, signal, status } = context;
  const counter = createCounter(pages);

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
    return context.answer(
      changesView({
        view,
        page,
        counts: counter.counts(query),
        open: open ? eventView(open, view) : null,
        lastAppended: pages.lastAppended(),
        newest: newestTime(pages),
        severalCatalogues: (await context.catalogues()).length > 1,
        ...context.moment(),
      }),
    );
  });

  app.get('/events.csv', async ({ req }) => {
    const view = readView(new URL(req.url).searchParams);
    const query = queryOf(view, times, clock.now());
    if (pages.numbers(query, MOST_LINES + 1).length > MOST_LINES && (await hasMore(history, query))) {
      return context.refuse(
        'Too many changes for one file',
        html`More than ${MOST_LINES.toLocaleString('en-GB')} changes match. Choose a shorter period, or write the file with <code>gene-panel-notifier history --format csv</code>.`,
        413,
      );
    }
    return csvResponse(csvOfEvents(history, query), 'changes');
  });

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
}

/** Whether more events match than a file of the page takes. */
async function hasMore(history: History, query: PageQuery): Promise<boolean> {
  let count = 0;
  const limited = { ...query, limit: MOST_LINES + 1 };
  for await (const _event of yieldingHistory(history).findWithoutRows(limited)) count++;
  return count > MOST_LINES;
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
