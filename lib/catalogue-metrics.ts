import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { catalogueDimension, type MetricName } from '../lambdas/metrics/names.ts';

/** The metrics that the functions of one catalogue write. */
export interface CatalogueMetrics {
  readonly namespace: string;
  readonly catalogue: string;
  readonly metric: (
    name: MetricName,
    over: { readonly period: Duration; readonly statistic: string },
  ) => Metric;
}

/** Makes the metrics of one catalogue, in the namespace of the deployment. */
export function catalogueMetrics(namespace: string, catalogue: string): CatalogueMetrics {
  return {
    namespace,
    catalogue,
    metric: (metricName, { period, statistic }) =>
      new Metric({
        namespace,
        metricName,
        dimensionsMap: { [catalogueDimension]: catalogue },
        period,
        statistic,
      }),
  };
}
