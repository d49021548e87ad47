import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { topicArn } from './dead-letters.ts';
import type { Deployment } from './settings.ts';

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
