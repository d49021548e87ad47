import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { AlarmRule } from './alarm-rule.ts';
import type { CatalogueMetrics } from './catalogue-metrics.ts';
import type { AlarmSettings, Catalogue } from './settings.ts';

const hour = Duration.hours(1);
const sixHours = Duration.hours(6);
const day = Duration.days(1);

/** A run that ends with less time left than this may soon reach its time limit. */
const SPARE_SECONDS = 30;

interface MonitoredCatalogue {
  readonly catalogue: Catalogue;
  readonly poller: IFunction;
  readonly metrics: CatalogueMetrics;
  readonly limits: AlarmSettings;
}

/** The alarms of one catalogue: one for each way in which its events can stop or go wrong. */
export function catalogueAlarms(monitored: MonitoredCatalogue): readonly AlarmRule[] {
  return [
    ...runAlarms(monitored),
    ...sweepAlarms(monitored),
    ...feedAlarms(monitored),
    ...accessAlarms(monitored),
  ];
}

/** Sweeps that may fail or be missing in a row. */
const SILENT_SWEEPS = 3;

function sweepAlarms({ catalogue, metrics: { metric } }: MonitoredCatalogue): readonly AlarmRule[] {
  const sweep = Duration.minutes(catalogue.sweepEveryMinutes);
  return [
    {
      id: 'sweeps-failing',
      observation: `No sweep has compared the listings to their end in ${SILENT_SWEEPS} periods in a row`,
      metric: metric('SuccessfulSweeps', { period: sweep, statistic: Stats.SUM }),
      comparison: 'below',
      threshold: 1,
      periods: SILENT_SWEEPS,
      withoutData: 'alarm',
    },
    {
      id: 'listing-refused',
      observation:
        'A listing of the panels or regions was half read, empty, much shorter than before or renumbered, or many panels have the same kind of change',
      metric: metric('ListingsRefused', { period: sweep, statistic: Stats.SUM }),
      comparison: 'at least',
      threshold: 1,
      periods: 1,
      withoutData: 'ok',
    },
  ];
}

function runAlarms({
  catalogue,
  poller,
  metrics: { metric },
  limits,
}: MonitoredCatalogue): readonly AlarmRule[] {
  const poll = Duration.minutes(catalogue.pollEveryMinutes);
  return [
    {
      id: 'runs-failing',
      observation: `Polls have failed in ${limits.silentPolls} periods in a row`,
      metric: poller.metricErrors({ period: poll, statistic: Stats.SUM }),
      comparison: 'at least',
      threshold: 1,
      periods: limits.silentPolls,
      withoutData: 'ok',
    },
    {
      id: 'no-successful-poll',
      observation: `No poll has succeeded in ${limits.silentPolls} periods in a row`,
      metric: metric('SuccessfulPolls', { period: poll, statistic: Stats.SUM }),
      comparison: 'below',
      threshold: 1,
      periods: limits.silentPolls,
      withoutData: 'alarm',
    },
    {
      id: 'lag-growing',
      observation: `The newest activity was published more than ${limits.lagMinutes} minutes after it was recorded`,
      metric: metric('LagSeconds', { period: poll, statistic: Stats.MAXIMUM }),
      comparison: 'above',
      threshold: limits.lagMinutes * 60,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'deadline-near',
      observation: `Polls end with less than ${SPARE_SECONDS} seconds left`,
      metric: metric('RemainingSeconds', { period: poll, statistic: Stats.MINIMUM }),
      comparison: 'below',
      threshold: SPARE_SECONDS,
      periods: limits.silentPolls,
      withoutData: 'ok',
    },
  ];
}

