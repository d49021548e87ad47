import { Annotations, ArnFormat, Duration, RemovalPolicy, Size, Stack, Validations } from 'aws-cdk-lib';
import { CfnEventBusPolicy } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup, LogStream } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { EventBusEnvironment } from '../lambdas/functions/settings.ts';
import { BundledFunction, type DeploymentParts, feed } from './bundled-function.ts';
import type { Share } from './catalogue-settings.ts';
import { eventQueue, subscribeQueue } from './dead-letters.ts';
import { admittedBy } from './event-topics.ts';
import { allow, encryptThrough, keyGrant, roleOf, takeFromQueue } from './grants.ts';
import { objectsOf, privateBucket } from './retained.ts';
import type { ExportSettings } from './settings.ts';

interface EventBusProps extends DeploymentParts {
  /** The ARN of the bus, or its name where it is in the account and region of the deployment. */
  readonly bus: string;
}

const TIMEOUT = Duration.minutes(1);
const decryptQueue = { sid: 'DecryptQueue', actions: ['kms:Decrypt'], through: ['sqs'] };
/** With the time for which the queue hides a message, an event is tried for an hour. */
const ATTEMPTS = 10;

/**
 * Puts every published event on a bus of EventBridge: a queue that is subscribed to all topics, and the function that
 * empties it. A bus that refuses events never holds up the topics.
 */
export class EventBus extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: EventBusProps) {
    super(scope, id);
    const { bus, topics, deadLetters, key } = props;
    const { prefix, share } = props.settings;
    this.queue = eventQueue(this, {
      ...{ name: `${prefix}-event-bus`, key, timeout: TIMEOUT },
      ...{ sid: 'TakeEvents', sources: Object.values(topics.families) },
      deadLetterQueue: { queue: deadLetters.undelivered, maxReceiveCount: ATTEMPTS },
    });
    const busArn = bus.startsWith('arn:')
      ? bus
      : Stack.of(this).formatArn({
          service: 'events',
          resource: 'event-bus',
          resourceName: bus,
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
        });
    const environment: EventBusEnvironment = { EVENT_BUS_ARN: busArn, EVENT_SOURCE: prefix };
    const forward = new BundledFunction(this, 'event-bus', {
      ...props,
      name: 'event-bus',
      description: 'Puts the published events on a bus of EventBridge',
      entry: 'lambdas/functions/event-bus/handler.ts',
      environment,
      grants: [
        allow({ sid: 'PutOnBus', actions: ['events:PutEvents'], resources: [busArn] }),
        takeFromQueue(this.queue),
        ...(key ? [keyGrant(this, { ...decryptQueue, keyArn: key.keyArn })] : []),
      ],
      timeout: TIMEOUT,
      memoryMegabytes: 256,
    });
    feed(forward, this.queue, {
      reason:
        'What the bus does not take stays in the queue, and goes from there to the queue of undelivered messages.',
    });
    for (const [family, topic] of Object.entries(topics.families))
      subscribeQueue(this, `Subscription-${family}`, {
        topic,
        queue: this.queue,
        failed: deadLetters.undelivered,
      });
    if (share) this.allowRules(bus, share, prefix);
  }

  /** Others may make rules for the events of this notifier alone, and change only rules of their own. */
  private allowRules(bus: string, share: Share, source: string): void {
    if (bus === 'default' || bus.startsWith('arn:')) {
      Annotations.of(this).addInfoV2(
        'gene-panel-notifier:bus-not-shared',
        `share is for the topics alone: the policy of the bus ${bus} is left as it is, because ${bus === 'default' ? 'it carries the events of other services too' : 'its owner decides'}. docs/guides/event-bus.md has the policy that lets others make rules`,
      );
      return;
    }
    const resource = { service: 'events', resource: 'rule', resourceName: `${bus}/*` };
    const resources = [Stack.of(this).formatArn(resource)];
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM's policies
    const creator = { 'events:creatorAccount': '${aws:PrincipalAccount}' };
    for (const { sid, principals, conditions } of admittedBy(share)) {
      const own = { principals: [...principals], resources };
      const statements = {
        Make: new PolicyStatement({
          ...own,
          actions: ['events:PutRule'],
          conditions: {
            ...(Object.keys(conditions).length > 0 && { StringEquals: conditions }),
            // Without a source, a rule would match what others put on the bus.
            Null: { 'events:source': 'false' },
            'ForAllValues:StringEquals': { 'events:source': [source] },
            // A rule that is not there yet has no creator.
            StringEqualsIfExists: creator,
          },
        }),
        Keep: new PolicyStatement({
          ...own,
          actions: ['DeleteRule', 'DescribeRule', 'ListTargetsByRule', 'PutTargets', 'RemoveTargets'].map(
            (action) => `events:${action}`,
          ),
          conditions: { StringEquals: { ...conditions, ...creator } },
        }),
      };
      for (const [what, statement] of Object.entries(statements))
        new CfnEventBusPolicy(this, `${what}RulesOf${sid}`, {
          eventBusName: bus,
          statementId: `${source}-${what}RulesOf${sid}`,
          statement: statement.toStatementJson(),
        });
    }
  }
}

