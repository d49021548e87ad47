import { defaultArchivePace } from '../../lambdas/panels/settings.ts';
import { type Job, type JobName, jobNames, jobs } from '../../lib/catalogue-reader.ts';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/guides/costs.md');

/** The cells of a table of a page, row by row, without the header that begins with some text. */
export function tableOf(prose: string, header: string): readonly (readonly string[])[] {
  const [, , ...rows] = prose.slice(prose.indexOf(header)).split(/\n\n/)[0]?.split('\n') ?? [];
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The rows of the page's table of assumptions, in order. */
const assumptions = [
  'catalogues',
  'credentials',
  'pollMinutes',
  'sweepMinutes',
  'proveMinutes',
  'rows',
  'events',
  'versions',
  'channels',
  'webhooks',
  'mails',
  'consumers',
] as const;
/** What a month's costs depend on, under the page's assumptions. */
export type Deployment = Readonly<Record<(typeof assumptions)[number], number>>;

const MINUTES = 730 * 60;
const DAYS = 730 / 24;

/** The deployments that the page states. */
export const [small, typical, large] = [1, 2, 3].map((column) => {
  const cells = tableOf(prose, '| | small |').map((row) => Number(row[column]?.replaceAll(',', '')));
  return Object.fromEntries(assumptions.map((name, row) => [name, cells[row]])) as Deployment;
}) as [Deployment, Deployment, Deployment];

/** A version of a panel is read twice, at the default pace: as the panel is, and once it ended. */
const secondsOfVersion = 2 * defaultArchivePace.secondsBetween;

/** The numbers of a month, in the units of the page. */
export function numbersOf(deployment: Deployment): Readonly<Record<string, number>> {
  const { catalogues, credentials, pollMinutes, sweepMinutes, proveMinutes, rows, events, versions } =
    deployment;
  const { channels, webhooks, mails, consumers } = deployment;
  const minutes: Readonly<Record<JobName, number>> = {
    poll: pollMinutes,
    sweep: sweepMinutes,
    prove: proveMinutes,
  };
  /** The sum over all jobs of every catalogue, each with its runs of a month. */
  const ofRuns = (count: (job: Job) => number): number =>
    jobNames.reduce((sum, name) => sum + (MINUTES / minutes[name]) * catalogues * count(jobs[name]), 0);
  const runs = ofRuns(() => 1) + MINUTES;
  return {
    'CloudWatch metrics': catalogues * 2 + credentials,
    'CloudWatch alarms': catalogues * 18 + credentials * 2 + 7,
    'KMS key': 1,
    'KMS requests': (MINUTES / 5 + events) / 10_000,
    'Secrets Manager': credentials + Math.min(1, webhooks),
    'Lambda, arm64':
      (ofRuns(({ quietRun, memoryMegabytes }) => (quietRun.seconds * memoryMegabytes) / 1024) +
        (versions * secondsOfVersion * jobs.prove.memoryMegabytes) / 1024 +
        MINUTES * 0.1 * 0.5 +
        DAYS * 10 * 0.5) /
      1_000,
    'Lambda requests': (runs + events / 10) / 1e6,
    'DynamoDB writes': (rows * 5 + events * 4 + versions * 84 + mails * 13) / 1e6,
    'DynamoDB reads':
      (ofRuns(({ quietRun }) => quietRun.reads) + versions * 210 + channels * (6 * MINUTES + 2_000 * DAYS)) /
      1e6,
    'DynamoDB storage': (events * 12 * 3.5 + versions * 12 * 11) / 1e6,
    'CloudWatch Logs': (runs + rows * 2) / 1e6,
    SNS: events / 1e6,
    'E-mail by SNS': mails / 100_000,
    'SQS requests': Math.max(0, (1 + consumers) * 15 * MINUTES - 1e6) / 1e6,
    Scheduler: 0,
  };
}

/** The rows of the page's table of prices and numbers. */
export const priced = tableOf(prose, '| what | $ for |').slice(0, -1);

/** What numbers of a month cost in dollars, by the page's prices. */
export function costOf(numbers: Readonly<Record<string, number>>): number {
  return priced.reduce((sum, [what = '', , price]) => sum + Number(price) * (numbers[what] ?? Number.NaN), 0);
}
