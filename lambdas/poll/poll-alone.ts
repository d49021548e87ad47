import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import type { Lease } from '../store/lease.ts';
import { StateError } from '../store/state-error.ts';
import type { StateStore } from '../store/store.ts';
import { poll } from './poll.ts';
import type { PollOptions } from './poll-options.ts';
import type { PollReport } from './report.ts';

/** A look at a lease that another run has, in milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** Longer than a lease is held for: that of a run that died ends meanwhile. */
const LONGEST_WAIT_MS = 75_000;
/** Runs that may each publish a chunk between reading the log here and recording. */
const MOST_ATTEMPTS = 5;

/**
 * Polls so that no two runs publish rows of one log at the same time, whichever function they belong to: polls, sweeps and
 * proofs all read it. A poll without new rows takes no lease. Where another run has moved the position meanwhile, the log is
 * read again from there.
 *
 * @throws {CatalogueError | StateError | PublishError | HistoryError | PollError} as a poll does
 */
export async function pollAlone(run: PollOptions, lease: Lease): Promise<PollReport> {
  const held = { is: false };
  const store = publishingAlone(run, lease, held);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await poll({ ...run, store });
      } catch (error) {
        if (!isConflict(error) || attempt === MOST_ATTEMPTS) throw error;
        run.log.info('Another run has published rows of the log; the log is read again from there', {
          attempt,
        });
      }
    }
  } finally {
    if (held.is) await releaseQuietly(lease, run.log);
  }
}

/**
 * Runs some work while no other run publishes. Whoever compares what was published with what a catalogue shows, and publishes the rest, does
 * so in it: two runs that find the same change would each publish it. `keep` holds on for longer.
 */
export type Alone = <Value>(work: (keep: () => Promise<void>) => Promise<Value>) => Promise<Value>;

/** Where one process does all the work, one thing after the other. */
export const aloneAnyway: Alone = (work) => work(async () => {});

/**
 * Holds the lease of the log while the work goes on.
 *
 * @throws {StateError} `STATE_CONFLICT` when another run has it for too long
 */
export function aloneWith(lease: Lease, run: Pick<PollOptions, 'clock' | 'deadline' | 'log'>): Alone {
  return async (work) => {
    const keep = () => takeOrFail(lease, run);
    await keep();
    try {
      return await work(keep);
    } finally {
      await releaseQuietly(lease, run.log);
    }
  };
}

const isConflict = (error: unknown): boolean =>
  error instanceof StateError && error.code === 'STATE_CONFLICT';

/** The store of a run that takes the lease before it publishes, and keeps it from chunk to chunk. */
function publishingAlone(
  { store, clock, deadline }: PollOptions,
  lease: Lease,
  held: { is: boolean },
): StateStore {
  const take = async (): Promise<void> => {
    await takeOrFail(lease, { clock, deadline });
    held.is = true;
  };
  return {
    ...store,
    async load(overlap) {
      const stored = await store.load(overlap);
      // A recorded chunk is one that its run is publishing at this moment, or that a dead run left.
      if (!stored?.pending || held.is) return stored;
      await take();
      return store.load(overlap);
    },
    async record(position, chunk) {
      await take();
      return store.record(position, chunk);
    },
  };
}

async function takeOrFail(
  lease: Lease,
  {
    clock,
    deadline = Number.POSITIVE_INFINITY,
  }: { readonly clock: Clock; readonly deadline?: number | undefined },
): Promise<void> {
  const until = Math.min(deadline, clock.now() + LONGEST_WAIT_MS);
  while (!(await lease.take())) {
    if (clock.now() + LOOK_EVERY_MS > until)
      throw new StateError(
        'STATE_CONFLICT',
        'Publishing: another run has been doing so for too long to wait for it. Nothing is lost, because that one continues.',
      );
    await clock.sleep(LOOK_EVERY_MS);
  }
}

/** A lease that is not released ends by itself. */
async function releaseQuietly(lease: Lease, log: Log): Promise<void> {
  try {
    await lease.release();
  } catch (error) {
    log.warn('The lease of the log could not be released; it ends within a minute', { error });
  }
}
