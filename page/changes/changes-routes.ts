import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hono } from 'hono';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import { unreadLimits } from '../../lambdas/questions/answer-limits.ts';
import { csv } from '../../lambdas/questions/documents.ts';
import { question } from '../../lambdas/questions/history.ts';
import type { Limit } from '../../lambdas/questions/question.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import { type History, placeIn, textMatcher } from '../../lambdas/store/history/history.ts';
import {
  howMuchWasRead,
  nothingFoundWords,
  type ReadPart,
  readWords,
} from '../../lambdas/store/history/read-part.ts';
import { indexNextWords } from '../../lambdas/store/history/sqlite-event-index.ts';
import type {
  EventPage,
  HistoryPages,
  PageQuery,
  PlacedEvent,
} from '../../lambdas/store/history/sqlite-pages.ts';
import { namesFoundToo } from '../../lambdas/store/history/unknown-names.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import { type Html, html, type Moment } from '../html.ts';
import { unreadView } from '../layout.ts';
import { isAllUnknown, unknownNames } from '../names.ts';
import { csvResponse } from '../read-address.ts';
import { newestTime, type RouteContext, type StatusWords } from '../route-context.ts';
import { addressOf, parametersOf, periods, queryOf, readView, type View } from '../view.ts';
import { changesView, titleOf } from './changes-view.ts';
import { streamView } from './stream.ts';

interface LiveOptions {
  readonly pages: HistoryPages;
  readonly clock: Clock;
  /** Ends when the server closes. */
  readonly signal: AbortSignal;
  /** Events that were appended after this number are counted. */
  readonly after: number;
  readonly view: Pick<View, 'filter' | 'words' | 'catalogue'>;
  /** What happened before this moment is not new: a copy takes in older events later. Everything appended is new where absent. */
  readonly newSince?: Instant | undefined;
  readonly status: () => StatusWords;
  /** Whether the reader may still read: the stream ends where not. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Whether the stream ends after its first look. */
  readonly endsAtOnce?: boolean;
}

const LOOK_MS = 1_000;
/** A proxy or a browser may close an idle connection. */
const HEARTBEAT_LOOKS = 15;
/** When a browser connects again whose stream was cut, and one whose stream always ends. */
const AGAIN_MS = 3_000;
const AGAIN_AFTER_LOOK_MS = 60_000;
const MOST_AT_ONCE = 5_000;

/**
 * Server-sent events of a view: `changes` with the number of new events that match, and `status`. The id of each is the
 * number of the event that was appended last, so that a reader who comes back with `Last-Event-ID` misses none.
 */
export function liveStream(options: LiveOptions): ReadableStream<Uint8Array> {
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const lines = liveLines({ ...options, signal });
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => ended.abort(new Error('the reader left')),
  });
}

async function* liveLines({
  pages,
  clock,
  signal,
  after,
  view,
  newSince = 0n,
  status,
  isStillAllowed,
  endsAtOnce = false,
}: LiveOptions): AsyncGenerator<string, void> {
  let seen = Math.min(after, pages.lastAppended());
  let shownStatus = '';
  yield `retry: ${endsAtOnce ? AGAIN_AFTER_LOOK_MS : AGAIN_MS}\nid: ${seen}\n\n`;
  for (let looks = 1; !signal.aborted && (await isStillAllowed()); looks++) {
    const last = pages.lastAppended();
    if (last > seen) {
      const events = pages.appended(seen, last, MOST_AT_ONCE).filter(({ at }) => at >= newSince);
      // A name that one of these events gives finds it.
      const count = events.filter(matcherOf(view, pages)).length;
      seen = last;
      yield count > 0
        ? `id: ${seen}\nevent: changes\ndata: ${JSON.stringify({ count })}\n\n`
        : `id: ${seen}\n\n`;
    }
    const now = JSON.stringify(status());
    if (now !== shownStatus) {
      shownStatus = now;
      yield `event: status\ndata: ${now}\n\n`;
    } else if (looks % HEARTBEAT_LOOKS === 0) yield ': still here\n\n';
    if (endsAtOnce) return;
    await clock.sleep(LOOK_MS, signal).catch(() => {});
  }
}

function matcherOf(
  { filter, words, catalogue }: LiveOptions['view'],
  pages: HistoryPages,
): (placed: PlacedEvent) => boolean {
  const matches = compileFilter(filter, pages.names());
  const hasWords = words === '' ? () => true : textMatcher(words);
  return (placed) => {
    const { event } = placed;
    if ((catalogue !== '' && event.data.catalogue !== catalogue) || !matches(event)) return false;
    if (words === '') return true;
    const body = pages.bodyAt(placed);
    return body !== null && hasWords(JSON.parse(body) as PanelEvent);
  };
}

const PAGE_SIZE = 100;
/** Events that one page looks at for those that match: more would keep polls waiting. */
const EXAMINED = 25_000;
/** Changes of a printed list: 100 sheets. */
const MOST_PRINTED = 3_000;
const MOST_EXAMINED = 200_000;
/** Lines of a CSV file: 30 MB. */
const MOST_LINES = 100_000;

