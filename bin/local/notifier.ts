import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import { defaultSameChangePercent, defaultShrunkenPercent } from '../../lambdas/functions/settings.ts';
import { askAgain } from '../../lambdas/panels/archive-record.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { SearchRequest } from '../../lambdas/poll/bookkeeping.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { ProofOptions, ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { provePanels } from '../../lambdas/reconcile/prove-panels.ts';
import { publishDisagreements } from '../../lambdas/reconcile/publish-disagreements.ts';
import { readSignOffs } from '../../lambdas/reconcile/read-sign-offs.ts';
import { sweep } from '../../lambdas/reconcile/sweep.ts';
import {
  createReadLog,
  type SweepReport,
  searchPagesOfSweep,
  withSignOffs,
} from '../../lambdas/reconcile/sweep-report.ts';
import { loadSweep } from '../../lambdas/reconcile/sweep-state.ts';
import { DAY_MS } from '../../lambdas/run/clock.ts';
import { formatInstant, type Instant } from '../../lambdas/run/instant.ts';
import { indexNextWords } from '../../lambdas/store/history/sqlite-event-index.ts';
import { forgetOldEvents } from '../../lambdas/store/history/sqlite-retention.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { forgetOldState } from '../../lambdas/store/store.ts';
import { LocalStateError } from '../command.ts';
import { createProgress, type Progress } from '../terminal.ts';
import { type LocalNotifierOptions, type NotifierParts, openNotifierParts } from './notifier-parts.ts';

/**
 * The notifier of one catalogue on this machine: what runs as a Lambda, with its state and history in a file. Once the
 * command's signal is aborted, a poll fails with the signal's reason as soon as the chunk under way is finished.
 */
export type LocalNotifier = Awaited<ReturnType<typeof startLocalNotifier>>;

/** @throws {LocalStateError | StateError} when the state cannot be used */
export async function startLocalNotifier(options: LocalNotifierOptions) {
  const parts = await openNotifierParts(options);
  const { store, catalogue, messages, file, log, locks } = parts;
  const { shrunkenPercent, sameChangePercent, overlap, followed, historyDays } = options;
  const poll = createPollOnce(parts, options);
  const readLogBy = (read: typeof poll) =>
    createReadLog({
      store,
      log,
      poll: (searchRequest) => read({ searchRequest, notesCoverage: true }),
    });
  const pollAlone: typeof poll = (given) => locks.publishing(() => poll(given));
  const lastAnswers = { answers: [] };
  const prove = (given: ProvingTime): Promise<ProofReport> =>
    proveOnce({ ...parts, overlap, followed, lastAnswers, readLog: readLogBy(pollAlone) }, given);
  return {
    poll: () => pollAlone(),
    /** Whether a poll has ever read the catalogue with this state. */
    hasBegun: async () => (await store.load(0n)) !== null,
    /** Whether the listings were not compared within the last hour. */
    isSweepDue: async () => {
      const stored = await loadSweep(parts.documents);
      return stored === null || parts.clock.now() - stored.snapshot.listedAt >= SWEEP_EVERY_MS;
    },
    /**
     * Publishes what the listings show and the log does not; reads the log first where something differs. With `accept`, a
     * person accepts what the listings show.
     */
    sweep: (accept = false) =>
      locks.publishing(() =>
        sweepOnce({ ...parts, shrunkenPercent, sameChangePercent, readLog: readLogBy(poll), accept }),
      ),
    /** Once a day: forgets what is older than it is kept. */
    tidy: createTidy(parts, historyDays),
    /** Adds events to the search index, so that the first search need not wait for all of them. */
    async indexWords() {
      for (let steps = 0; steps < INDEX_STEPS && indexNextWords(file) > 0; steps += 1) await nextTurn();
    },
    /** Keeps the changes of the worklist that events have brought since, so that the next view of it need not derive them. */
    async keepWorklist() {
      // A quiet poll need not load it.
      const { createKeptChanges } = await import('../../lambdas/questions/worklist/kept-changes.ts');
      await locks.publishing(() => createKeptChanges(file).keep());
    },
    /**
     * Reads what panels hold, at the pace of the settings, and proves the versions that began since.
     * @param given how long, and which
     */
    prove: (given: ProvingTime = {}) => locks.proving.hold(() => prove(given)),
    /** The same, where no other process proves with this state, or waits to; null where one does. */
    async proveIfFree(given: ProvingTime) {
      if (locks.proving.isAwaited() || !locks.proving.take()) return null;
      return prove(given).finally(locks.proving.release);
    },
    /**
     * Compares the catalogue with the others of the settings, by what was read of both, and publishes what they disagree about since.
     * @returns what is not compared, and why, in sentences
     */
    compare: () => compareOnce(parts, options.comparedWith ?? {}),
    /** The messages to people; null where no settings were given. */
    messages,
    get requests() {
      return catalogue.traffic.requests;
    },
    file,
    close: () => parts.close(),
  };
}

/** As often as watch compares them where nothing else is set. */
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Steps of a thousand events, of some hundredths of a second each, that a poll's pause may spend on the search index. */
const INDEX_STEPS = 50;

/** Forgets at most once a day; never where what is kept has no end. */
function createTidy({ clock, file, store }: NotifierParts, days: number | undefined): () => Promise<void> {
  let tidied = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (days === undefined || now - tidied < DAY_MS) return;
    tidied = now;
    forgetOldEvents(file, { days, now });
    await forgetOldState(store, { days, now });
  };
}