function feedAlarms({ metrics: { metric }, limits }: MonitoredCatalogue): readonly AlarmRule[] {
  const shrinkage = new MathExpression({
    expression: '-100 * DIFF(rows) / (rows - DIFF(rows))',
    usingMetrics: { rows: metric('FeedCount', { period: hour, statistic: Stats.MINIMUM }) },
    period: hour,
    label: 'Rows that disappeared, in percent',
  });
  const share = new MathExpression({
    expression: 'IF(unclassified >= 3, 100 * unclassified / read, 0)',
    usingMetrics: {
      unclassified: metric('Unclassified', { period: sixHours, statistic: Stats.SUM }),
      read: metric('ActivitiesRead', { period: sixHours, statistic: Stats.SUM }),
    },
    period: sixHours,
    label: 'Unclassified rows, in percent',
  });
  return [
    {
      id: 'feed-empty',
      observation: 'The catalogue returns an empty activity log',
      metric: metric('FeedCount', { period: hour, statistic: Stats.MINIMUM }),
      comparison: 'below',
      threshold: 1,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'feed-shrunken',
      observation: `More than ${limits.shrunkenPercent} % of the rows of the activity log disappeared within two hours`,
      metric: shrinkage,
      comparison: 'above',
      threshold: limits.shrunkenPercent,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'feed-quiet',
      observation: `Polls found no new activity for ${limits.quietDays} days`,
      metric: metric('ActivitiesRead', { period: day, statistic: Stats.SUM }),
      comparison: 'below',
      threshold: 1,
      periods: limits.quietDays,
      withoutData: 'ok',
    },
    {
      id: 'log-behind-mark',
      observation: 'The newest row of the activity log is older than the mark',
      metric: metric('LogBehindMark', { period: hour, statistic: Stats.SUM }),
      comparison: 'at least',
      threshold: 1,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'rows-from-the-future',
      observation: "The activity log has rows that are dated after the catalogue's own time",
      metric: metric('RowsFromTheFuture', { period: hour, statistic: Stats.SUM }),
      comparison: 'at least',
      threshold: 1,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'volume-high',
      observation: `More than ${limits.eventsPerHour} events were published within an hour`,
      metric: metric('EventsPublished', { period: hour, statistic: Stats.SUM }),
      comparison: 'above',
      threshold: limits.eventsPerHour,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'unclassified-share',
      observation: `More than ${limits.unclassifiedPercent} % of the activities of six hours have text that no template matches`,
      metric: share,
      comparison: 'above',
      threshold: limits.unclassifiedPercent,
      periods: 1,
      withoutData: 'ok',
    },
    {
      id: 'rows-quarantined',
      observation: 'A row could not be read, or SNS refused an event for its content',
      metric: metric('Quarantined', { period: hour, statistic: Stats.SUM }),
      comparison: 'at least',
      threshold: 1,
      periods: 1,
      withoutData: 'ok',
    },
  ];
}

function accessAlarms({ catalogue, metrics: { metric }, limits }: MonitoredCatalogue): readonly AlarmRule[] {
  const throttling: AlarmRule = {
    id: 'catalogue-throttling',
    observation: 'The catalogue has answered 429 at least three times within an hour',
    metric: metric('CatalogueThrottled', { period: hour, statistic: Stats.SUM }),
    comparison: 'at least',
    threshold: 3,
    periods: 1,
    withoutData: 'ok',
  };
  if (catalogue.access.kind === 'none') return [throttling];
  const refused: AlarmRule = {
    id: 'credential-refused',
    observation: 'The catalogue or its identity provider has refused the credential',
    metric: metric('CredentialRefused', { period: hour, statistic: Stats.SUM }),
    comparison: 'at least',
    threshold: 1,
    periods: 1,
    withoutData: 'ok',
  };
  if (catalogue.access.credentialExpires === undefined) return [throttling, refused];
  const expiring: AlarmRule = {
    id: 'credential-expiring',
    observation: `The credential expires in less than ${limits.credentialDays} days, on ${catalogue.access.credentialExpires}`,
    metric: metric('CredentialDaysLeft', { period: day, statistic: Stats.MINIMUM }),
    comparison: 'below',
    threshold: limits.credentialDays,
    periods: 1,
    withoutData: 'ok',
  };
  return [throttling, refused, expiring];
}
