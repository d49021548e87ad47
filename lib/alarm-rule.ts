import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/** Every alarm there is; docs/runbook.md has a heading of the same name for each. */
export const alarmIds = [
  'runs-failing',
  'no-successful-poll',
  'lag-growing',
  'deadline-near',
  'feed-empty',
  'feed-shrunken',
  'feed-quiet',
  'volume-high',
  'unclassified-share',
  'rows-quarantined',
  'catalogue-throttling',
  'credential-refused',
  'credential-expiring',
  'missed-runs',
  'failed-runs',
  'undelivered-messages',
] as const;

export type AlarmId = (typeof alarmIds)[number];

/** When a metric calls a person. */
export interface AlarmRule {
  readonly id: AlarmId;
  /** One sentence for the person who gets the e-mail: what was seen. */
  readonly says: string;
  /** Carries its period and statistic. */
  readonly metric: IMetric;
  readonly when: 'at least' | 'above' | 'below';
  readonly threshold: number;
  /** So many periods in a row. */
  readonly periods: number;
  /** Whether silence of the metric is itself the trouble. */
  readonly silence: 'is fine' | 'is trouble';
}