interface ProvingTime extends Pick<ProofOptions, 'onProgress' | 'onSignedOffProgress' | 'fromStart'> {
  /** Milliseconds since the epoch after which nothing is asked. */
  readonly deadline?: number;
  /** Whether states are asked for also where the catalogue served none of late: a person wants them. */
  readonly asksAgain?: boolean;
}

interface ProveOnce
  extends NotifierParts,
    Pick<LocalNotifierOptions, 'overlap' | 'followed'>,
    Pick<ProofOptions, 'lastAnswers'> {
  readonly readLog: ReturnType<typeof createReadLog>;
}

async function proveOnce(
  options: ProveOnce,
  { deadline, asksAgain, ...given }: ProvingTime,
): Promise<ProofReport> {
  const { catalogue, states, messages, signal, followed } = options;
  try {
    if (asksAgain) await askAgain(options.documents);
    const report = await provePanels({
      ...options,
      ...{ url: catalogue.url, state: options.store, states: states.store },
      archive: states.archive(deadline),
      readLog: () => options.readLog(null),
      ...(followed && { first: followed }),
      ...given,
    });
    await messages?.alarms.after({ kind: 'proved', report });
    return report;
  } catch (error) {
    if (!signal.aborted) await messages?.alarms.after({ kind: 'proof failed', error });
    throw error;
  }
}

async function compareOnce(
  parts: NotifierParts,
  comparedWith: NonNullable<LocalNotifierOptions['comparedWith']>,
): Promise<readonly string[]> {
  const { name, catalogue, file, store, states, clock, locks } = parts;
  const notCompared: string[] = [];
  for (const [other, pairs] of Object.entries(comparedWith)) {
    const report = await publishDisagreements({
      ...{ ...parts, pairs },
      here: { name, url: catalogue.url, states: states.store, listing: () => store.listing() },
      there: {
        name: other,
        states: createSqlitePanelStates({ file, catalogue: other, now: clock.now }),
        listing: () => createSqliteStore(file, other).listing(),
      },
      alone: (work) => locks.publishing(() => work(async () => {})),
    });
    notCompared.push(...report.notCompared);
  }
  return notCompared;
}

interface SweepOnce
  extends NotifierParts,
    Pick<LocalNotifierOptions, 'shrunkenPercent' | 'sameChangePercent'> {
  readonly readLog: ReturnType<typeof createReadLog>;
  /** Whether a person accepts what the listings show. */
  readonly accept: boolean;
}

async function sweepOnce(options: SweepOnce): Promise<SweepReport> {
  const { messages, signal, shrunkenPercent, sameChangePercent } = options;
  const parts = {
    ...{ ...options, state: options.store, states: options.states.store },
    sameChangePercent: sameChangePercent ?? defaultSameChangePercent,
    shrunkenPercent: shrunkenPercent ?? defaultShrunkenPercent,
  };
  try {
    const report = withSignOffs(await sweep(parts), await readSignOffs(parts));
    await messages?.alarms.after({ kind: 'swept', report });
    options.file.checkpoint();
    return report;
  } catch (error) {
    if (!signal.aborted) await messages?.alarms.after({ kind: 'sweep failed', error });
    throw error;
  }
}

interface PollGiven {
  /** The search before the overlap that a sweep asks for. */
  readonly searchRequest?: SearchRequest | null;
  readonly notesCoverage?: boolean;
}

type PollOnce = (given?: PollGiven) => Promise<PollReport>;

function createPollOnce(parts: NotifierParts, options: LocalNotifierOptions): PollOnce {
  const { catalogue, states, messages, signal, settle } = parts;
  const { overlap, from, learnSince, movedFrom, messages: settings } = options;
  const progress = createProgress(options.io, 'activities');
  let isFirst = true;
  return async ({ searchRequest, notesCoverage = false } = {}) => {
    if (from !== undefined) await refuseEarlierStart(parts, { ...options, from });
    const before = catalogue.traffic.throttled;
    const throttled = (): number => catalogue.traffic.throttled - before;
    try {
      const report = await poll({
        ...{ ...parts, overlap, notesCoverage },
        catalogue: withProgress(catalogue, progress),
        states: states.store,
        ratingsBefore: states.ratingsBefore(),
        ...(from !== undefined && { from }),
        ...(learnSince !== undefined && { learnSince }),
        ...(movedFrom !== undefined && { movedFrom }),
        ...(settings && { shrunkenLogPercent: settings.stage.alarms.shrunkenPercent }),
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
