import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import { historyArns } from './history-arns.ts';
import { encryptMessages, keyGrant, useKey } from './key-grant.ts';
import type { Deployment } from './settings.ts';

interface MessageGrantsProps {
  readonly settings: Pick<Deployment, 'alarms' | 'messages'>;
  readonly table: Pick<ITable, 'tableArn'>;
  readonly history: Pick<ITable, 'tableArn' | 'tableName'>;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  /** The key of table, topics, queues and secrets; undefined where only the topics have one. */
  readonly key: IKey | undefined;
  /** Events and alarms come from here. */
  readonly queue: Queue;
  /** The beginnings of the names of the topics that `notify` publishes to: those for mail, those for Amazon Q. */
  readonly topicNames: { readonly mail: string | undefined; readonly chat: string | undefined };
  readonly secret: Pick<ISecret, 'secretArn'> | undefined;
  readonly feeds: Pick<Bucket, 'bucketArn'> | undefined;
}

/**
 * What the function that sends messages may do. docs/permissions.md explains each statement. Topics and feeds are named by
 * a pattern: with one by one, a role would be larger than IAM takes from some 48 subscriptions on.
 */
export function messageGrants(scope: Construct, props: MessageGrantsProps): readonly PolicyStatement[] {
  const { settings, table, history, topics, deadLetters, key, queue, topicNames, secret, feeds } = props;
  const mailTopics = patternsOf(scope, [topicNames.mail]);
  const statements = [
    new PolicyStatement({
      sid: 'KeepMessages',
      actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Query'],
      resources: [table.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['notify#*'] } },
    }),
    new PolicyStatement({
      sid: 'ReadMessagesAndPanelLists',
      actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
      resources: [table.tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['notify#*', 'catalogue#*#panels'] },
      },
    }),
    new PolicyStatement({
      sid: 'ReadHistory',
      actions: ['dynamodb:Query'],
      resources: historyArns(history),
    }),
    new PolicyStatement({
      sid: 'TakeFromQueue',
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [queue.queueArn],
    }),
    new PolicyStatement({
      sid: 'SetAsideUnsentMessages',
      actions: ['sqs:SendMessage'],
      resources: [deadLetters.unsent.queueArn],
    }),
  ];
  if (key) statements.push(useKey(scope, key));
  const resources = [...mailTopics, ...patternsOf(scope, [topicNames.chat])];
  if (resources.length > 0) {
    statements.push(new PolicyStatement({ sid: 'PublishMessages', actions: ['sns:Publish'], resources }));
    if (!key) statements.push(encryptMessages(scope, topics.key));
  }
  const watched = [...mailTopics, ...(settings.alarms.email === undefined ? [] : [topics.alarms.topicArn])];
  if (watched.length > 0)
    statements.push(
      new PolicyStatement({
        sid: 'CheckMailAddresses',
        actions: ['sns:ListSubscriptionsByTopic'],
        resources: watched,
      }),
    );
  if (secret) statements.push(...secretGrants(scope, secret, settings));
  if (feeds) {
    const objects = [`${feeds.bucketArn}/*`];
    statements.push(
      new PolicyStatement({ sid: 'WriteFeeds', actions: ['s3:PutObject'], resources: objects }),
    );
    if (key) {
      const actions = ['kms:Decrypt', 'kms:GenerateDataKey'];
      statements.push(keyGrant(scope, { sid: 'EncryptFeeds', keyArn: key.keyArn, actions, through: ['s3'] }));
    }
  }
  return statements;
}

const patternsOf = (scope: Construct, beginnings: readonly (string | undefined)[]): readonly string[] =>
  beginnings.flatMap((beginning) =>
    beginning === undefined
      ? []
      : [
          Stack.of(scope).formatArn({
            service: 'sns',
            resource: `${beginning}*`,
            arnFormat: ArnFormat.NO_RESOURCE_NAME,
          }),
        ],
  );

function secretGrants(
  scope: Construct,
  { secretArn }: Pick<ISecret, 'secretArn'>,
  { messages: { secretKey } }: Pick<Deployment, 'messages'>,
): readonly PolicyStatement[] {
  const read = new PolicyStatement({
    sid: 'ReadChannels',
    actions: ['secretsmanager:GetSecretValue'],
    resources: [secretArn],
  });
  if (secretKey === undefined) return [read];
  const decrypt = keyGrant(scope, {
    sid: 'DecryptChannels',
    keyArn: secretKey,
    actions: ['kms:Decrypt'],
    through: ['secretsmanager'],
  });
  return [read, decrypt];
}
