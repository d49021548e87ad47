import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Topic } from 'aws-cdk-lib/aws-sns';
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
  /** The topics for mail and Amazon Q. */
  readonly messageTopics: readonly Topic[];
  /** Those for mail alone. */
  readonly mailTopics: readonly Topic[];
  readonly secret: Pick<ISecret, 'secretArn'> | undefined;
  readonly feeds: Pick<Bucket, 'bucketArn'> | undefined;
  /** The subscriptions that have a feed. */
  readonly feedNames: readonly string[];
}

/** What the function that sends messages may do. docs/permissions.md explains each statement. */
export function messageGrants(scope: Construct, props: MessageGrantsProps): readonly PolicyStatement[] {
  const { settings, table, history, topics, deadLetters, key, queue, messageTopics, secret } = props;
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
  if (messageTopics.length > 0) {
    const resources = messageTopics.map(({ topicArn }) => topicArn);
    statements.push(new PolicyStatement({ sid: 'PublishMessages', actions: ['sns:Publish'], resources }));
    if (!key) statements.push(encryptMessages(scope, topics.key));
  }
  const watched = [...props.mailTopics, ...(settings.alarms.email === undefined ? [] : [topics.alarms])].map(
    ({ topicArn }) => topicArn,
  );
  if (watched.length > 0)
    statements.push(
      new PolicyStatement({
        sid: 'CheckMailAddresses',
        actions: ['sns:ListSubscriptionsByTopic'],
        resources: watched,
      }),
    );
  if (secret) statements.push(...secretGrants(scope, secret, settings));
  const { feeds, feedNames } = props;
  if (feeds) {
    const resources = feedNames.map((name) => `${feeds.bucketArn}/${name}.xml`);
    statements.push(new PolicyStatement({ sid: 'WriteFeeds', actions: ['s3:PutObject'], resources }));
    if (key) {
      const actions = ['kms:Decrypt', 'kms:GenerateDataKey'];
      statements.push(keyGrant(scope, { sid: 'EncryptFeeds', keyArn: key.keyArn, actions, through: ['s3'] }));
    }
  }
  return statements;
}

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
