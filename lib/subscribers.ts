import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Topic as Family } from '../lambdas/events/topics.ts';
import type { Subscription } from './subscription-settings.ts';

export interface SubscribersProps {
  readonly topics: Readonly<Record<Family, ITopic>>;
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  readonly undelivered: IQueue;
}

/** The subscriptions that the settings name. What cannot be delivered is kept, not dropped. */
export class Subscribers extends Construct {
  constructor(scope: Construct, id: string, { topics, subscriptions, undelivered }: SubscribersProps) {
    super(scope, id);
    for (const [name, subscription] of Object.entries(subscriptions)) {
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
}

/** A queue gets the CloudEvent alone, with its attributes; an e-mail cannot be had without SNS's own text. */
function endpointOf({ email = '', queue }: Subscription) {
  if (queue === undefined) return { protocol: 'email', endpoint: email };
  return { protocol: 'sqs', endpoint: queue, rawMessageDelivery: true };
}
