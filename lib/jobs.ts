import { Duration } from 'aws-cdk-lib';
import type { FollowedPanels } from '../lambdas/filters/followed-panels.ts';
import type { CatalogueEnvironment } from '../lambdas/functions/catalogue-settings.ts';
import type { PollEnvironment } from '../lambdas/functions/poll/settings.ts';
import type { ProveEnvironment } from '../lambdas/functions/prove/settings.ts';
import type { SweepEnvironment } from '../lambdas/functions/sweep/settings.ts';
import type { AlarmId } from '../lambdas/run/alarm-kinds.ts';
import type { AlarmSettings, Catalogue } from './settings.ts';

/**
 * A function that is deployed once for each catalogue and runs on a schedule. This is its whole declaration: the log, the role,
 * the schedule and the dead letters follow from it. Its alarm has a heading in the runbook, and its costs are part of the
 * costs page; tests compare both. What its code may call is a line of `test/lib/proofs/function-needs.ts`.
 */
export interface Job {
  /** The module that exports `handler`, relative to the top of the repository. */
  readonly entry: string;
  readonly description: string;
  /** The function's environment variables: those that all jobs of a catalogue share, and its own. */
  readonly environment: (
    shared: CatalogueEnvironment,
    catalogue: Catalogue,
    given: { readonly limits: AlarmSettings; readonly followed: FollowedPanels },
  ) => CatalogueEnvironment;
  readonly every: (catalogue: Catalogue) => Duration;
  /** The scheduler starts a run at any moment of this window; undefined for exactly on time. */
  readonly within: (catalogue: Catalogue) => Duration | undefined;
  readonly timeout: Duration;
  readonly memoryMegabytes: number;
  /** The alarm that is raised when none of its runs reaches its end, for whichever reason. */
  readonly alarm: AlarmId;
  /** Whether it reads what is kept of the catalogues that its own one is compared with. */
  readonly comparesCatalogues?: true;
  /** A run that finds nothing new, for the costs: seconds, and reads of the tables. */
  readonly quietRun: { readonly seconds: number; readonly reads: number };
}

const poll: Job = {
  entry: 'lambdas/functions/poll/handler.ts',
  description: 'Reads the activity log back to the mark and publishes its events',
  environment: (
    shared,
    { overlapMinutes, from, movedFrom },
    { limits: { shrunkenPercent } },
  ): PollEnvironment => ({
    ...shared,
    OVERLAP_MINUTES: String(overlapMinutes),
    SHRUNKEN_LOG_PERCENT: String(shrunkenPercent),
    START_FROM: from,
    MOVED_FROM: movedFrom,
  }),
  every: ({ pollEveryMinutes }) => Duration.minutes(pollEveryMinutes),
  within: ({ pollEveryMinutes, startWithinMinutes = Math.floor(pollEveryMinutes / 5) }) =>
    startWithinMinutes > 0 ? Duration.minutes(startWithinMinutes) : undefined,
  // A deep backlog reaches many checkpoints in this time; a quiet poll takes a second.
  timeout: Duration.minutes(5),
  // Lambda's share of a processor grows with memory: below this a poll takes longer and costs the same.
  memoryMegabytes: 1024,
  alarm: 'no-successful-poll',
  quietRun: { seconds: 0.7, reads: 20 },
};

const sweep: Job = {
  entry: 'lambdas/functions/sweep/handler.ts',
  description: 'Compares the listings of panels and regions and publishes what changed without a row',
  environment: (shared, { overlapMinutes, shrunkenListingPercent, sameChangePercent }): SweepEnvironment => ({
    ...shared,
    OVERLAP_MINUTES: String(overlapMinutes),
    SHRUNKEN_PERCENT: String(shrunkenListingPercent),
    SAME_CHANGE_PERCENT: String(sameChangePercent),
  }),
  every: ({ sweepEveryMinutes }) => Duration.minutes(sweepEveryMinutes),
  // Many readers would otherwise list the panels at the same minute.
  within: ({ sweepEveryMinutes }) => Duration.minutes(Math.floor(sweepEveryMinutes / 4)),
  timeout: Duration.minutes(5),
  // Most of a run waits for pages; what is read of the log fits, as the test of memory shows.
  memoryMegabytes: 512,
  alarm: 'sweeps-failing',
  quietRun: { seconds: 20, reads: 200 },
};

const prove: Job = {
  entry: 'lambdas/functions/prove/handler.ts',
  description: 'Reads what panels hold, and proves each version by the events that lead to it',
  environment: (shared, { overlapMinutes, comparedWith }, { followed }): ProveEnvironment => ({
    ...shared,
    OVERLAP_MINUTES: String(overlapMinutes),
    FOLLOWED_PANELS: shortJson(followed),
    COMPARED_WITH: Object.keys(comparedWith).length === 0 ? undefined : comparedJson(comparedWith),
  }),
  every: ({ proveEveryMinutes }) => Duration.minutes(proveEveryMinutes),
  within: ({ proveEveryMinutes }) => Duration.minutes(Math.floor(proveEveryMinutes / 4)),
  // Fifty requests at the default pace; a run that begins before it ends is refused, and the next one goes on.
  timeout: Duration.minutes(10),
  // Most of a run waits; the largest state has several megabytes of JSON.
  memoryMegabytes: 512,
  alarm: 'proofs-failing',
  quietRun: { seconds: 1, reads: 60 },
  comparesCatalogues: true,
};

/** Where a function finds the files of pairs, by the catalogue that is compared. */
export const pairsFile = (catalogue: string): string => `pairs/${catalogue}.csv`;

const comparedJson = (comparedWith: Catalogue['comparedWith']): string =>
  JSON.stringify(
    Object.entries(comparedWith).map(([catalogue, { pairs }]) => ({
      catalogue,
      ...(pairs !== undefined && { pairs: `/opt/${pairsFile(catalogue)}` }),
    })),
  );

/** Environment variables hold 4 KB together: panels that do not fit are read in the usual order. */
const FOLLOWED_CHARACTERS = 1500;

function shortJson(followed: FollowedPanels): string {
  const { panels, types, codes } = followed;
  const json = JSON.stringify(followed);
  if (json.length <= FOLLOWED_CHARACTERS) return json;
  const half = <Value>(list: readonly Value[]): Value[] => list.slice(0, Math.floor(list.length / 2));
  return shortJson({ panels: half(panels), types: half(types), codes: half(codes) });
}

/** The jobs of each catalogue. A job's name becomes part of the name of its functions. */
export const jobs = { poll, sweep, prove } as const satisfies Readonly<Record<string, Job>>;
export type JobName = keyof typeof jobs;
export const jobNames = Object.keys(jobs) as readonly JobName[];
