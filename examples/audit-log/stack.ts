import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type IBucket,
  ObjectLockRetention,
} from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { EventConsumer } from 'gene-panel-notifier';

/** Every family of events: an audit log keeps all. */
const families = [
  'classifications',
  'promotions',
  'tags',
  'membership',
  'annotations',
  'reviews',
  'panels',
  'disagreements',
  'unclassified',
] as const;

interface AuditLogSettings {
  /** The ARN of the notifier's topics, without the name of the family at its end. */
  readonly topicPrefix: string;
  /** `compliance`: no user can delete an object before its time, not even the account's root. */
  readonly lockMode: 'governance' | 'compliance';
  /** Days for which an object cannot be changed or deleted. */
  readonly lockDays: number;
}

/** @throws {Error} when the lock's mode is neither of the two */
export function readSettings({
  lockMode,
  ...others
}: Omit<AuditLogSettings, 'lockMode'> & { readonly lockMode: string }): AuditLogSettings {
  if (lockMode === 'governance' || lockMode === 'compliance') return { ...others, lockMode };
  throw new Error(
    `settings.json: lockMode is ${JSON.stringify(lockMode)}; expected "governance" or "compliance"`,
  );
}

/** Keeps every event in a bucket, by day, where it cannot be changed. */
export class AuditLogStack extends Stack {
  constructor(scope: Construct, id: string, settings: AuditLogSettings, props: StackProps = {}) {
    super(scope, id, props);
    const timeout = Duration.seconds(30);
    const key = new Key(this, 'Key', { description: `Objects of ${id}`, enableKeyRotation: true });
    const common = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
    };
    const accessLog = new Bucket(this, 'AccessLog', {
      ...common,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: Duration.days(settings.lockDays) }],
    });
    const lockFor = Duration.days(settings.lockDays);
    const bucket = new Bucket(this, 'Events', {
      ...common,
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      bucketKeyEnabled: true,
      versioned: true,
      objectLockEnabled: true,
      objectLockDefaultRetention:
        settings.lockMode === 'compliance'
          ? ObjectLockRetention.compliance(lockFor)
          : ObjectLockRetention.governance(lockFor),
      serverAccessLogsBucket: accessLog as IBucket,
    });
    const logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The function can add objects, and neither read nor delete them.
    const role = new Role(this, 'Role', {
      description: `Execution role of ${id}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Own: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
            new PolicyStatement({ actions: ['s3:PutObject'], resources: [bucket.arnForObjects('day=*')] }),
            new PolicyStatement({ actions: ['kms:GenerateDataKey'], resources: [key.keyArn] }),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/day=*]`,
      reason: 'The keys of objects that are yet to be written are unknown; the right is limited to the days.',
    });
    const handler = new NodejsFunction(this, 'Function', {
      functionName: id,
      entry: fileURLToPath(new URL('handler.ts', import.meta.url)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 256,
      timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: { BUCKET: bucket.bucketName },
      bundling: { target: 'node24', externalModules: [] },
    });
    const topic = (name: string) =>
      Topic.fromTopicArn(this, `Topic-${name}`, `${settings.topicPrefix}${name}`);
    new EventConsumer(this, 'Consumer', {
      topics: Object.fromEntries(families.map((family) => [family, topic(family)])),
      function: handler,
      timeout,
      alarmAction: new SnsAction(topic('alarms')),
    });
    this.exportValue(bucket.bucketName, { name: `${id}-bucket` });
  }
}
