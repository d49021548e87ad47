import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { DeadLetterName, FunctionName, Watch } from '../lambdas/run/alarm-kind.ts';
import { catalogueDimension, type WatchedMetric } from '../lambdas/run/metric-names.ts';

/** Where the figures come from that alarms watch. */
export interface Watched {
  /** Of the metrics that the functions write. */
  readonly namespace: string;
  /** The catalogue's configured name; undefined for what a deployment has once. */
  readonly catalogue?: string | undefined;
  readonly functions?: Readonly<Partial<Record<FunctionName, IFunction | undefined>>> | undefined;
  readonly queues?: Readonly<Record<DeadLetterName, IQueue>> | undefined;
  /** The name of the export's stream. */
  readonly stream?: string | undefined;
  /** Holds the events that are not on the bus yet. */
  readonly busQueue?: IQueue | undefined;
  /** The id of the page's HTTP API. */
  readonly pageApi?: string | undefined;
}

const statistics = {
  sum: Stats.SUM,
  minimum: Stats.MINIMUM,
  maximum: Stats.MAXIMUM,
  samples: Stats.SAMPLE_COUNT,
} as const satisfies Record<Watch['statistic'], string>;

/**
 * The metric of CloudWatch for what an alarm watches.
 * @throws {Error} when the alarm watches something that this deployment does not have
 */
export function watchedMetric({ measured, ...watch }: Watch, from: Watched): IMetric {
  const period = Duration.minutes(watch.minutes);
  const over = { period, statistic: statistics[watch.statistic] };
  const own = (metricName: WatchedMetric, catalogue = from.catalogue): Metric =>
    new Metric({
      namespace: from.namespace,
      metricName,
      ...(catalogue !== undefined && { dimensionsMap: { [catalogueDimension]: catalogue } }),
      ...over,
    });
  switch (measured.from) {
    case 'errors':
      return there(from.functions?.[measured.of], 'function').metricErrors(over);
    case 'catalogue':
      return own(measured.metric, there(from.catalogue, 'catalogue'));
    case 'deployment':
      return own(measured.metric);
    case 'queue':
      return there(from.queues, 'queue')[measured.queue].metricApproximateNumberOfMessagesVisible(over);
    case 'export':
      return new Metric({
        namespace: 'AWS/Firehose',
        metricName: 'DeliveryToS3.DataFreshness',
        dimensionsMap: { DeliveryStreamName: there(from.stream, 'export') },
        ...over,
      });
    case 'event bus':
      return there(from.busQueue, 'queue of an event bus').metricApproximateAgeOfOldestMessage(over);
    case 'page':
      return new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: '5xx',
        dimensionsMap: { ApiId: there(from.pageApi, 'page') },
        ...over,
      });
    case 'share':
      return new MathExpression({
        expression: `IF(part >= ${measured.atLeast}, 100 * part / whole, 0)`,
        usingMetrics: { part: own(measured.part), whole: own(measured.whole) },
        period,
        label: `${measured.part} of ${measured.whole}, in percent`,
      });
    default:
      return measured satisfies never;
  }
}

function there<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`An alarm watches a ${what} that this deployment does not have`);
  return value;
}
