import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountPrincipal,
  type IPrincipal,
  PolicyStatement,
  ServicePrincipal,
  StarPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type Topic as Family, topics as families } from '../lambdas/events/kinds.ts';
import type { Share } from './catalogue-settings.ts';

interface EventTopicsProps {
  /** Begins each topic's name, so that its ARN is the same when the stack is destroyed and deployed again. */
  readonly prefix: string;
  /** Encrypts the topics; undefined for a key of their own. */
  readonly key: IKey | undefined;
  /** Other accounts that may subscribe; nobody but this account where undefined. */
  readonly share: Share | undefined;
}

/**
 * The nine topics of events, one for each family, and the topic of alarms. All are encrypted and accept messages
 * over TLS only.
 */
export class EventTopics extends Construct {
  readonly key: IKey;
  readonly families: Readonly<Record<Family, Topic>>;
  readonly alarms: Topic;

  constructor(scope: Construct, id: string, { prefix, key, share }: EventTopicsProps) {
    super(scope, id);
    // The key that AWS manages for SNS does not allow CloudWatch to use it: alarms would be lost.
    this.key =
      key ??
      new Key(this, 'Key', {
        description: `Encrypts the topics of ${prefix}`,
        enableKeyRotation: true,
        // The longest that KMS takes: each of the first two rotations adds a dollar a month, and topics keep nothing that
        // an older key would have to decrypt.
        rotationPeriod: Duration.days(2_560),
        pendingWindow: Duration.days(7),
        // The topics keep no messages when they are destroyed, so their key is deleted with them.
        removalPolicy: RemovalPolicy.DESTROY,
      });
    const topic = (name: string): Topic =>
      new Topic(this, name, {
        topicName: `${prefix}-${name}`,
        masterKey: this.key,
        enforceSSL: true,
        // SHA-256, which subscribers by HTTPS can verify.
        signatureVersion: '2',
      });
    this.families = {
      classifications: topic('classifications'),
      promotions: topic('promotions'),
      tags: topic('tags'),
      membership: topic('membership'),
      annotations: topic('annotations'),
      reviews: topic('reviews'),
      panels: topic('panels'),
      disagreements: topic('disagreements'),
      unclassified: topic('unclassified'),
    };
    this.alarms = topic('alarms');
    this.allowAlarms(prefix);
    if (share) for (const family of families) allowSubscriptions(this.families[family], share);
  }

  /** The ARNs by family, as the functions read them. */
  get arns(): Readonly<Record<Family, string>> {
    return Object.fromEntries(families.map((family) => [family, this.families[family].topicArn])) as Record<
      Family,
      string
    >;
  }

  /**
   * Alarms of this account may publish here, and CloudWatch may use the key only for this topic. Alarms of any name:
   * those of an `EventConsumer` have names that CloudFormation makes from the names of their own stack.
   */
  private allowAlarms(prefix: string): void {
    const stack = Stack.of(this);
    const principals = [new ServicePrincipal('cloudwatch.amazonaws.com')];
    const { COLON_RESOURCE_NAME, NO_RESOURCE_NAME } = ArnFormat;
    const alarms = { service: 'cloudwatch', resource: 'alarm', resourceName: '*' };
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
    // The topic's ARN is written out: the topic refers to the key, and the key cannot refer back.
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

/** Others may subscribe what is theirs: a queue or a function, never a mail address or a web server at the cost of this account. */
function allowSubscriptions(topic: Topic, share: Share): void {
  for (const { sid, principals, conditions } of admittedBy(share))
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: `SubscribeOf${sid}`,
        principals: [...principals],
        actions: ['sns:Subscribe'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { ...conditions, 'sns:Protocol': ['sqs', 'lambda'] } },
      }),
    );
}

/** The calls of others that a policy admits, and the condition for it. */
interface Admitted {
  /** Ends the name of the statement. */
  readonly sid: 'Accounts' | 'Organisation';
  readonly principals: readonly IPrincipal[];
  readonly conditions: Readonly<Record<string, string>>;
}

/** One entry a statement: the accounts that are named, and those of the organisation. */
export const admittedBy = ({ accounts, organisation }: Share): readonly Admitted[] => [
  ...(accounts === undefined
    ? []
    : [
        {
          sid: 'Accounts' as const,
          principals: accounts.map((each) => new AccountPrincipal(each)),
          conditions: {},
        },
      ]),
  ...(organisation === undefined
    ? []
    : [
        {
          sid: 'Organisation' as const,
          principals: [new StarPrincipal()],
          conditions: { 'aws:PrincipalOrgID': organisation },
        },
      ]),
];
