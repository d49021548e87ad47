import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AlarmId, AlarmRule } from './alarm-rule.ts';
import type { DeadLetters } from './dead-letters.ts';

/** One alarm for each dead-letter queue: raised by the first message, until the queue is empty again. */
export function deadLetterAlarms({
  missedRuns,
  failedRuns,
  undelivered,
  unsent,
}: DeadLetters): readonly AlarmRule[] {
  const rule = (id: AlarmId, queue: IQueue, observation: string): AlarmRule => ({
    id,
    observation,
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(5),
      statistic: Stats.MAXIMUM,
    }),
    comparison: 'at least',
    threshold: 1,
    periods: 1,
    withoutData: 'ok',
  });
  return [
    rule('missed-runs', missedRuns, 'The scheduler could not start a run'),
    rule('failed-runs', failedRuns, 'A run failed, and its repetition failed too'),
    rule('undelivered-messages', undelivered, 'A subscription could not deliver a message'),
    rule('unsent-messages', unsent, 'A message could not be sent to its channel for a day'),
  ];
}
