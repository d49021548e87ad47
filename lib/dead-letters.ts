import { ArnFormat, type Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeadLetterName } from '../lambdas/run/alarm-kind.ts';

interface DeadLettersProps {
  readonly prefix: string;
  readonly keptFor: Duration;
  /** Encrypts the queues; undefined for the key that SQS owns. */
  readonly key: IKey | undefined;
}

/** A queue that only encrypted connections reach. */
export const encryptedQueue = (
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
