import { Annotations, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  type AlarmFacts,
  type AlarmId,
  type AlarmScope,
  alarmIds,
  alarmKind,
  type DeadLetterName,
  type FunctionName,
  type Watch,
  whatToDo,
} from '../lambdas/run/alarm-kinds.ts';
import { catalogueDimension, type WatchedMetric } from '../lambdas/run/metric-names.ts';
import type { DeploymentParts } from './bundled-function.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import { dashboard } from './dashboard.ts';
import type { EventBus, EventExport } from './event-bus.ts';
import type { Messages } from './messages.ts';
import type { Relay } from './relay.ts';
import type { Catalogue } from './settings.ts';
import type { TeamPage } from './team-page.ts';

interface OperationsProps extends DeploymentParts {
  readonly readers: Readonly<Record<string, CatalogueReader>>;
  readonly export: Pick<EventExport, 'stream'> | undefined;
  readonly eventBus: Pick<EventBus, 'queue'> | undefined;
  readonly page: Pick<TeamPage, 'api'> | undefined;
  readonly relay: Pick<Relay, 'function'> | undefined;
  /** What sends messages; undefined where nothing does. */
  readonly messages: Pick<Messages, 'function'> | undefined;
}

/** The alarms, their e-mail, and the dashboard where the settings ask for it. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { settings, topics, deadLetters, readers } = props;
    const { prefix, alarms: limits } = settings;
    const monitored = Object.entries(readers).map(([name, { catalogue, functions }]) => {
      const alarms = new Alarms(this, name, {
        topic: topics.alarms,
        prefix: `${prefix}-${name}`,
        scopes: ['catalogue'],
        facts: { limits, ...factsOf(catalogue) },
        watched: {
          namespace: prefix,
          catalogue: name,
          functions: {
            poll: functions.poll.function,
            sweep: functions.sweep.function,
            prove: functions.prove.function,
          },
        },
      });
      return { name, alarms, functions: Object.values(functions).map((each) => each.function) };
    });
    const once = new Alarms(this, 'DeadLetters', {
      topic: topics.alarms,
      prefix,
      scopes: [
        'queues',
        ...(props.messages ? (['messages'] as const) : []),
        ...(props.export ? (['export'] as const) : []),
        ...(props.eventBus ? (['event bus'] as const) : []),
        ...(props.page ? (['page'] as const) : []),
        ...(props.relay ? (['relay'] as const) : []),
      ],
      facts: { limits, ...wholeDeployment },
      watched: {
        namespace: prefix,
        functions: { notify: props.messages?.function, relay: props.relay?.function },
        queues: deadLetters.byName,
        stream: props.export?.stream.ref,
        busQueue: props.eventBus?.queue,
        pageApi: props.page?.api.ref,
      },
    });
    if (settings.dashboard) {
      dashboard(this, 'Dashboard', {
        name: prefix,
        alarmNames: [...monitored.flatMap(({ alarms }) => alarms.names), ...once.names],
        catalogues: monitored,
        deadLetters,
      });
    }
    if (limits.email === undefined) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:no-alarm-address',
        'alarms.email is not set: no person is notified of an alarm unless something else subscribes to the alarm topic',
      );
    } else {
      topics.alarms.addSubscription(
        new EmailSubscription(limits.email, { deadLetterQueue: deadLetters.undelivered }),
      );
    }
    if (limits.runbook === undefined) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:no-runbook-address',
        'alarms.runbook is not set: alarms name docs/runbook.md and a heading, without a link. Set it to the address at which your colleagues read that page',
      );
    }
  }
}

type CatalogueFacts = Omit<AlarmFacts, 'limits'>;

function factsOf({
  pollEveryMinutes,
  sweepEveryMinutes,
  proveEveryMinutes,
  access,
}: Catalogue): CatalogueFacts {
  return {
    pollMinutes: pollEveryMinutes,
    sweepMinutes: sweepEveryMinutes,
    proveMinutes: proveEveryMinutes,
    hasCredential: access.kind !== 'none',
    credentialExpires: access.kind === 'none' ? undefined : access.credentialExpires,
  };
}

/** The alarms that a deployment has once depend on no catalogue. */
const wholeDeployment: CatalogueFacts = {
  pollMinutes: 0,
  sweepMinutes: 0,
  proveMinutes: 0,
  hasCredential: false,
  credentialExpires: undefined,
};

interface AlarmsProps {
  /** Begins each alarm's name; it includes the catalogue's name where the alarms are of one catalogue. */
  readonly prefix: string;
  /** The kinds of these scopes are made. */
  readonly scopes: readonly AlarmScope[];
  readonly facts: AlarmFacts;
  readonly watched: Watched;
  /** Gets a message when an alarm is raised, and another when it ends. */
  readonly topic: ITopic;
}

const operators = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  above: ComparisonOperator.GREATER_THAN_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
} as const satisfies Record<Watch['comparison'], ComparisonOperator>;

const missingData = { ok: TreatMissingData.NOT_BREACHING, alarm: TreatMissingData.BREACHING } as const;

/** One alarm for each kind of some scopes. Its description ends in the heading of the runbook, as a link where there is an address. */
class Alarms extends Construct {
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, { prefix, scopes, facts, watched, topic }: AlarmsProps) {
    super(scope, id);
    const notify = new SnsAction(topic);
    const names: string[] = [];
    for (const alarmId of alarmIds) {
      const kind = alarmKind(alarmId);
      const watch = scopes.includes(kind.scope) ? kind.watch(facts) : null;
      if (watch === null) continue;
      const alarmName = `${prefix}-${alarmId satisfies AlarmId}`;
      const alarm = new Alarm(this, alarmId, {
        alarmName,
        alarmDescription: `${kind.observed(facts)}. ${whatToDo(alarmId, facts.limits)}`,
        metric: watchedMetric(watch, watched),
        comparisonOperator: operators[watch.comparison],
        threshold: watch.threshold,
        evaluationPeriods: watch.periods,
        treatMissingData: missingData[watch.withoutData],
      });
      alarm.addAlarmAction(notify);
      alarm.addOkAction(notify);
      names.push(alarmName);
    }
    this.names = names;
  }
}

/** Where the figures come from that alarms watch. */
interface Watched {
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
function watchedMetric({ measured, ...watch }: Watch, from: Watched): IMetric {
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
