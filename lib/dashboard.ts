import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type MetricName, typeDimension } from '../lambdas/run/metric-names.ts';
import type { DeadLetters } from './dead-letters.ts';

interface DashboardProps {
  readonly name: string;
  readonly alarmNames: readonly string[];
  readonly catalogues: readonly { readonly name: string; readonly functions: readonly LambdaFunction[] }[];
  readonly deadLetters: DeadLetters;
}

const period = Duration.minutes(15);
const WIDTH = 24;
/** More CloudWatch does not take. */
const ALARMS_OF_A_WIDGET = 100;

/** The figures of the runs of a catalogue that are drawn together, and how those of a quarter of an hour are summed up. */
const graphs: readonly {
  readonly title: string;
  readonly figures: readonly MetricName[];
  readonly by: 'sum' | 'min' | 'max';
}[] = [
  { title: 'Polls', figures: ['SuccessfulPolls'], by: 'sum' },
  { title: 'Activities and events', figures: ['ActivitiesRead', 'EventsPublished'], by: 'sum' },
  {
    title: 'Unclassified, late and quarantined rows',
    figures: ['Unclassified', 'LateActivities', 'Quarantined'],
    by: 'sum',
  },
  {
    title: 'Anomalies of the log',
    figures: [
      'LogBehindMark',
      'LogEmpty',
      'LogShrunken',
      'RowsFromTheFuture',
      'PanelsUnlisted',
      'StateSetBack',
      'RowsWaiting',
    ],
    by: 'sum',
  },
  { title: 'Rows before the overlap', figures: ['RowsUnexplained'], by: 'max' },
  { title: 'Sweeps', figures: ['SuccessfulSweeps', 'SweepsUnfinished', 'ListingsRefused'], by: 'sum' },
  { title: 'Panels and regions listed', figures: ['PanelsListed', 'RegionsListed'], by: 'min' },
  { title: 'Panel versions proven, percent', figures: ['CompletenessPercent'], by: 'min' },
  {
    title: 'Versions that nothing proves',
    figures: ['VersionsUnproven', 'VersionsUnprovenForADay'],
    by: 'max',
  },
  {
    title: 'Versions proven, and requests for states',
    figures: ['VersionsProven', 'StateRequests'],
    by: 'sum',
  },
  { title: 'Events corrected', figures: ['EventsCorrected'], by: 'sum' },
  { title: 'Panels left to the next run', figures: ['PanelsUnread'], by: 'min' },
  { title: 'Lag', figures: ['LagSeconds'], by: 'max' },
  { title: 'Time left when a poll ends', figures: ['RemainingSeconds'], by: 'min' },
  { title: 'Rows in the log', figures: ['FeedCount'], by: 'min' },
  {
    title: 'Requests to the catalogue',
    figures: ['CatalogueRequests', 'CatalogueRetries', 'CatalogueThrottled'],
    by: 'sum',
  },
  { title: 'Access', figures: ['TokenRequests', 'CredentialRefused'], by: 'sum' },
  { title: 'Days until the credential expires', figures: ['CredentialDaysLeft'], by: 'min' },
];

/**
 * The dashboard of the operator: alarms first, then each catalogue, then the dead letters. It reads the figures from the
 * log, where they cost nothing until somebody looks.
 */
export function dashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { name, alarmNames, catalogues, deadLetters } = props;
  const alarms = alarmNames.map((alarm) => Alarm.fromAlarmName(scope, `Shown-${alarm}`, alarm));
  const depth = (queue: IQueue): IMetric =>
    queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
  return new Dashboard(scope, id, {
    dashboardName: name,
    defaultInterval: Duration.days(1),
    widgets: [
      ...chunksOf(alarms, ALARMS_OF_A_WIDGET).map((shown) => [
        new AlarmStatusWidget({ title: 'Alarms', alarms: [...shown], width: WIDTH }),
      ]),
      ...catalogues.flatMap((catalogue) => [
        [new TextWidget({ markdown: `# ${catalogue.name}`, width: WIDTH, height: 1 })],
        catalogueGraphs(catalogue),
      ]),
      [
        new GraphWidget({
          title: 'Dead letters',
          left: Object.values(deadLetters.byName).map(depth),
          width: WIDTH,
        }),
      ],
    ],
  });
}

const chunksOf = <Value>(all: readonly Value[], size: number): readonly (readonly Value[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

function catalogueGraphs({ functions }: DashboardProps['catalogues'][number]): IWidget[] {
  const logGroupNames = functions.map((each) => each.logGroup.logGroupName);
  const every = `bin(${period.toMinutes()}m)`;
  const drawn = graphs.map(({ title, figures, by }) => {
    const sums = figures.map((figure) => `${by}(${figure}) as ${by}${figure}`);
    return new LogQueryWidget({
      title,
      logGroupNames,
      view: LogQueryVisualizationType.LINE,
      queryLines: [
        `filter ${figures.map((figure) => `ispresent(${figure})`).join(' or ')}`,
        `stats ${sums.join(', ')} by ${every}`,
      ],
    });
  });
  const byType = new LogQueryWidget({
    title: 'Events by type',
    logGroupNames,
    view: LogQueryVisualizationType.BAR,
    queryLines: ['filter ispresent(EventsOfType)', `stats sum(EventsOfType) as events by ${typeDimension}`],
  });
  const runs = new GraphWidget({
    title: 'Runs: errors and longest duration',
    left: functions.map((each) => each.metricErrors({ period, statistic: Stats.SUM })),
    right: functions.map((each) => each.metricDuration({ period, statistic: Stats.MAXIMUM })),
  });
  return [...drawn, byType, runs];
}
