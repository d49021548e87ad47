import { Duration } from 'aws-cdk-lib';
import type { Catalogue } from './settings.ts';

/** One function that runs for each catalogue on a schedule of its own. */
export interface Job {
  /** The module that exports `handler`, from the top of the repository. */
  readonly entry: string;
  readonly description: string;
  readonly every: (catalogue: Catalogue) => Duration;
  /** The scheduler starts a run at any moment of this window; undefined for exactly on time. */
  readonly within: (catalogue: Catalogue) => Duration | undefined;
  readonly timeout: Duration;
  readonly memoryMegabytes: number;
}

const poll: Job = {
  entry: 'lambdas/poll/handler.ts',
  description: 'Reads the activity log back to the mark and publishes its events',
  every: ({ pollEveryMinutes }) => Duration.minutes(pollEveryMinutes),
  within: ({ pollEveryMinutes, startWithinMinutes = Math.floor(pollEveryMinutes / 5) }) =>
    startWithinMinutes > 0 ? Duration.minutes(startWithinMinutes) : undefined,
  // Long enough for a deep backlog to reach its next checkpoint many times over; a quiet poll takes a second.
  timeout: Duration.minutes(5),
  // Lambda's share of a processor grows with memory: below this a poll takes longer and costs the same.
  memoryMegabytes: 1024,
};

/** What is deployed for each catalogue; the name becomes part of the function's. */
export const jobs = { poll } as const satisfies Readonly<Record<string, Job>>;
export type JobName = keyof typeof jobs;
