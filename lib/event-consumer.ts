import { Annotations, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IAlarmAction, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Topic as Family } from '../lambdas/events/kinds.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { policyOf } from '../lambdas/filters/filter-policy.ts';
import { filterSchema } from '../lambdas/filters/filter-schema.ts';
import { subscribeQueue, takeFromTopics } from './dead-letters.ts';
import { parseSettings, SettingsError } from './read-settings.ts';

export interface EventConsumerProps {
  /** The topics to subscribe to, such as `notifier.topics` or some of them. */
  readonly topics: Readonly<Partial<Record<Family, ITopic>>>;
  /** The function that handles the events, with `createSqsHandler` for instance. */
  readonly function: IFunction;
  /** Only events that match; without a filter all. SNS decides what it can. */
  readonly filter?: Filter;
  /** What happens when a record has failed for good; without one the alarm shows in the console alone. */
  readonly alarmAction?: IAlarmAction;
  /** Events in one invocation, 10 by default. */
  readonly batchSize?: number;
  /** How often a record is handled before it becomes a dead letter, 5 by default. */
  readonly attempts?: number;
  /** The timeout of a function that another app deploys. This app knows those of its own functions. */
  readonly timeout?: Duration;
}

/**
 * Lets a function handle events: a queue that is subscribed to the topics, a queue of dead letters with an alarm,
 * and the filter as SNS filter policies.
 *
 * @example
 * new EventConsumer(this, 'Reanalysis', {
 *   topics: { classifications: notifier.topics.classifications },
 *   function: reanalyse,
 *   filter: { to: ['green'], panelTypes: ['gms-signed-off'] },
 * });
 */
export class EventConsumer extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly alarm: Alarm;

  /** @throws {SettingsError} when the filter does not fit its schema, or the timeout of the function is unknown */
  constructor(scope: Construct, id: string, props: EventConsumerProps) {
    super(scope, id);
    const { batchSize = 10, attempts = 5 } = props;
    const timeout = timeoutOf(this, props);
    const filter = parseSettings(props.filter ?? {}, { schema: filterSchema, file: this.node.path });
    const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', { ...secure, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Queue', {
      ...secure,
      visibilityTimeout: Duration.seconds(timeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: attempts },
    });
    const policies = Object.entries(props.topics).flatMap(([family, topic]) => {
      const decided = policyOf(filter, family as Family);
      return decided && topic ? [{ family, topic, ...decided }] : [];
    });
    if (policies.length === 0) {
      throw new Error(
        `${this.node.path}: no event of the topics ${Object.keys(props.topics).join(', ')} can match the filter ${JSON.stringify(filter)}. Give other topics or another filter.`,
      );
    }
    const sources = policies.map(({ topic }) => topic.topicArn);
    for (const queue of [this.queue, this.deadLetters])
      takeFromTopics(queue, undefined, { ArnEquals: { 'aws:SourceArn': sources } });
    const { queue, deadLetters: failed } = this;
    for (const { family, topic, policy } of policies)
      subscribeQueue(this, `From-${family}`, { topic, queue, policy, failed });
    if (policies.some(({ exact }) => !exact)) {
      Annotations.of(this).addInfo(
        'SNS cannot decide the whole filter. Give the same filter to createSqsHandler, which decides the rest.',
      );
    }
    props.function.addEventSource(
      new SqsEventSource(this.queue, { batchSize, reportBatchItemFailures: true }),
    );
    this.alarm = new Alarm(this, 'Alarm', {
      alarmDescription: `Events that ${this.node.path} could not handle wait in its queue of dead letters.`,
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (props.alarmAction) {
      this.alarm.addAlarmAction(props.alarmAction);
      this.alarm.addOkAction(props.alarmAction);
    }
  }
}

/** Lambda ends a function after three seconds where nothing else is stated. */
const DEFAULT_TIMEOUT = Duration.seconds(3);

/** How long one invocation may take. A queue that hides a message for less than six times as long hands it out twice. */
function timeoutOf(
  { node }: Construct,
  { function: target, timeout: stated }: Pick<EventConsumerProps, 'function' | 'timeout'>,
): Duration {
  if (!(target instanceof LambdaFunction)) {
    if (stated !== undefined) return stated;
    throw new SettingsError(
      `${node.path}: the timeout of ${target.node.path} is unknown, as another app deploys it. Give it: timeout: Duration.seconds(30)`,
    );
  }
  const { timeout = DEFAULT_TIMEOUT } = target;
  if (stated !== undefined && stated.toSeconds() < timeout.toSeconds()) {
    throw new SettingsError(
      `${node.path}: timeout: saw ${stated.toSeconds()} seconds, expected at least those of the function, ${timeout.toSeconds()}. Leave it out`,
    );
  }
  return stated ?? timeout;
}
