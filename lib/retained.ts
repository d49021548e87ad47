import { ArnFormat, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
} from 'aws-cdk-lib/aws-s3';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { topicArn } from './dead-letters.ts';
import type { Deployment } from './settings.ts';

interface PrivateBucketProps extends Pick<BucketProps, 'versioned' | 'lifecycleRules'> {
  /** Encrypts the bucket; undefined for the keys that S3 owns. */
  readonly key: IKey | undefined;
  /** Why no log of its readers is kept. */
  readonly unlogged: string;
}

/** An encrypted bucket without public access, which stays when the stack is destroyed. */
export function privateBucket(
  scope: Construct,
  id: string,
  { key, unlogged, ...props }: PrivateBucketProps,
): Bucket {
  const bucket = new Bucket(scope, id, {
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN,
    ...props,
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: unlogged });
  return bucket;
}

/** The objects of a bucket whose names begin in some way, as the rules about roles name them. */
export function objectsOf(bucket: Bucket, beginning = ''): string {
  return `<${Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/${beginning}*`;
}

interface RetainedTableProps {
  /** The name of a table to continue with. */
  readonly existing: string | undefined;
  /** Encrypts the table; without it the key that AWS manages does. */
  readonly key: IKey | undefined;
  /** Names of indexes, by the attribute that is their partition key. */
  readonly indexes?: Readonly<Record<string, string>>;
}

/** A table with the keys `pk` and `sk` that is backed up and stays when the stack is destroyed. */
export function retainedTable(
  scope: Construct,
  id: string,
  { existing, key, indexes = {} }: RetainedTableProps,
): Table | ITable {
  if (existing !== undefined) return Table.fromTableName(scope, id, existing);
  const text = (name: string) => ({ name, type: AttributeType.STRING });
  const table = new Table(scope, id, {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    timeToLiveAttribute: 'expires',
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(key
      ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
      : { encryption: TableEncryption.AWS_MANAGED }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  for (const [attribute, indexName] of Object.entries(indexes)) {
    table.addGlobalSecondaryIndex({ indexName, partitionKey: text(attribute), sortKey: text('sk') });
  }
  return table;
}

interface IssuedSecretProps {
  /** The ARN of a secret that exists, or `make` for a new one. */
  readonly from: string;
  /** Of a new one: what it holds, and the page that says what to put there. */
  readonly description: string;
  /** Encrypts a new one; undefined for the key that AWS manages. */
  readonly key: IKey | undefined;
  /** Why AWS does not rotate it. */
  readonly issuer: string;
}

/**
 * A secret that somebody else issues. A new one holds a random text until a person puts theirs in. It stays when the stack
 * is destroyed, because another one may take weeks to get.
 */
export function issuedSecret(
  scope: Construct,
  id: string,
  { from, description, key, issuer }: IssuedSecretProps,
): Secret | ISecret {
  if (from !== 'make') return Secret.fromSecretCompleteArn(scope, id, from);
  const secret = new Secret(scope, id, {
    description,
    removalPolicy: RemovalPolicy.RETAIN,
    ...(key && { encryptionKey: key }),
  });
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: issuer });
  return secret;
}

/**
 * The one key that encrypts table, topics, queues, logs, secrets and the functions' environment, where the settings
 * ask for it. A key that the stack makes stays when the stack is destroyed, as the table and the secrets do. A key
 * of the laboratory needs the statements of docs/permissions.md in its policy.
 */
export function deploymentKey(
  scope: Construct,
  id: string,
  { prefix, key }: Pick<Deployment, 'prefix' | 'key'>,
): IKey | undefined {
  if (key === undefined) return undefined;
  if (key !== 'make') return Key.fromKeyArn(scope, id, key);
  const made = new Key(scope, id, {
    description: `Encrypts everything of ${prefix}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  for (const statement of serviceStatements(Stack.of(scope), prefix)) made.addToResourcePolicy(statement);
  return made;
}

/** Services that use the key on their own behalf: CloudWatch Logs, and SNS for messages that it cannot deliver. */
function serviceStatements(stack: Stack, prefix: string): readonly PolicyStatement[] {
  const logGroups = ['lambda', 'kinesisfirehose'].map((service) =>
    stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: `/aws/${service}/${prefix}-*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  const topics = topicArn(stack, `${prefix}-*`);
  return [
    new PolicyStatement({
      sid: 'EncryptLogs',
      principals: [new ServicePrincipal(`logs.${stack.region}.amazonaws.com`)],
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
      resources: ['*'],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': logGroups } },
    }),
    new PolicyStatement({
      sid: 'EncryptUndelivered',
      principals: [new ServicePrincipal('sns.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'aws:SourceAccount': stack.account },
        ArnLike: { 'aws:SourceArn': topics },
      },
    }),
  ];
}
