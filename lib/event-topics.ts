import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type Topic as Family, topics as families } from '../lambdas/events/topics.ts';

export interface EventTopicsProps {
  /** Begins each topic's name, so that its ARN stays the same when the stack is made anew. */
  readonly prefix: string;
}

/**
 * The eight topics that subscribers rely on, one a family of events, and the one that operators listen to.
 * All are encrypted and take messages over TLS only.
 */
export class EventTopics extends Construct {
  readonly key: Key;
  readonly families: Readonly<Record<Family, Topic>>;
  readonly alarms: Topic;

  constructor(scope: Construct, id: string, { prefix }: EventTopicsProps) {
    super(scope, id);
    // The key that AWS manages for SNS cannot be opened to CloudWatch, whose alarms would then be lost.
    this.key = new Key(this, 'Key', {
      description: `Encrypts the topics of ${prefix}`,
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      // Nothing at rest outlives the topics, so neither need their key.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const topic = (name: string): Topic =>
      new Topic(this, name, { topicName: `${prefix}-${name}`, masterKey: this.key, enforceSSL: true });
    this.families = {
      classifications: topic('classifications'),
      promotions: topic('promotions'),
      tags: topic('tags'),
      membership: topic('membership'),
      annotations: topic('annotations'),
      reviews: topic('reviews'),
      panels: topic('panels'),
      unclassified: topic('unclassified'),
    };
    this.alarms = topic('alarms');
    this.letAlarmsPublish(prefix);
  }

  /** The ARNs by family, as the functions take them. */
  get arns(): Readonly<Record<Family, string>> {
    return Object.fromEntries(families.map((family) => [family, this.families[family].topicArn])) as Record<
      Family,
      string
    >;
  }

  /** Only this deployment's alarms may publish here, and CloudWatch may use the key only for this topic. */
  private letAlarmsPublish(prefix: string): void {
    const stack = Stack.of(this);
    const principals = [new ServicePrincipal('cloudwatch.amazonaws.com')];
    const { COLON_RESOURCE_NAME, NO_RESOURCE_NAME } = ArnFormat;
    const alarms = { service: 'cloudwatch', resource: 'alarm', resourceName: `${prefix}-*` };
    this.alarms.addToResourcePolicy(
      new PolicyStatement({
        sid: 'PublishAlarms',
        principals,
        actions: ['sns:Publish'],
        resources: [this.alarms.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnLike: { 'aws:SourceArn': stack.formatArn({ ...alarms, arnFormat: COLON_RESOURCE_NAME }) },
        },
      }),
    );
    // The topic's ARN is spelt out, as the topic itself refers to the key.
    const topic = { service: 'sns', resource: `${prefix}-alarms`, arnFormat: NO_RESOURCE_NAME };
    this.key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'EncryptAlarms',
        principals,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'kms:EncryptionContext:aws:sns:topicArn': stack.formatArn(topic) } },
      }),
    );
  }
}
