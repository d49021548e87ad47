import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/** Every kind of alarm; docs/runbook.md has a heading of the same name for each. */
export const alarmIds = [
  'runs-failing',
  'no-successful-poll',
  'lag-growing',
  'deadline-near',
  'feed-empty',
  'feed-shrunken',
  'feed-quiet',
  'log-behind-mark',
  'rows-from-the-future',
  'sweeps-failing',
  'listing-refused',
  'volume-high',
  'unclassified-share',
  'rows-quarantined',
  'catalogue-throttling',
  'credential-refused',
  'credential-expiring',
  'missed-runs',
  'failed-runs',
  'undelivered-messages',
  'unsent-messages',
  'export-late',
] as const;

export type AlarmId = (typeof alarmIds)[number];

/** When an alarm is raised: so many periods in a row in which the metric is at least, above or below a threshold. */
export interface AlarmRule {
  readonly id: AlarmId;
  /** One sentence for the reader of the alarm's e-mail: what was observed. */
  readonly observation: string;
  /** With its period and statistic. */
  readonly metric: IMetric;
  readonly comparison: 'at least' | 'above' | 'below';
  readonly threshold: number;
  readonly periods: number;
  /** What a period without data counts as. */
  readonly withoutData: 'ok' | 'alarm';
}
