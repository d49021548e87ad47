import type { Hono } from 'hono';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import { unreadLimits } from '../../lambdas/questions/answer-limits.ts';
import { csv } from '../../lambdas/questions/documents.ts';
import { question } from '../../lambdas/questions/history.ts';
import type { Limit } from '../../lambdas/questions/question.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import { type History, textMatcher } from '../../lambdas/store/history/history.ts';
import type { HistoryPages, PageQuery, PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import { type Html, html } from '../html.ts';
import { isAllUnknown, unknownNames } from '../names.ts';
import { csvResponse } from '../read-address.ts';
import type { RouteContext, StatusWords } from '../route-context.ts';
import { parametersOf, queryOf, readView, type View } from '../view.ts';
import { answerChanges, answerPrint } from './changes-view.ts';

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

/** Lines of a CSV file: 30 MB. */
const MOST_LINES = 100_000;

/** The stream of changes, its CSV, and what is new in it. */
export function addChangesRoutes(app: Hono, context: RouteContext): void {
  const { deployed, history, pages, times, clock, signal, status } = context;

  app.get('/', async ({ req, redirect }) => {
    const given = new URL(req.url).searchParams;
    const view = readView(given);
    // One view has one address: without the empty fields of the form.
    const canonical = parametersOf(view).toString();
    if (canonical !== given.toString()) return redirect(canonical === '' ? '/' : `/?${canonical}`, 302);
    return answerChanges(view, view.open === '' ? null : await openEventView(view, context), context);
  });

  app.get('/print', async ({ req }) => {
    const view = readView(new URL(req.url).searchParams);
    const [wrong] = await unknownNames(context, view.texts, await context.names());
    if (wrong) return context.refuse(wrong.sentence, 'So no list can show its changes.', 404);
    return answerPrint(view, context);
  });

  app.get('/events.csv', async ({ req }) => {
    const view = readView(new URL(req.url).searchParams);
    const query = queryOf(view, times, clock.now());
    const [wrong] = await unknownNames(context, view.texts, await context.names());
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
    const unknown = await unknownNames(context, view.texts, await context.names());
    // A stream that can never show a change would say that there is none.
    if (isAllUnknown(view.texts, unknown)) {
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
  const { readOpenEvent, eventView } = await import('../event/event-view.ts');
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
