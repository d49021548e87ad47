import type { PollReport } from '../../lambdas/poll/report.ts';
import type { SweepReport } from '../../lambdas/reconcile/sweep-report.ts';

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
