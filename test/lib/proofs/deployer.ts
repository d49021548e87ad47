import type { AwsFacts } from '../../templates/aws-facts.ts';
import { matchesPattern } from './policy.ts';
import type { Resource } from './resolved-stack.ts';

/** Rights that CloudFormation asks for only where a template has a property, and the property; null for no property. */
interface Unneeded {
  readonly type: string;
  readonly actions: readonly string[];
  readonly property: string | null;
  /** Given where there is no property. */
  readonly because?: string;
}

const unneeded: readonly Unneeded[] = [
  {
    type: 'AWS::DynamoDB::Table',
    actions: [
      'dynamodb:*Replica',
      'dynamodb:*Item',
      'dynamodb:Query',
      'dynamodb:Scan',
      'iam:CreateServiceLinkedRole',
    ],
    property: 'Replicas',
  },
  {
    type: 'AWS::DynamoDB::Table',
    actions: ['dynamodb:*tResourcePolicy', 'dynamodb:DeleteResourcePolicy'],
    property: 'ResourcePolicy',
  },
  {
    type: 'AWS::DynamoDB::Table',
    actions: ['dynamodb:*Kinesis*', 'kinesis:*'],
    property: 'KinesisStreamSpecification',
  },
  {
    type: 'AWS::DynamoDB::Table',
    actions: ['dynamodb:ImportTable', 's3:*', 'logs:*'],
    property: 'ImportSourceSpecification',
  },
  {
    type: 'AWS::DynamoDB::Table',
    actions: ['dynamodb:UpdateContributorInsights'],
    property: 'ContributorInsightsSpecification',
  },
  { type: 'AWS::EC2::SecurityGroup', actions: ['ec2:*Ingress'], property: 'SecurityGroupIngress' },
  {
    type: 'AWS::IAM::Role',
    actions: ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'],
    property: 'ManagedPolicyArns',
  },
  { type: 'AWS::IAM::Role', actions: ['iam:*PermissionsBoundary'], property: 'PermissionsBoundary' },
  { type: 'AWS::KMS::Key', actions: ['kms:DisableKey', 'kms:EnableKey'], property: 'Enabled' },
  {
    type: 'AWS::KMS::Key',
    actions: ['kms:DisableKeyRotation'],
    property: null,
    because: 'Rotation is always on.',
  },
  { type: 'AWS::Lambda::Function', actions: ['lambda:*CodeSigningConfig'], property: 'CodeSigningConfigArn' },
  {
    type: 'AWS::Lambda::Function',
    actions: ['lambda:PutFunctionRecursionConfig'],
    property: 'RecursiveLoop',
  },
  {
    type: 'AWS::Lambda::Function',
    actions: ['lambda:PutFunctionScalingConfig', 'lambda:GetFunctionScalingConfig'],
    property: 'FunctionScalingConfig',
  },
  {
    type: 'AWS::Lambda::Function',
    actions: ['lambda:PassCapacityProvider'],
    property: 'CapacityProviderConfig',
  },
  { type: 'AWS::Lambda::Function', actions: ['lambda:PublishVersion'], property: 'PublishToLatestPublished' },
  { type: 'AWS::Lambda::Function', actions: ['lambda:*Runtime*'], property: 'RuntimeManagementConfig' },
  {
    type: 'AWS::Lambda::Function',
    actions: ['elasticfilesystem:*', 's3files:*'],
    property: 'FileSystemConfigs',
  },
  {
    type: 'AWS::Logs::LogGroup',
    actions: ['logs:*DataProtectionPolicy', 'logs:CreateLogDelivery', 's3:REST.PUT.OBJECT'],
    property: 'DataProtectionPolicy',
  },
  { type: 'AWS::Logs::LogGroup', actions: ['logs:*IndexPolic*'], property: 'FieldIndexPolicies' },
  { type: 'AWS::Logs::LogGroup', actions: ['logs:*ResourcePolic*'], property: 'ResourcePolicyDocument' },
  {
    type: 'AWS::Logs::LogGroup',
    actions: ['logs:PutBearerTokenAuthentication'],
    property: 'BearerTokenAuthenticationEnabled',
  },
  {
    type: 'AWS::Logs::LogGroup',
    actions: ['logs:PutLogGroupDeletionProtection'],
    property: 'DeletionProtectionEnabled',
  },
  { type: 'AWS::S3::Bucket', actions: ['s3:*Analytics*'], property: 'AnalyticsConfigurations' },
  { type: 'AWS::S3::Bucket', actions: ['s3:*Cors'], property: 'CorsConfiguration' },
  {
    type: 'AWS::S3::Bucket',
    actions: [
      's3:*MetadataTable*',
      's3:*MetadataAnnotation*',
      's3:*MetadataInventory*',
      's3:*MetadataJournal*',
      's3tables:*',
    ],
    property: 'MetadataTableConfiguration',
  },
  { type: 'AWS::S3::Bucket', actions: ['s3:*Metrics*'], property: 'MetricsConfigurations' },
  {
    type: 'AWS::S3::Bucket',
    actions: ['s3:*BucketReplication', 's3:*ReplicationConfiguration', 's3:DeleteObject'],
    property: 'ReplicationConfiguration',
  },
  { type: 'AWS::S3::Bucket', actions: ['s3:*BucketWebsite'], property: 'WebsiteConfiguration' },
  {
    type: 'AWS::S3::Bucket',
    actions: ['s3:PutAccelerateConfiguration'],
    property: 'AccelerateConfiguration',
  },
  { type: 'AWS::S3::Bucket', actions: ['s3:PutBucketAbac'], property: 'AbacStatus' },
  { type: 'AWS::S3::Bucket', actions: ['s3:Put*Acl'], property: 'AccessControl' },
  { type: 'AWS::S3::Bucket', actions: ['s3:PutBucketLogging'], property: 'LoggingConfiguration' },
  { type: 'AWS::S3::Bucket', actions: ['s3:PutBucketNotification'], property: 'NotificationConfiguration' },
  {
    type: 'AWS::S3::Bucket',
    actions: ['s3:Put*ObjectLockConfiguration'],
    property: 'ObjectLockConfiguration',
  },
  { type: 'AWS::S3::Bucket', actions: ['s3:PutBucketOwnershipControls'], property: 'OwnershipControls' },
  {
    type: 'AWS::S3::Bucket',
    actions: ['s3:PutIntelligentTieringConfiguration'],
    property: 'IntelligentTieringConfigurations',
  },
  { type: 'AWS::S3::Bucket', actions: ['s3:PutInventoryConfiguration'], property: 'InventoryConfigurations' },
  { type: 'AWS::SNS::Topic', actions: ['sns:PutDataProtectionPolicy'], property: 'DataProtectionPolicy' },
  {
    type: 'AWS::SecretsManager::Secret',
    actions: ['secretsmanager:GetSecretValue'],
    property: null,
    because: 'A deployer need not read credentials: the template never refers to the text of a secret.',
  },
  { type: 'AWS::SecretsManager::Secret', actions: ['secretsmanager:*Region*'], property: 'ReplicaRegions' },
];

const steps = ['create', 'read', 'update', 'delete'] as const;

/** A right that a deployer lacks, of a type of the stack; the policy is given as its actions, with wildcards. */
export function lackingRights(
  stack: readonly Resource[],
  { types }: AwsFacts,
  allowed: readonly string[],
): readonly string[] {
  return [...new Set(stack.map(({ type }) => type))].flatMap((type) => {
    const handlers = types[type]?.handlers;
    if (handlers === undefined)
      return [`${type}: test/templates/aws-facts.json does not have it; write it again`];
    const used = stack.filter((each) => each.type === type).map(({ properties }) => properties);
    const left = unneeded.filter(
      (each) => each.type === type && used.every(({ [each.property ?? '']: value }) => value === undefined),
    );
    const needed = new Set(steps.flatMap((step) => handlers[step] ?? []));
    const lacks = (action: string): boolean =>
      [...allowed, ...left.flatMap(({ actions }) => actions)].every(
        (pattern) => !matchesPattern(action.toLowerCase(), pattern.toLowerCase()),
      );
    return [...needed].filter(lacks).map((action) => `${type}: ${action}`);
  });
}
