import type { Clock } from '../../lambdas/run/clock.ts';
import { plainPage } from '../sign-in/plain-page.ts';
import type { StageCopy } from './stage-copy.ts';

interface PreparedCopyOptions {
  readonly copy: StageCopy['copy'];
  readonly clock: Clock;
  /** What an error means for the reader. */
  readonly explain: (error: unknown) => string;
}

/** A copy that is older is brought up to date by the next request. */
const FRESH_MS = 60_000;
/** A request waits for the first copy: an HTTP API ends it after 30 seconds. */
const FIRST_WAIT_MS = 20_000;
/** A request waits for what is new; then it shows what is there, and the page says of when that is. */
const NEXT_WAIT_MS = 5_000;
/** The browser asks again, so that the copying goes on: between requests, an instance stands still. */
const AGAIN_SECONDS = 2;

/**
 * Brings the copy of a stage up to date while requests wait, for a process that runs during requests only. Returns what
 * answers a request before the whole history was copied; null where the views can be shown.
 */
export function createPreparedCopy({
  copy,
  clock,
  explain,
}: PreparedCopyOptions): () => Promise<Response | null> {
  let running: Promise<void> | null = null;
  let copiedAt: number | null = null;
  let problem: string | null = null;

  const begin = (): Promise<void> => {
    const began = clock.now();
    running ??= copy()
      .then(
        () => {
          copiedAt = began;
          problem = null;
        },
        (error: unknown) => {
          problem = explain(error);
          // What is there is shown until the next attempt.
          if (copiedAt !== null) copiedAt = began;
        },
      )
      .finally(() => {
        running = null;
      });
    return running;
  };

  return async () => {
    const isFirst = copiedAt === null;
    if (copiedAt !== null && clock.now() - copiedAt < FRESH_MS) return null;
    const waited = new AbortController();
    const done = begin();
    await Promise.race([
      done,
      clock.sleep(isFirst ? FIRST_WAIT_MS : NEXT_WAIT_MS, waited.signal).catch(() => {}),
    ]);
    waited.abort();
    if (copiedAt !== null) return null;
    return problem === null ? stillCopying() : unreadable(problem);
  };
}

function stillCopying(): Response {
  const response = plainPage(
    503,
    'The history is being copied',
    'This takes up to some minutes after the page was not used for a while. The page opens by itself.',
  );
  response.headers.set('retry-after', String(AGAIN_SECONDS));
  response.headers.set('refresh', String(AGAIN_SECONDS));
  return response;
}

const unreadable = (problem: string): Response =>
  plainPage(503, 'The stage cannot be read', `${problem} Nothing can be shown before it is read.`);
