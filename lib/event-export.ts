import { Duration, RemovalPolicy, Size, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup, LogStream } from 'aws-cdk-lib/aws-logs';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { DeploymentParts } from './deployment-parts.ts';
import { allow, encryptThrough } from './grants.ts';
import { privateBucket } from './retained.ts';
import type { ExportSettings } from './settings.ts';

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
    const role = new Role(this, 'DeliveryRole', {
      description: `Writes the events of ${settings.prefix} to the bucket of the export`,
      assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements }) },
    });
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    const reason = 'Firehose makes the names of the objects, by day and time; the two prefixes are its own.';
    Validations.of(role).acknowledge(
      ...['events', 'failed'].map((folder) => ({
        id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${folder}/*]`,
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
    return new Role(this, 'SubscriptionRole', {
      description: `Hands the events of ${prefix} from the topics to the export`,
      assumedBy: new ServicePrincipal('sns.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements: [statement] }) },
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
