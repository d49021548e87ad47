import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { AlarmRule } from './alarm-rule.ts';
import type { CatalogueMetrics } from './catalogue-metrics.ts';
import type { AlarmSettings, Catalogue } from './settings.ts';

const hour = Duration.hours(1);
const shift = Duration.hours(6);
const day = Duration.days(1);

/** A run that ends with less time than this to spare may soon not end at all. */
const SPARE_SECONDS = 30;

export interface WatchedCatalogue {
  readonly catalogue: Catalogue;
  readonly poller: IFunction;
  readonly metrics: CatalogueMetrics;
  readonly limits: AlarmSettings;
}

/** Every way in which one catalogue's events can fall silent or go wrong, each with the alarm that says so. */
export function catalogueAlarms(watched: WatchedCatalogue): readonly AlarmRule[] {
  return [...runAlarms(watched), ...feedAlarms(watched), ...accessAlarms(watched)];
}

function runAlarms({
  catalogue,
  poller,
  metrics: { metric },
  limits,
}: WatchedCatalogue): readonly AlarmRule[] {
  const poll = Duration.minutes(catalogue.pollEveryMinutes);
  return [
    {
      id: 'runs-failing',
      says: `Polls have failed in ${limits.silentPolls} periods in a row`,
      metric: poller.metricErrors({ period: poll, statistic: Stats.SUM }),
      when: 'at least',
      threshold: 1,
      periods: limits.silentPolls,
      silence: 'is fine',
    },
    {
      id: 'no-successful-poll',
      says: `No poll has reached its end in ${limits.silentPolls} periods in a row`,
      metric: metric('SuccessfulPolls', { period: poll, statistic: Stats.SUM }),
      when: 'below',
      threshold: 1,
      periods: limits.silentPolls,
      silence: 'is trouble',
    },
    {
      id: 'lag-growing',
      says: `The newest activity was published more than ${limits.lagMinutes} minutes after it was made`,
      metric: metric('LagSeconds', { period: poll, statistic: Stats.MAXIMUM }),
      when: 'above',
      threshold: limits.lagMinutes * 60,
      periods: 1,
      silence: 'is fine',
    },
    {
      id: 'deadline-near',
      says: `Polls end with less than ${SPARE_SECONDS} seconds to spare`,
      metric: metric('RemainingSeconds', { period: poll, statistic: Stats.MINIMUM }),
      when: 'below',
      threshold: SPARE_SECONDS,
      periods: limits.silentPolls,
      silence: 'is fine',
    },
  ];
}

function feedAlarms({ metrics: { metric }, limits }: WatchedCatalogue): readonly AlarmRule[] {
  const shrinkage = new MathExpression({
    expression: '-100 * DIFF(rows) / (rows - DIFF(rows))',
    usingMetrics: { rows: metric('FeedCount', { period: hour, statistic: Stats.MINIMUM }) },
    period: hour,
    label: 'Rows that vanished, in percent',
  });
  const share = new MathExpression({
    expression: 'IF(unclassified >= 3, 100 * unclassified / read, 0)',
    usingMetrics: {
      unclassified: metric('Unclassified', { period: shift, statistic: Stats.SUM }),
      read: metric('ActivitiesRead', { period: shift, statistic: Stats.SUM }),
    },
    period: shift,
    label: 'Unclassified rows, in percent',
  });
  return [
    {
      id: 'feed-empty',
      says: 'The catalogue says that its activity log is empty',
      metric: metric('FeedCount', { period: hour, statistic: Stats.MINIMUM }),
      when: 'below',
      threshold: 1,
      periods: 1,
      silence: 'is fine',
    },
    {
      id: 'feed-shrunken',
      says: `More than ${limits.shrunkenPercent} % of the activity log vanished within an hour or two`,
      metric: shrinkage,
      when: 'above',
      threshold: limits.shrunkenPercent,
      periods: 1,
      silence: 'is fine',
    },
    {
      id: 'feed-quiet',
      says: `Not one new activity in ${limits.quietDays} days of polls`,
      metric: metric('ActivitiesRead', { period: day, statistic: Stats.SUM }),
      when: 'below',
      threshold: 1,
      periods: limits.quietDays,
      silence: 'is fine',
    },
    {
      id: 'volume-high',
      says: `More than ${limits.eventsPerHour} events were published within an hour`,
      metric: metric('EventsPublished', { period: hour, statistic: Stats.SUM }),
      when: 'above',
      threshold: limits.eventsPerHour,
      periods: 1,
      silence: 'is fine',
    },
    {
      id: 'unclassified-share',
      says: `More than ${limits.unclassifiedPercent} % of the activities of six hours have a wording that is not known`,
      metric: share,
      when: 'above',
      threshold: limits.unclassifiedPercent,
      periods: 1,
      silence: 'is fine',
    },
    {
      id: 'rows-quarantined',
      says: 'Rows or events were set aside because they could not be used',
      metric: metric('Quarantined', { period: hour, statistic: Stats.SUM }),
      when: 'at least',
      threshold: 1,
      periods: 1,
      silence: 'is fine',
    },
  ];
}

function accessAlarms({ catalogue, metrics: { metric }, limits }: WatchedCatalogue): readonly AlarmRule[] {
  const throttling: AlarmRule = {
    id: 'catalogue-throttling',
    says: 'The catalogue has answered 429 at least three times within an hour',
    metric: metric('CatalogueThrottled', { period: hour, statistic: Stats.SUM }),
    when: 'at least',
    threshold: 3,
    periods: 1,
    silence: 'is fine',
  };
  if (catalogue.access.kind === 'none') return [throttling];
  const refused: AlarmRule = {
    id: 'credential-refused',
    says: 'The catalogue or its identity provider has refused the credential',
    metric: metric('CredentialRefused', { period: hour, statistic: Stats.SUM }),
    when: 'at least',
    threshold: 1,
    periods: 1,
    silence: 'is fine',
  };
  if (catalogue.access.credentialExpires === undefined) return [throttling, refused];
  const expiring: AlarmRule = {
    id: 'credential-expiring',
    says: `The credential expires in less than ${limits.credentialDays} days, on ${catalogue.access.credentialExpires}`,
    metric: metric('CredentialDaysLeft', { period: day, statistic: Stats.MINIMUM }),
    when: 'below',
    threshold: limits.credentialDays,
    periods: 1,
    silence: 'is fine',
  };
  return [throttling, refused, expiring];
}
