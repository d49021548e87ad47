import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { filtersOfSubscription, type NotifyPlan } from '../lambdas/notify/subscription.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import { topicPolicies } from './topic-policies.ts';

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
  const queue = new Queue(scope, 'Queue', {
    queueName: `${prefix}-notify`,
    ...(key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    deadLetterQueue: { queue: deadLetters.unsent, maxReceiveCount: 5 },
  });
  const sources = [...Object.values(topics.families), topics.alarms].map((topic) => topic.topicArn);
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'TakeEventsAndAlarms',
      principals: [new ServicePrincipal('sns.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': sources } },
    }),
  );
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
