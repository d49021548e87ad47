import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, type ITopic } from 'aws-cdk-lib/aws-sns';
import {
  type DeadLetterQueue,
  type IQueue,
  Queue,
  QueueEncryption,
  type QueueProps,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Topic as Family, topics } from '../lambdas/events/kinds.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { type FilterPolicy, policyOf } from '../lambdas/filters/filter-policy.ts';
import { filtersOfSubscription, type NotifyPlan } from '../lambdas/notify/subscription.ts';
import type { DeadLetterName } from '../lambdas/run/alarm-kinds.ts';
import type { EventTopics } from './event-topics.ts';

interface DeadLettersProps {
  readonly prefix: string;
  readonly keptFor: Duration;
  /** Encrypts the queues; undefined for the key that SQS owns. */
  readonly key: IKey | undefined;
}

/** A queue that only encrypted connections reach. */
const encryptedQueue = (
  scope: Construct,
  id: string,
  { key, ...props }: QueueProps & { readonly key: IKey | undefined },
): Queue =>
  new Queue(scope, id, {
    ...(key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
    ...props,
  });

/** Lets SNS send what some topics publish to a queue. */
export const takeFromTopics = (
  queue: Queue,
  sid: string | undefined,
  conditions: PolicyStatementProps['conditions'],
): void =>
  void queue.addToResourcePolicy(
    new PolicyStatement({
      ...(sid !== undefined && { sid }),
      principals: [new ServicePrincipal('sns.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      ...(conditions && { conditions }),
    }),
  );

interface EventQueueProps {
  readonly name: string;
  readonly key: IKey | undefined;
  /** The topics whose events it takes, and the name of the statement that admits them. */
  readonly sources: readonly ITopic[];
  readonly sid: string;
  /** How long the function that empties it may take over one batch. */
  readonly timeout: Duration;
  readonly deadLetterQueue: DeadLetterQueue;
}

/** A queue of events for a function, which hides a message for six times as long as one batch may take. */
export function eventQueue(
  scope: Construct,
  { name, key, sources, sid, timeout, deadLetterQueue }: EventQueueProps,
): Queue {
  const queue = encryptedQueue(scope, 'Queue', {
    queueName: name,
    key,
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    deadLetterQueue,
  });
  const arns = sources.map(({ topicArn }) => topicArn);
  takeFromTopics(queue, sid, { ArnEquals: { 'aws:SourceArn': arns } });
  return queue;
}

interface QueueSubscription {
  readonly topic: ITopic;
  readonly queue: IQueue;
  readonly policy?: FilterPolicy;
  /** Keeps what cannot be delivered. */
  readonly failed: IQueue;
}

/** Subscribes a queue to a topic: it gets the event alone, with its attributes. */
export const subscribeQueue = (
  scope: Construct,
  id: string,
  { topic, queue, policy = {}, failed }: QueueSubscription,
): CfnSubscription =>
  new CfnSubscription(scope, id, {
    topicArn: topic.topicArn,
    protocol: 'sqs',
    endpoint: queue.queueArn,
    rawMessageDelivery: true,
    ...(Object.keys(policy).length > 0 && { filterPolicy: policy }),
    redrivePolicy: { deadLetterTargetArn: failed.queueArn },
  });

/** The ARN of a topic of the stack's account, by its name or a pattern. */
export const topicArn = (scope: Construct, resource: string): string =>
  Stack.of(scope).formatArn({ service: 'sns', resource, arnFormat: ArnFormat.NO_RESOURCE_NAME });

/** The dead-letter queues, one for each asynchronous step. Each has an alarm. */
export class DeadLetters extends Construct {
  /** Runs that the scheduler could not start. */
  readonly missedRuns: Queue;
  /** Runs that failed twice. */
  readonly failedRuns: Queue;
  /** Messages that a subscription could not deliver. */
  readonly undelivered: Queue;
  /** Messages to people that could not be sent, and what the function that sends them could not take in. */
  readonly unsent: Queue;
  readonly key: IKey | undefined;
  readonly byName: Readonly<Record<DeadLetterName, Queue>>;

  constructor(scope: Construct, id: string, { prefix, keptFor, key }: DeadLettersProps) {
    super(scope, id);
    this.key = key;
    const queue = (name: DeadLetterName): Queue => {
      const made = encryptedQueue(this, name, {
        queueName: `${prefix}-${name}`,
        key,
        retentionPeriod: keptFor,
      });
      const reason = 'This is a dead-letter queue itself: an alarm is raised by the first message.';
      Validations.of(made).acknowledge(
        { id: 'AwsSolutions-SQS3', reason },
        { id: 'Serverless-SQSRedrivePolicy', reason },
      );
      return made;
    };
    this.missedRuns = queue('missed-runs');
    this.failedRuns = queue('failed-runs');
    this.undelivered = queue('undelivered');
    this.unsent = queue('unsent');
    this.byName = {
      'missed-runs': this.missedRuns,
      'failed-runs': this.failedRuns,
      undelivered: this.undelivered,
      unsent: this.unsent,
    };
    // By the prefix: subscriptions of the topics for mail and chat, which are made later, leave their messages here too.
    takeFromTopics(this.undelivered, 'KeepUndelivered', {
      ArnLike: { 'aws:SourceArn': topicArn(this, `${prefix}-*`) },
    });
  }
}

interface MessageQueueProps {
  readonly settings: { readonly prefix: string };
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly key: IKey | undefined;
  readonly plan: NotifyPlan;
  /** How long the function may take over one batch. */
  readonly timeout: Duration;
}

/**
 * The queue of events and alarms for the function that sends messages. It is subscribed only to topics whose events some
 * subscription may want, with a filter policy where SNS can express one.
 */
export function messageQueue(scope: Construct, props: MessageQueueProps): Queue {
  const { settings, topics, deadLetters, key, plan, timeout } = props;
  const queue = eventQueue(scope, {
    ...{ name: `${settings.prefix}-notify`, key, timeout },
    ...{ sid: 'TakeEventsAndAlarms', sources: [...Object.values(topics.families), topics.alarms] },
    deadLetterQueue: { queue: deadLetters.unsent, maxReceiveCount: 5 },
  });
  const failed = deadLetters.undelivered;
  const filters = plan.subscriptions
    .filter(({ channels }) => channels.length > 0)
    .flatMap(filtersOfSubscription);
  for (const [family, policy] of topicPolicies(filters)) {
    const topic = topics.families[family];
    subscribeQueue(scope, `Subscription-${family}`, { topic, queue, policy, failed });
  }
  if (plan.operations.channels.length > 0)
    subscribeQueue(scope, 'Subscription-alarms', { topic: topics.alarms, queue, failed });
  return queue;
}

const MOST_COMBINATIONS = 150;

/**
 * The topics that a queue for several filters must subscribe to, each with a policy that passes every event
 * that one of the filters wants: the keys that all filters have, with the values of all. The function decides the rest.
 */
export function topicPolicies(filters: readonly Filter[]): readonly (readonly [Family, FilterPolicy])[] {
  return topics.flatMap((family) => {
    const policies = filters.flatMap((filter) => policyOf(filter, family)?.policy ?? []);
    return policies.length === 0 ? [] : [[family, union(policies)] as const];
  });
}

/**
 * Left out of the policy: a change of rating outside the filter may revert one that waits for its message, and a gene
 * may be renamed after the deployment. The function decides by all names that a gene had.
 */
const leftOut: readonly string[] = ['ratingFrom', 'ratingTo', 'direction', 'entityName'];

function union(policies: readonly FilterPolicy[]): FilterPolicy {
  const [first = {}, ...others] = policies;
  const shared = (Object.keys(first) as (keyof FilterPolicy)[])
    .filter((name) => !leftOut.includes(name) && others.every((policy) => policy[name] !== undefined))
    .map((name) => [name, distinct(policies.flatMap((policy) => policy[name] ?? []))] as const)
    .sort(([, one], [, other]) => one.length - other.length);
  const kept: Record<string, unknown> = {};
  let combinations = 1;
  for (const [name, values] of shared) {
    combinations *= values.length;
    if (combinations > MOST_COMBINATIONS) break;
    kept[name] = values;
  }
  return kept as FilterPolicy;
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