/** The stream of changes, its CSV, and what is new in it. */
export function addChangesRoutes(app: Hono, context: RouteContext): void {
  const { deployed, file, history, pages, times, clock, signal, status } = context;

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
    const names = await context.names();
    const newest = newestTime(pages);
    const unknown = await unknownNames(context, view, names);
    return context.answer(
      changesView({
        view,
        page,
        counts: context.counter.counts(query),
        open: view.open === '' ? null : await openEventView(view, context),
        lastAppended: pages.lastAppended(),
        newest,
        names,
        unknown,
        foundToo: namesFoundToo(query.filter ?? {}, pages.names()),
        parts: await context.readParts(query),
        severalCatalogues: (await context.catalogues()).length > 1,
        ...context.moment(),
      }),
      isAllUnknown(view, unknown) ? 404 : 200,
    );
  });

  app.get('/print', async ({ req }) => {
    const view = readView(new URL(req.url).searchParams);
    const query = queryOf(view, times, clock.now());
    const names = await context.names();
    const [wrong] = await unknownNames(context, view, names);
    if (wrong) return context.refuse(wrong.sentence, 'So no list can show its changes.', 404);
    if (view.words !== '') await indexWords(file);
    const title = titleOf(view, names);
    const page = pages.page(query, { size: MOST_PRINTED, examined: MOST_EXAMINED });
    const severalCatalogues = (await context.catalogues()).length > 1;
    const parts = await context.readParts(query);
    const main = paperView({ view, page, title, parts, severalCatalogues }, context.moment());
    return context.answer({ title, current: 'changes', main });
  });

  app.get('/events.csv', async ({ req }) => {
    const view = readView(new URL(req.url).searchParams);
    const query = queryOf(view, times, clock.now());
    const [wrong] = await unknownNames(context, view, await context.names());
    if (wrong) return context.refuse(wrong.sentence, 'So no file can list its changes.', 404);
    if (pages.numbers(query, MOST_LINES + 1).length > MOST_LINES && (await hasMore(history, query))) {
      return context.refuse(
        'Too many changes for one file',
        html`More than ${MOST_LINES.toLocaleString('en-GB')} changes match. Choose a shorter period, or write the file with <code>gene-panel-notifier history --format csv</code>.`,
        413,
      );
    }
    const limits = unreadLimits(await context.readParts(query), times);
    return csvResponse(csvOfEvents(history, query, limits), 'changes');
  });

  app.get('/live', async ({ req }) => {
    const parameters = new URL(req.url).searchParams;
    const after = Number(req.header('last-event-id') ?? parameters.get('after') ?? Number.NaN);
    parameters.delete('after');
    const view = readView(parameters);
    const unknown = await unknownNames(context, view, await context.names());
    // A stream that can never show a change would say that there is none.
    if (isAllUnknown(view, unknown)) {
      return context.refuse(unknown[0]?.sentence ?? '', 'So no stream can show its changes.', 404);
    }
    const stream = liveStream({
      pages,
      clock,
      signal,
      after: Number.isSafeInteger(after) && after >= 0 ? after : pages.lastAppended(),
      view,
      newSince: deployed?.newSince(),
      status,
      isStillAllowed: context.visitor().isStillAllowed,
      endsAtOnce: context.endsStreams ?? false,
    });
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    });
  });
}

/** The event that is open; null where the history does not have it. The code for it is loaded then. */
async function openEventView(view: View, context: RouteContext): Promise<Html | null> {
  const [{ readOpenEvent }, { eventView }] = await Promise.all([
    import('../event/event-view.ts'),
    import('../event/event-view.ts'),
  ]);
  const open = await readOpenEvent(context, view.open);
  return open && eventView(open, view);
}

async function hasMore(history: History, query: PageQuery): Promise<boolean> {
  let count = 0;
  const limited = { ...query, limit: MOST_LINES + 1 };
  for await (const _event of history.findWithoutRows(limited)) count++;
  return count > MOST_LINES;
}

async function* csvOfEvents(
  history: History,
  query: PageQuery,
  limits: readonly Limit[],
): AsyncGenerator<string> {
  const { head, lines, end } = csv(question);
  yield head;
  for await (const event of history.findWithoutRows({ ...query, order: 'newest' }))
    yield lines([{ what: '', rows: [event] }]);
  yield end({ lead: [], lists: [], limits });
}

/** Brings the search index up to date, so that polls and other requests of this process go on meanwhile. */
async function indexWords(file: StateFile): Promise<void> {
  while (indexNextWords(file) > 0) await nextTurn();
}

interface PaperPage {
  readonly view: View;
  readonly page: EventPage;
  /** What the view is limited to, in words. */
  readonly title: string;
  readonly parts: readonly ReadPart[];
  readonly severalCatalogues: boolean;
}

function paperView({ view, page, title, parts, severalCatalogues }: PaperPage, moment: Moment): Html {
  const { times, now } = moment;
  const { events, next } = page;
  const period =
    periods.find(([value]) => value === view.since)?.[1] ?? `Since ${times.shortDay(view.since)}`;
  const until = view.until === '' ? '' : `, before ${times.shortDay(view.until)}`;
  const read = howMuchWasRead(parts) === 'all' ? '' : ` ${readWords(parts)}`;
  const back = addressOf(view, { open: '', show: '' });
  return html`<div class="page paper-page">
<h1>${title}</h1>
<p class="lead">${period}${until} · as known on ${times.moment(now)} · times of ${times.zone}</p>
<p class="screen-only"><a href="${back}">Back to the changes</a> <button type="button" class="print" hidden>Print</button></p>
${unreadView(parts, times)}
${
  events.length === 0
    ? html`<p>${nothingFoundWords('No change matches', parts)}</p>`
    : html`<p><b>${events.length.toLocaleString('en-GB')}</b> changes${read}.${next === null ? '' : html` <b>There are older ones that are not on this list.</b> Choose a shorter period, or save the CSV.`}</p>
${streamView(events, { view: { ...view, open: '' }, times, now, severalCatalogues })}`
}
</div>`;
}
