import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AlarmId, AlarmRule } from './alarm-rule.ts';
import type { DeadLetters } from './dead-letters.ts';

/** One alarm a dead-letter queue, raised by the first message and until the queue is empty again. */
export function deadLetterAlarms({ missedRuns, failedRuns, undelivered }: DeadLetters): readonly AlarmRule[] {
  const rule = (id: AlarmId, queue: IQueue, says: string): AlarmRule => ({
    id,
    says,
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(5),
      statistic: Stats.MAXIMUM,
    }),
    when: 'at least',
    threshold: 1,
    periods: 1,
    silence: 'is fine',
  });
  return [
    rule('missed-runs', missedRuns, 'The scheduler could not start a run'),
    rule('failed-runs', failedRuns, 'A run failed, and its repeat as well'),
    rule('undelivered-messages', undelivered, 'A subscription could not deliver a message'),
  ];
}
