import type { Clock } from '../../../lambdas/clock/clock.ts';
import type { PollReport } from '../../../lambdas/poll/report.ts';
import type { SweepReport } from '../../../lambdas/sweep/sweep-report.ts';
import { printable } from '../../terminal-text.ts';
import type { LocalNotifier } from '../notifier.ts';

interface EndedRun {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  readonly requests: number;
}

interface PollRun extends EndedRun {
  readonly kind: 'poll';
  readonly report: PollReport;
}

interface SweepRun extends EndedRun {
  readonly kind: 'sweep';
  readonly report: SweepReport;
}

interface FailedRun extends EndedRun {
  readonly kind: 'failed poll' | 'failed sweep';
  readonly message: string;
}

/** A poll or a sweep that ended, and how. */
export type Run = PollRun | SweepRun | FailedRun;

/** What the watcher of this process did lately. It is kept in memory only. */
export interface WatchRecord {
  /** When the watcher started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Seconds from poll to poll. */
  readonly every: number;
  /** Newest first. */
  runs(): readonly Run[];
  /** Requests to the catalogue since the start. */
  readonly requests: number;
}

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
      note({
        kind: `failed ${kind}`,
        message: printable(error instanceof Error ? error.message : String(error)),
      });
      throw error;
    }
  };
  return {
    notifier: {
      file: notifier.file,
      messages: notifier.messages,
      close: () => notifier.close(),
      poll: () => record(() => notifier.poll(), 'poll'),
      sweep: () => record(() => notifier.sweep(), 'sweep'),
      get requests() {
        return notifier.requests;
      },
    },
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