interface EventExportProps extends DeploymentParts {
  readonly exported: ExportSettings;
}

/** Records are written together once they have this size, or are this old. */
const BUFFER = Size.mebibytes(64);

/**
 * Writes every published event to S3, one JSON object a line, in a folder for each day of publication. The bucket stays
 * when the stack is destroyed.
 */
export class EventExport extends Construct {
  readonly bucket: Bucket;
  readonly stream: CfnDeliveryStream;

  constructor(scope: Construct, id: string, props: EventExportProps) {
    super(scope, id);
    const { exported, topics, deadLetters, key } = props;
    const { prefix, retention } = props.settings;
    this.bucket = bucketFor(this, props);
    const log = new LogGroup(this, 'Log', {
      logGroupName: `/aws/kinesisfirehose/${prefix}-export`,
      retention: retention.logDays,
      ...(key && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const logStream = new LogStream(this, 'LogStream', {
      logGroup: log,
      logStreamName: 'S3',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stream = new CfnDeliveryStream(this, 'Stream', {
      deliveryStreamName: `${prefix}-export`,
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: key
        ? { keyType: 'CUSTOMER_MANAGED_CMK', keyArn: key.keyArn }
        : { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: this.bucket.bucketArn,
        roleArn: this.deliveryRole(props, log).roleArn,
        prefix: 'events/dt=!{timestamp:yyyy-MM-dd}/',
        errorOutputPrefix: 'failed/!{firehose:error-output-type}/dt=!{timestamp:yyyy-MM-dd}/',
        fileExtension: '.ndjson.gz',
        compressionFormat: 'GZIP',
        bufferingHints: { intervalInSeconds: exported.everyMinutes * 60, sizeInMBs: BUFFER.toMebibytes() },
        cloudWatchLoggingOptions: {
          enabled: true,
          logGroupName: log.logGroupName,
          logStreamName: logStream.logStreamName,
        },
        // Without a delimiter of its own: SNS ends each message with a line break.
      },
    });
    const subscriptionRoleArn = this.subscriptionRole(prefix).roleArn;
    for (const [family, topic] of Object.entries(topics.families)) {
      new CfnSubscription(this, `Subscription-${family}`, {
        topicArn: topic.topicArn,
        protocol: 'firehose',
        endpoint: this.stream.attrArn,
        rawMessageDelivery: true,
        subscriptionRoleArn,
        redrivePolicy: { deadLetterTargetArn: deadLetters.undelivered.queueArn },
      });
    }
  }

  private deliveryRole({ settings, key }: EventExportProps, log: LogGroup): Role {
    const { bucketArn } = this.bucket;
    const statements = [
      allow({
        sid: 'WriteExport',
        actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
        resources: [`${bucketArn}/events/*`, `${bucketArn}/failed/*`],
      }),
      allow({
        sid: 'FindExport',
        actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
        resources: [bucketArn],
      }),
      allow({ sid: 'WriteExportLog', actions: ['logs:PutLogEvents'], resources: [log.logGroupArn] }),
    ];
    if (key) statements.push(encryptThrough(this, { sid: 'EncryptExport', key, service: 's3' }));
    const role = roleOf(this, 'DeliveryRole', {
      description: `Writes the events of ${settings.prefix} to the bucket of the export`,
      assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
      statements,
    });
    const reason = 'Firehose makes the names of the objects, by day and time; the two prefixes are its own.';
    Validations.of(role).acknowledge(
      ...['events', 'failed'].map((folder) => ({
        id: `AwsSolutions-IAM5[Resource::${objectsOf(this.bucket, `${folder}/`)}]`,
        reason,
      })),
    );
    return role;
  }

  private subscriptionRole(prefix: string): Role {
    const statement = allow({
      sid: 'PutEvents',
      actions: [
        'firehose:DescribeDeliveryStream',
        'firehose:ListTagsForDeliveryStream',
        'firehose:PutRecord',
        'firehose:PutRecordBatch',
      ],
      resources: [this.stream.attrArn],
    });
    return roleOf(this, 'SubscriptionRole', {
      description: `Hands the events of ${prefix} from the topics to the export`,
      assumedBy: new ServicePrincipal('sns.amazonaws.com'),
      statements: [statement],
    });
  }
}

function bucketFor(scope: Construct, { exported, key }: EventExportProps): Bucket {
  const { retentionDays } = exported;
  return privateBucket(scope, 'Bucket', {
    key,
    versioned: true,
    lifecycleRules: [
      {
        id: 'retention',
        abortIncompleteMultipartUploadAfter: Duration.days(7),
        noncurrentVersionExpiration: Duration.days(30),
        ...(retentionDays !== undefined && { expiration: Duration.days(retentionDays) }),
      },
    ],
    unlogged:
      'Each object is written once; CloudTrail records who reads it, where the account asks for data events.',
  });
}
