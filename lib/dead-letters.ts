import { type Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface DeadLettersProps {
  readonly prefix: string;
  readonly keptFor: Duration;
  /** Topics whose subscriptions may leave here what they could not deliver. */
  readonly topics: readonly ITopic[];
}

/** Where each asynchronous step leaves what it gave up on; an alarm watches each queue. */
export class DeadLetters extends Construct {
  /** Runs that the scheduler could not start. */
  readonly missedRuns: Queue;
  /** Runs that failed, their repeat as well. */
  readonly failedRuns: Queue;
  /** Messages that a subscription could not deliver. */
  readonly undelivered: Queue;
  /** Messages to people that could not be sent, and what the function that sends them could not take in. */
  readonly unsent: Queue;

  constructor(scope: Construct, id: string, { prefix, keptFor, topics }: DeadLettersProps) {
    super(scope, id);
    const queue = (name: string): Queue => {
      const made = new Queue(this, name, {
        queueName: `${prefix}-${name}`,
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        retentionPeriod: keptFor,
      });
      const reason = 'This is a dead-letter queue itself: an alarm calls a person to what arrives.';
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
    this.undelivered.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('sns.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.undelivered.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': topics.map(({ topicArn }) => topicArn) } },
      }),
    );
  }
}
