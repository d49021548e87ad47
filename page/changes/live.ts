import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import { textMatcher } from '../../lambdas/store/history/searched-words.ts';
import type { HistoryPages, PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import type { View } from '../view.ts';
import type { StatusWords } from '../watcher/watcher-view.ts';

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

/** How often the history is checked. */
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
