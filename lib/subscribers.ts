import { Annotations, Stack, Token } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Topic as Family } from '../lambdas/events/topics.ts';
import type { QueueSubscription } from './queue-subscription-settings.ts';

interface SubscribersProps {
  readonly topics: Readonly<Record<Family, ITopic>>;
  readonly subscriptions: Readonly<Record<string, QueueSubscription>>;
  readonly undelivered: IQueue;
}

/** The subscriptions that the settings name. What cannot be delivered is kept, not dropped. */
export class Subscribers extends Construct {
  constructor(scope: Construct, id: string, { topics, subscriptions, undelivered }: SubscribersProps) {
    super(scope, id);
    for (const [name, subscription] of Object.entries(subscriptions)) {
      if (subscription.email !== undefined) {
        Annotations.of(this).addInfoV2(
          `gene-panel-notifier:json-by-mail-${name}`,
          `subscriptions.${name} sends JSON to ${subscription.email}. For readable mail write channels: [{ kind: 'email', to: '${subscription.email}' }] and a filter such as { to: ['green'] } instead of topics, email and filter`,
        );
      }
      if (subscription.queue !== undefined) this.sayWhoConfirms(name, subscription.queue);
      for (const family of subscription.topics) {
        new CfnSubscription(this, `${name}-${family}`, {
          topicArn: topics[family].topicArn,
          ...endpointOf(subscription),
          ...(Object.keys(subscription.filter).length > 0 ? { filterPolicy: subscription.filter } : {}),
          redrivePolicy: { deadLetterTargetArn: undelivered.queueArn },
        });
      }
    }
  }

  /** SNS subscribes a queue of another account only once somebody there agrees; until then it drops what it publishes. */
  private sayWhoConfirms(name: string, queue: string): void {
    const { account } = Stack.of(this);
    const owner = queue.split(':')[4] ?? '';
    if (owner === account) return;
    const where = Token.isUnresolved(account) ? `If the stack is not in account ${owner}, the` : 'The';
    Annotations.of(this).addInfoV2(
      `gene-panel-notifier:confirm-${name}`,
      `subscriptions.${name}: ${where} owner of ${queue} must confirm the subscription: the queue gets a message with a SubscribeURL for each topic, if its policy lets SNS send. It gets no event before that. docs/deploying.md, "Queues of another account", has the commands`,
    );
  }
}

/** A queue gets the CloudEvent alone, with its attributes; an e-mail cannot be had without SNS's own text. */
function endpointOf({ email = '', queue }: QueueSubscription) {
  if (queue === undefined) return { protocol: 'email', endpoint: email };
  return { protocol: 'sqs', endpoint: queue, rawMessageDelivery: true };
}
