import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Topic as Family, topics } from '../lambdas/events/topics.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { type FilterPolicy, policyOf } from '../lambdas/filters/filter-policy.ts';
import { filtersOfSubscription, type NotifyPlan } from '../lambdas/notify/subscription.ts';
import { type DeadLetters, encryptedQueue, takeFromTopics } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';

interface MessageQueueProps {
  readonly prefix: string;
  readonly plan: NotifyPlan;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  /** Encrypts the queue; undefined for the key that SQS owns. */
  readonly key: IKey | undefined;
  /** How long the function may take over one batch. */
  readonly timeout: Duration;
}

/** The queue of events and alarms for the function that sends messages, subscribed to the topics that it needs. */
export function messageQueue(scope: Construct, props: MessageQueueProps): Queue {
  const { prefix, topics, deadLetters, key, timeout } = props;
  const queue = encryptedQueue(scope, 'Queue', {
    queueName: `${prefix}-notify`,
    key,
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    deadLetterQueue: { queue: deadLetters.unsent, maxReceiveCount: 5 },
  });
  const sources = [...Object.values(topics.families), topics.alarms].map((topic) => topic.topicArn);
  takeFromTopics(queue, 'TakeEventsAndAlarms', { ArnEquals: { 'aws:SourceArn': sources } });
  subscribe(scope, queue, props);
  return queue;
}

/** Only topics whose events some subscription may want, with a filter policy where SNS can express one. */
function subscribe(scope: Construct, queue: Queue, { plan, topics, deadLetters }: MessageQueueProps): void {
  const filters = plan.subscriptions
    .filter(({ channels }) => channels.length > 0)
    .flatMap(filtersOfSubscription);
  const redrivePolicy = { deadLetterTargetArn: deadLetters.undelivered.queueArn };
  const common = { protocol: 'sqs', endpoint: queue.queueArn, rawMessageDelivery: true, redrivePolicy };
  for (const [family, policy] of topicPolicies(filters)) {
    new CfnSubscription(scope, `Subscription-${family}`, {
      ...common,
      topicArn: topics.families[family].topicArn,
      ...(Object.keys(policy).length > 0 && { filterPolicy: policy }),
    });
  }
  if (plan.operations.channels.length > 0) {
    new CfnSubscription(scope, 'Subscription-alarms', { ...common, topicArn: topics.alarms.topicArn });
  }
}

/** SNS's limit of value combinations in one policy. */
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
