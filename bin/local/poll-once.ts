import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import type { SearchRequest } from '../../lambdas/poll/bookkeeping.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import { searchPagesOfSweep } from '../../lambdas/reconcile/sweep-options.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { LocalNotifierOptions, NotifierParts } from './notifier-parts.ts';
import { LocalStateError } from './state-error.ts';

interface PollGiven {
  /** The search before the overlap that a sweep asks for. */
  readonly searchRequest?: SearchRequest | null;
  readonly notesCoverage?: boolean;
}

type PollOnce = (given?: PollGiven) => Promise<PollReport>;

/** Polls with the shared parts, shows the progress of long ones, and raises the alarms of polls. */
export function createPollOnce(parts: NotifierParts, options: LocalNotifierOptions): PollOnce {
  const { name, catalogue, store, history, states, publisher, messages, clock, log, signal, settle } = parts;
  const { overlap, from, learnSince, movedFrom, messages: settings } = options;
  const progress = createProgress(options.io, 'activities');
  let isFirst = true;
  return async ({ searchRequest, notesCoverage = false } = {}) => {
    if (from !== undefined) await refuseEarlierStart(parts, { ...options, from });
    const before = catalogue.traffic.throttled;
    const throttled = (): number => catalogue.traffic.throttled - before;
    try {
      const report = await poll({
        name,
        catalogue: withProgress(catalogue, progress),
        store,
        history,
        states: states.store,
        publisher,
        ratingsBefore: states.ratingsBefore(),
        clock,
        log,
        overlap,
        ...(from !== undefined && { from }),
        ...(learnSince !== undefined && { learnSince }),
        ...(movedFrom !== undefined && { movedFrom }),
        ...(settings && { shrunkenLogPercent: settings.stage.alarms.shrunkenPercent }),
        notesCoverage,
        ...(searchRequest && { searchRequest, searchPages: searchPagesOfSweep }),
      }).finally(settle);
      await messages?.alarms.after({ kind: 'polled', report, throttled: throttled(), isFirst });
      if (report.outcome !== 'postponed') isFirst = false;
      return report;
    } catch (error) {
      if (!signal.aborted) {
        await messages?.alarms.after({ kind: 'poll failed', error, throttled: throttled() });
      }
      throw error;
    } finally {
      progress.end();
    }
  };
}

interface Start extends Pick<LocalNotifierOptions, 'overlap' | 'state'> {
  readonly from: Instant;
}

/** Refuses a start before the one of the state: a poll never goes back, and would print "nothing new". */
async function refuseEarlierStart(
  { name, catalogue: { url }, store }: NotifierParts,
  { from, overlap, state }: Start,
): Promise<void> {
  const { position } = (await store.load(overlap)) ?? {};
  // A state of another catalogue is refused by the poll itself.
  if (!position || from >= position.start || position.source !== url) return;
  const where = state === undefined ? '' : ` --state ${state}`;
  const day = (at: Instant): string => formatInstant(at).slice(0, 10);
  throw new LocalStateError(
    `Polling "${name}" from ${formatInstant(from)}: this state began at ${formatInstant(position.start)}, and a poll never goes back. Nothing was published. For what was published since then: gene-panel-notifier history${where} --since ${day(position.start)}. For older rows of the log, begin another state: --state NEW --from ${day(from)}.`,
  );
}

/**
 * The catalogue, with progress for the pages of its log that are read one after the other. A backlog is read from its
 * oldest page to the newest; the number of the oldest page says how much there is.
 */
export function withProgress(catalogue: Catalogue, progress: Progress): Catalogue {
  let first = 1;
  let lowest = 1;
  let size = 0;
  const activities: Catalogue['activities'] = async (number) => {
    const page = await catalogue.activities(number);
    if (!page) return page;
    size = Math.max(size, page.rows.length);
    // A page is read again beside the next one, where rows moved between them.
    if (number === lowest || number === lowest + 1) return page;
    // The newest page begins a poll, or ends the backlog.
    const isNext = number > 1 && number === lowest - 1;
    if (!isNext) first = number;
    lowest = number;
    if (isNext) progress.show((first - number) * size, first * size);
    return page;
  };
  return {
    ...catalogue,
    activities,
    get traffic() {
      return catalogue.traffic;
    },
  };
}
