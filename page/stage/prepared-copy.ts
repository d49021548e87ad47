import type { Clock } from '../../lambdas/run/clock.ts';
import { plainPage } from '../sign-in/plain-page.ts';
import type { StageCopy } from './stage-copy.ts';

interface PreparedCopyOptions {
  readonly copy: Pick<StageCopy, 'readNew' | 'readOlder'>;
  readonly clock: Clock;
  /** What an error means for the reader. */
  readonly explain: (error: unknown) => string;
  /** Called when everything was copied that is copied. */
  readonly onWhole?: (() => void) | undefined;
}

/** A copy that is older is brought up to date by the next request. */
const FRESH_MS = 60_000;
/** A request waits for the newest events: an HTTP API ends it after 30 seconds. */
const FIRST_WAIT_MS = 20_000;
/** A request waits for what is new; then it shows what is there, and the page says of when that is. */
const NEXT_WAIT_MS = 5_000;
/** Nobody waits for a live stream: the copying goes on in its time, since between requests an instance stands still. */
const STREAM_WAIT_MS = 20_000;
/** When a browser asks again that saw nothing of the history. */
const AGAIN_SECONDS = 2;

/**
 * Brings the copy of a stage up to date while requests wait, for a process that runs during requests only. The stream of changes
 * is shown as soon as the newest events are there; other views wait a little for the whole, and say what was not read.
 * Returns what answers a request before anything was copied; null where the views can be shown.
 */
export function createPreparedCopy(options: PreparedCopyOptions): (path: string) => Promise<Response | null> {
  const { copy, clock, explain, onWhole } = options;
  let readAt: number | null = null;
  let problem: string | null = null;
  let running: Promise<void> | null = null;
  let step = Promise.withResolvers<void>();
  const stepped = (): void => {
    step.resolve();
    step = Promise.withResolvers();
  };
  const isFresh = (): boolean => readAt !== null && clock.now() - readAt < FRESH_MS;
  let isWhole = false;

  async function read(): Promise<void> {
    for (;;) {
      if (!isFresh()) {
        const began = clock.now();
        await copy.readNew();
        [readAt, problem] = [began, null];
        stepped();
      }
      if (!(await copy.readOlder())) break;
    }
    isWhole = true;
    onWhole?.();
  }
  const begin = (): void => {
    running ??= read()
      .catch((error: unknown) => {
        problem = explain(error);
        // What is there is shown until the next attempt.
        if (readAt !== null) readAt = clock.now();
      })
      .finally(() => {
        running = null;
        stepped();
      });
  };
  async function wait(isReady: () => boolean, limit: number): Promise<void> {
    const waited = new AbortController();
    const late = clock.sleep(limit, waited.signal).then(
      () => true,
      () => true,
    );
    while (running !== null && !isReady()) if (await Promise.race([step.promise, late])) break;
    waited.abort();
  }

  return async (path) => {
    if (isFresh() && isWhole) return null;
    begin();
    if (path === '/live') await wait(() => false, STREAM_WAIT_MS);
    else if (readAt === null) await wait(() => readAt !== null, FIRST_WAIT_MS);
    else await wait(isFresh, NEXT_WAIT_MS);
    if (path !== '/' && !isWhole) await wait(() => isWhole, NEXT_WAIT_MS);
    if (readAt !== null) return null;
    return problem === null ? stillCopying() : unreadable(problem);
  };
}

function stillCopying(): Response {
  const response = plainPage(
    503,
    'The history is being copied',
    'This can take a few minutes when nobody has used the page for a while. The page opens by itself.',
  );
  response.headers.set('retry-after', String(AGAIN_SECONDS));
  response.headers.set('refresh', String(AGAIN_SECONDS));
  return response;
}

const unreadable = (problem: string): Response =>
  plainPage(503, 'The stage cannot be read', `${problem} Nothing can be shown before it is read.`);
