import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { catalogueDimension, type MetricName, typeDimension } from '../lambdas/metrics/names.ts';
import type { CatalogueMetrics } from './catalogue-metrics.ts';
import type { DeadLetters } from './dead-letters.ts';

interface DashboardProps {
  readonly name: string;
  readonly alarmNames: readonly string[];
  readonly catalogues: readonly {
    readonly metrics: CatalogueMetrics;
    readonly functions: readonly IFunction[];
  }[];
  readonly deadLetters: DeadLetters;
}

const period = Duration.minutes(15);
const WIDTH = 24;

/** The graphs of each catalogue: one for each entry, with metrics that belong together. */
const graphs: readonly {
  readonly title: string;
  readonly metrics: readonly MetricName[];
  readonly statistic: string;
}[] = [
  { title: 'Polls', metrics: ['SuccessfulPolls'], statistic: Stats.SUM },
  { title: 'Activities and events', metrics: ['ActivitiesRead', 'EventsPublished'], statistic: Stats.SUM },
  {
    title: 'Unclassified, late and quarantined rows',
    metrics: ['Unclassified', 'LateActivities', 'Quarantined'],
    statistic: Stats.SUM,
  },
  {
    title: 'Anomalies of the log',
    metrics: [
      'LogBehindMark',
      'LogShrunken',
      'RowsFromTheFuture',
      'PanelsUnlisted',
      'StateSetBack',
      'RowsWaiting',
    ],
    statistic: Stats.SUM,
  },
  { title: 'Rows behind the overlap', metrics: ['RowsUnexplained'], statistic: Stats.MAXIMUM },
  {
    title: 'Sweeps',
    metrics: ['SuccessfulSweeps', 'ListingsRefused'],
    statistic: Stats.SUM,
  },
  {
    title: 'Panels and regions listed',
    metrics: ['PanelsListed', 'RegionsListed'],
    statistic: Stats.MINIMUM,
  },
  {
    title: 'Panel versions explained, percent',
    metrics: ['CompletenessPercent'],
    statistic: Stats.MINIMUM,
  },
  { title: 'Lag', metrics: ['LagSeconds'], statistic: Stats.MAXIMUM },
  { title: 'Time left when a poll ends', metrics: ['RemainingSeconds'], statistic: Stats.MINIMUM },
  { title: 'Rows in the log', metrics: ['FeedCount'], statistic: Stats.MINIMUM },
  {
    title: 'Requests to the catalogue',
    metrics: ['CatalogueRequests', 'CatalogueRetries', 'CatalogueThrottled'],
    statistic: Stats.SUM,
  },
  { title: 'Access', metrics: ['TokenRequests', 'CredentialRefused'], statistic: Stats.SUM },
  { title: 'Days until the credential expires', metrics: ['CredentialDaysLeft'], statistic: Stats.MINIMUM },
];

/** The dashboard of the operator: alarms first, then each catalogue, then the dead letters. */
export function dashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { name, alarmNames, catalogues, deadLetters } = props;
  const alarms = alarmNames.map((alarm) => Alarm.fromAlarmName(scope, `Shown-${alarm}`, alarm));
  const depth = (queue: IQueue): IMetric =>
    queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
  return new Dashboard(scope, id, {
    dashboardName: name,
    defaultInterval: Duration.days(1),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: WIDTH })],
      ...catalogues.flatMap(({ metrics, functions }) => [
        [new TextWidget({ markdown: `# ${metrics.catalogue}`, width: WIDTH, height: 1 })],
        catalogueGraphs(metrics, functions),
      ]),
      [
        new GraphWidget({
          title: 'Dead letters',
          left: [
            deadLetters.missedRuns,
            deadLetters.failedRuns,
            deadLetters.undelivered,
            deadLetters.unsent,
          ].map(depth),
          width: WIDTH,
        }),
      ],
    ],
  });
}

function catalogueGraphs(metrics: CatalogueMetrics, functions: readonly IFunction[]): IWidget[] {
  const drawn = graphs.map(
    ({ title, metrics: names, statistic }) =>
      new GraphWidget({ title, left: names.map((name) => metrics.metric(name, { period, statistic })) }),
  );
  const byType = new GraphWidget({ title: 'Events by type', left: [eventsByType(metrics)], stacked: true });
  const runs = new GraphWidget({
    title: 'Runs: errors and longest duration',
    left: functions.map((each) => each.metricErrors({ period, statistic: Stats.SUM })),
    right: functions.map((each) => each.metricDuration({ period, statistic: Stats.MAXIMUM })),
  });
  return [...drawn, byType, runs];
}

function eventsByType({ namespace, catalogue }: CatalogueMetrics): MathExpression {
  const dimensions = `"${namespace}",${catalogueDimension},${typeDimension}`;
  return new MathExpression({
    expression: `SEARCH('{${dimensions}} MetricName="EventsPublished" ${catalogueDimension}="${catalogue}"', 'Sum', ${period.toSeconds()})`,
    usingMetrics: {},
    label: '',
    period,
  });
}
