import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

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
  keyGrant(scope, {
    sid: 'EncryptMessages',
    keyArn: key.keyArn,
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    through: ['sns'],
  });

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
