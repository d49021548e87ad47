import { Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, type RoleProps as RoleOptions } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { historyIndexes, partitionOf } from '../lambdas/store/table-keys.ts';

interface Allowed {
  readonly sid: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** The partitions of a table, with `*` for any characters; all of them where absent. */
  readonly partitions?: readonly string[];
}

/** Lets a role do something, with nothing but these resources. docs/permissions.md explains each statement. */
export const allow = ({ sid, actions, resources, partitions }: Allowed): PolicyStatement =>
  new PolicyStatement({
    sid,
    actions: [...actions],
    resources: [...resources],
    ...(partitions && {
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] } },
    }),
  });

interface RoleProps extends Pick<RoleOptions, 'assumedBy'> {
  readonly description: string;
  readonly statements: readonly PolicyStatement[];
}

/** A role that may do what these statements let it, and nothing else. */
export const roleOf = (scope: Construct, id: string, { statements, ...props }: RoleProps): Role =>
  new Role(scope, id, {
    ...props,
    inlinePolicies: { Own: new PolicyDocument({ statements: [...statements] }) },
  });

/** Lets a role put messages into a queue. */
export const sendTo = ({ queueArn }: Pick<IQueue, 'queueArn'>, sid: string): PolicyStatement =>
  allow({ sid, actions: ['sqs:SendMessage'], resources: [queueArn] });

interface ReadSecrets {
  /** Ends the names of the statements: `ReadCredential`. */
  readonly what: string;
  readonly secrets: readonly string[];
  /** The key of a secret of the laboratory's own, where it has one. */
  readonly keyArn: string | undefined;
}

/** Lets a role read secrets, also with the key of the laboratory's own one. */
export const readSecrets = (
  scope: Construct,
  { what, secrets, keyArn }: ReadSecrets,
): readonly PolicyStatement[] => [
  allow({ sid: `Read${what}`, actions: ['secretsmanager:GetSecretValue'], resources: secrets }),
  ...(keyArn === undefined ? [] : [decryptSecret(scope, { sid: `Decrypt${what}`, keyArn })]),
];

/** Lets a role decrypt a secret of the laboratory's own, with its key. */
export const decryptSecret = (
  scope: Construct,
  { sid, keyArn }: Pick<KeyGrantProps, 'sid' | 'keyArn'>,
): PolicyStatement => keyGrant(scope, { sid, keyArn, actions: ['kms:Decrypt'], through: ['secretsmanager'] });

/** Lets a role write what the one key of a deployment encrypts, through one service. */
export const encryptThrough = (
  scope: Construct,
  { sid, key, service }: { readonly sid: string; readonly key: IKey; readonly service: string },
): PolicyStatement =>
  keyGrant(scope, {
    sid,
    keyArn: key.keyArn,
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    through: [service],
  });

/** Lets a function take messages from its queue. */
export const takeFromQueue = ({ queueArn }: Pick<IQueue, 'queueArn'>): PolicyStatement =>
  allow({
    sid: 'TakeFromQueue',
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [queueArn],
  });

interface KeyGrantProps {
  readonly sid: string;
  readonly keyArn: string;
  readonly actions: readonly string[];
  /** Names of services, such as `sns`: the key may be used by these alone, on behalf of the role. */
  readonly through: readonly string[];
}

/** Lets a role use a KMS key through some services. */
export function keyGrant(
  scope: Construct,
  { sid, keyArn, actions, through }: KeyGrantProps,
): PolicyStatement {
  const { region, urlSuffix } = Stack.of(scope);
  const addresses = through.map((service) => `${service}.${region}.${urlSuffix}`);
  return new PolicyStatement({
    sid,
    actions: [...actions],
    resources: [keyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': addresses.length === 1 ? addresses[0] : addresses },
    },
  });
}

/** For messages of topics that have a key of their own. */
export const encryptMessages = (scope: Construct, key: IKey): PolicyStatement =>
  encryptThrough(scope, { sid: 'EncryptMessages', key, service: 'sns' });

/** For everything that the one key of a deployment encrypts. DynamoDB uses a key with all these rights of its caller. */
export const useKey = (scope: Construct, key: IKey): PolicyStatement =>
  keyGrant(scope, {
    sid: 'UseKey',
    keyArn: key.keyArn,
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:GenerateDataKeyWithoutPlaintext',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    through: ['dynamodb', 'secretsmanager', 'sns', 'sqs'],
  });

/** The partitions of the state's table that some catalogues have. */
export const statePartitions = (catalogues: readonly string[]): readonly string[] =>
  catalogues.flatMap((name) => [partitionOf(name), `${partitionOf(name)}#*`]);

/** What only reads a table. */
export const readItems = ['BatchGetItem', 'GetItem', 'Query'].map((each) => `dynamodb:${each}`);

/** The table of the history and its indexes, as a role names them. */
export function historyArns({ tableArn }: Pick<ITable, 'tableArn'>): string[] {
  return [tableArn, ...Object.values(historyIndexes).map((index) => `${tableArn}/index/${index}`)];
}
