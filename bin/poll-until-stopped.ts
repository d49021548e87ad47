import { type Condition, ServiceError } from '../lambdas/catalogue/http/service-error.ts';
import type { Clock } from '../lambdas/run/clock.ts';
import { printable } from '../lambdas/run/text.ts';
import { StateError } from '../lambdas/store/state-error.ts';
import type { Run, WatchRecord } from '../page/route-context.ts';
import type { Io } from './command.ts';
import type { LocalNotifier } from './local/notifier.ts';
import { reportedOutcomes, summaryOfSweep } from './sweep-summary.ts';

interface Watching {
  readonly io: Io;
  /** Milliseconds between two polls. */
  readonly every: number;
  readonly polls?: number;
  /** Milliseconds between two sweeps, of which the first follows the first poll; no sweep where absent. */
  readonly sweepEvery?: number;
  /** Called after each poll that succeeded. */
  readonly afterEach?: () => Promise<void>;
  /** Called once, after the first poll that succeeded. */
  readonly afterFirst?: () => Promise<void>;
}

/** A problem that lasts is said again so often: who looks at the last quarter of an hour of the log sees it. */
const SAID_AGAIN_MS = 600_000;

/** So long it reads states at a time: `verify` waits for two minutes at most. */
const PROVING_MS = 30_000;

/**
 * Polls and sweeps until the person stops it. What fails is reported; the next poll goes on from the same mark, and
 * the next sweep finds the same differences.
 * @throws what the first poll of a new state threw, unless that may pass: wrong settings stay wrong; and when the state is lost
 */
export async function pollUntilStopped(
  notifier: LocalNotifier,
  { io, every, polls, sweepEvery, afterEach, afterFirst }: Watching,
): Promise<void> {
  const { clock, signal, stderr } = io;
  let nextSweep = sweepEvery === undefined ? Number.POSITIVE_INFINITY : 0;
  const sweepIfDue = async (): Promise<void> => {
    if (sweepEvery === undefined || clock.now() < nextSweep) return;
    nextSweep = clock.now() + sweepEvery;
    const before = notifier.requests;
    try {
      const report = await notifier.sweep();
      if (!reportedOutcomes.has(report.outcome) && report.refusal === null) return;
      stderr.write(`${summaryOfSweep(report, notifier.requests - before)}\n`);
    } catch (error) {
      if (error === signal.reason) throw error;
      stderr.write(`${messageOf(error)} Sweeping again in ${sweepEvery / 60_000} min.\n`);
    }
  };
  const said = new Set<string>();
  /** Says once what is not compared: nobody should take silence for agreement. */
  const compare = async (): Promise<void> => {
    const notCompared = await notifier.compare().catch((error: unknown) => {
      if (error === signal.reason) throw error;
      return [messageOf(error)];
    });
    for (const sentence of notCompared.map((each) => printable(each)).filter((each) => !said.has(each))) {
      said.add(sentence);
      stderr.write(`Not compared: ${sentence}\n`);
    }
  };
  let lastProblem = '';
  /** Reads and proves states of panels while the next poll is not due. */
  const proveUntil = async (deadline: number): Promise<void> => {
    if (sweepEvery === undefined) return;
    try {
      // Another process that wants to prove gets its turn in between.
      for (let turn = clock.now(); turn < deadline; ) {
        turn = Math.min(deadline, clock.now() + PROVING_MS);
        const report = await notifier.proveIfFree({ deadline: turn });
        if (report?.why !== 'out-of-time') return;
        // At a slow pace, the next request may be due only in a later turn.
        const left = turn - clock.now();
        if (left > 0 && turn < deadline) await clock.sleep(left, signal);
      }
    } catch (error) {
      if (error === signal.reason) return;
      // What lasts is said once, not each minute.
      if (messageOf(error) !== lastProblem) stderr.write(`${messageOf(error)}\n`);
      lastProblem = messageOf(error);
    }
  };
  /** What the last polls failed with, and when it was said: not at every poll. */
  let failing = '';
  let saidAt = 0;
  let isFirst = true;
  for (let done = 1; !signal.aborted; done++) {
    try {
      const { outcome } = await notifier.poll();
      if (failing !== '') stderr.write('The catalogue is being read again; nothing was lost.\n');
      failing = '';
      if (outcome === 'begun') {
        stderr.write(
          'bookmarked the newest row; new events are shown from now on (--from shows older ones)\n',
        );
      }
      // The lists that a sweep reads have names that no row has.
      await sweepIfDue();
      await compare();
      await afterEach?.();
      if (isFirst) await afterFirst?.();
      isFirst = false;
      await notifier.indexWords();
      await notifier.keepWorklist();
      await notifier.tidy();
    } catch (error) {
      if (error === signal.reason) return;
      if (isLost(error) || (done === 1 && !mayPass(error, await notifier.hasBegun()))) throw error;
      const problem = messageOf(error);
      if (problem !== failing || clock.now() - saidAt >= SAID_AGAIN_MS) {
        stderr.write(`${problem} Trying again every ${every / 1000} s; Ctrl-C stops.\n`);
        saidAt = clock.now();
      }
      failing = problem;
    }
    if (done === polls) return;
    const nextPoll = clock.now() + every;
    await proveUntil(nextPoll);
    const left = nextPoll - clock.now();
    if (left > 0) await clock.sleep(left, signal).catch(() => {});
  }
}

/** Without a network no host name is known: the person may connect to one. A catalogue under maintenance answers with a page. */
const passingConditions: ReadonlySet<Condition> = new Set(['HOST_UNKNOWN', 'HTML', 'EMPTY']);

/** Whether the same poll may succeed later: a catalogue that was read with this state has the right address. */
const mayPass = (error: unknown, hasBegun: boolean): boolean =>
  error instanceof ServiceError && (hasBegun || error.transient || passingConditions.has(error.condition));

/** A state that is gone, or whose file was replaced, does not come back to this process. */
const isLost = (error: unknown): boolean => error instanceof StateError && error.code === 'STATE_LOST';

const messageOf = (error: unknown): string =>
  printable(error instanceof Error ? error.message : String(error));

const KEPT = 200;

/** A notifier whose polls and sweeps are recorded, and the record. */
export function recorded(
  notifier: LocalNotifier,
  { clock, every }: { readonly clock: Clock; readonly every: number },
): { readonly notifier: LocalNotifier; readonly record: WatchRecord } {
  const runs: Run[] = [];
  const startedAt = clock.now();
  const record = async <Report>(work: () => Promise<Report>, kind: 'poll' | 'sweep'): Promise<Report> => {
    const [begun, before] = [clock.now(), notifier.requests];
    const note = (outcome: object): void => {
      const at = clock.now();
      runs.unshift({ at, milliseconds: at - begun, requests: notifier.requests - before, ...outcome } as Run);
      runs.length = Math.min(runs.length, KEPT);
    };
    try {
      const report = await work();
      note({ kind, report });
      return report;
    } catch (error) {
      note({ kind: `failed ${kind}`, message: messageOf(error) });
      throw error;
    }
  };
  return {
    notifier: Object.assign(Object.create(notifier) as LocalNotifier, {
      poll: () => record(() => notifier.poll(), 'poll'),
      sweep: (accept: boolean) => record(() => notifier.sweep(accept), 'sweep'),
    }),
    record: {
      startedAt,
      every,
      runs: () => runs,
      get requests() {
        return notifier.requests;
      },
    },
  };
}
