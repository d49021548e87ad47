import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Code, EventSourceMapping, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { ScheduleExpression, type ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  ADDRESS,
  addressKey,
  chatTopic,
  mailTopic,
  type NotifyEnvironment,
} from '../lambdas/notify/settings.ts';
import {
  type Channel,
  type NotifyPlan,
  OPERATIONS,
  type Subscription,
} from '../lambdas/notify/subscription.ts';
import { BundledFunction } from './bundled-function.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import type { FunctionNetwork } from './function-network.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { historyArns } from './history-arns.ts';
import { encryptMessages, keyGrant, useKey } from './key-grant.ts';
import type { MessageSubscription } from './message-subscription-settings.ts';
import { planOf } from './notify-plan.ts';
import type { Deployment } from './settings.ts';
import { topicPolicies } from './topic-policies.ts';

interface MessagesProps {
  readonly settings: Deployment;
  readonly subscriptions: Readonly<Record<string, MessageSubscription>>;
  readonly table: Pick<ITable, 'tableArn' | 'tableName'>;
  readonly history: Pick<ITable, 'tableArn' | 'tableName'>;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
  readonly key: IKey | undefined;
  readonly network: FunctionNetwork | undefined;
}

/** Longer than the slowest attempt of a message. */
const TIMEOUT = Duration.minutes(2);

/**
 * Messages to people: a queue that takes events and alarms, the function that turns them into messages and sends
 * what is due each minute, and the topics, feeds and secret that its channels need.
 */
export class Messages extends Construct {
  /** The secret with webhook addresses and passwords; undefined where no channel needs one. */
  readonly secret: Secret | ISecret | undefined;
  /** The topics to which Amazon Q subscribes, by subscription. */
  readonly chatTopics: Readonly<Record<string, Topic>>;
  readonly feeds: Bucket | undefined;

  constructor(scope: Construct, id: string, props: MessagesProps) {
    super(scope, id);
    const { settings, subscriptions, table, history, topics, deadLetters, scheduleGroup, key, network } =
      props;
    const { prefix } = settings;
    const plan = planOf(settings, subscriptions);
    const audiences: readonly Audience[] = [
      ...plan.subscriptions,
      { name: OPERATIONS, channels: plan.operations.channels },
    ];
    const channels = audiences.flatMap((audience) => audience.channels);

    this.secret = this.secretOf(
      props,
      channels.some(({ kind }) => ['slack', 'teams', 'webhook'].includes(kind)),
    );
    this.feeds = channels.some(({ kind }) => kind === 'atom') ? this.bucket() : undefined;
    const feeds = namesWith('atom', audiences);
    const mail = this.mailTopics(audiences, props);
    this.chatTopics = Object.fromEntries(
      namesWith('amazon-q', audiences).map((name) => [
        name,
        this.topic(`chat-${name}`, `${prefix}-${chatTopic(name)}`, topics),
      ]),
    );
    const queue = this.queue(props);
    this.subscribe(queue, plan, props);

    const environment: NotifyEnvironment = {
      TABLE_NAME: table.tableName,
      HISTORY_TABLE_NAME: history.tableName,
      PLAN_FILE: '/opt/plan.json',
      TOPIC_PREFIX: topicArn(this, `${prefix}-`),
      DEAD_LETTER_QUEUE: deadLetters.unsent.queueUrl,
      SECRET_ID: this.secret?.secretArn,
      FEED_BUCKET: this.feeds?.bucketName,
    };
    const notify = new BundledFunction(this, 'notify', {
      functionName: `${prefix}-notify`,
      description: 'Turns events into messages and sends those that are due',
      entry: 'lambdas/notify/handler.ts',
      environment,
      grants: this.grants(props, { queue, topics: [...mail, ...Object.values(this.chatTopics)], feeds }),
      timeout: TIMEOUT,
      memoryMegabytes: 512,
      logDays: settings.retention.logDays,
      key,
      network,
    });
    notify.function.addLayers(this.planLayer(plan));
    const source = new EventSourceMapping(this, 'Source', {
      target: notify.function,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: 2,
    });
    Validations.of(source).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        'What the function cannot take in stays in the queue, and goes from there to the queue of unsent messages.',
    });
    const every = Duration.minutes(1);
    new FunctionSchedule(this, 'Schedule', {
      target: notify.function,
      name: `${prefix}-notify`,
      description: 'Sends the messages that are due',
      schedule: ScheduleExpression.rate(every),
      within: undefined,
      giveUpAfter: every,
      input: { send: 'due' },
      scheduleGroup,
      deadLetters,
    });
    this.warn(plan);
  }

  private queue({ settings, topics, deadLetters, key }: MessagesProps): Queue {
    const queue = new Queue(this, 'Queue', {
      queueName: `${settings.prefix}-notify`,
      ...(key
        ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
        : { encryption: QueueEncryption.SQS_MANAGED }),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(6 * TIMEOUT.toSeconds()),
      deadLetterQueue: { queue: deadLetters.unsent, maxReceiveCount: 5 },
    });
    const sources = [...Object.values(topics.families), topics.alarms].map((topic) => topic.topicArn);
    queue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'TakeEventsAndAlarms',
        principals: [new ServicePrincipal('sns.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': sources } },
      }),
    );
    return queue;
  }

  /** Only topics whose events some subscription may want, with a filter policy where SNS can say one. */
  private subscribe(queue: Queue, plan: NotifyPlan, { topics, deadLetters }: MessagesProps): void {
    const filters = plan.subscriptions
      .filter(({ channels }) => channels.length > 0)
      .map(({ filter }) => filter);
    const redrivePolicy = { deadLetterTargetArn: deadLetters.undelivered.queueArn };
    const common = { protocol: 'sqs', endpoint: queue.queueArn, rawMessageDelivery: true, redrivePolicy };
    for (const [family, policy] of topicPolicies(filters)) {
      new CfnSubscription(this, `Subscription-${family}`, {
        ...common,
        topicArn: topics.families[family].topicArn,
        ...(Object.keys(policy).length > 0 && { filterPolicy: policy }),
      });
    }
    if (plan.operations.channels.length > 0) {
      new CfnSubscription(this, 'Subscription-alarms', { ...common, topicArn: topics.alarms.topicArn });
    }
  }

  private mailTopics(
    audiences: readonly Audience[],
    { settings, topics, deadLetters }: MessagesProps,
  ): readonly Topic[] {
    return audiences.flatMap(({ name, channels }) => {
      const addresses = channels.flatMap((channel) => (channel.kind === 'email' ? [channel.to] : []));
      if (addresses.length === 0) return [];
      const topic = this.topic(`mail-${name}`, `${settings.prefix}-${mailTopic(name)}`, topics);
      for (const endpoint of addresses) {
        const key = addressKey(endpoint);
        // By the address: a place in the list would move a subscription to another address when one is taken out.
        new CfnSubscription(this, `Mail-${name}-${key}`, {
          topicArn: topic.topicArn,
          protocol: 'email',
          endpoint,
          filterPolicy: { [ADDRESS]: [key] },
          redrivePolicy: { deadLetterTargetArn: deadLetters.undelivered.queueArn },
        });
      }
      return [topic];
    });
  }

  private topic(id: string, topicName: string, { key }: EventTopics): Topic {
    return new Topic(this, id, { topicName, masterKey: key, enforceSSL: true });
  }

  private secretOf(
    { settings: { messages }, key }: MessagesProps,
    webhooks: boolean,
  ): Secret | ISecret | undefined {
    if (!webhooks && messages.relay?.login === undefined) return undefined;
    if (messages.secret !== 'make') return Secret.fromSecretCompleteArn(this, 'Secret', messages.secret);
    const secret = new Secret(this, 'Secret', {
      description:
        'Webhook addresses and passwords of the channels; docs/guides/messages.md says what to put here',
      removalPolicy: RemovalPolicy.RETAIN,
      ...(key && { encryptionKey: key }),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Slack, Teams and mail servers issue these; notify reads the secret again when one is refused.',
    });
    return secret;
  }

  private bucket(): Bucket {
    const bucket = new Bucket(this, 'Feeds', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Feeds hold what messages say; a log of who reads them would hold more about people than they do.',
    });
    return bucket;
  }

  /** The subscriptions as a file of the function: environment variables hold 4 KB, and a list of genes may be longer. */
  private planLayer(plan: NotifyPlan): LayerVersion {
    const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-plan-'));
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
    const layer = new LayerVersion(this, 'Plan', {
      code: Code.fromAsset(folder),
      description: 'Who gets which messages',
    });
    // The CDK has copied it.
    rmSync(folder, { recursive: true });
    return layer;
  }

  private grants(
    { settings, table, history, topics, deadLetters, key }: MessagesProps,
    own: { readonly queue: Queue; readonly topics: readonly Topic[]; readonly feeds: readonly string[] },
  ): readonly PolicyStatement[] {
    const statements = [
      new PolicyStatement({
        sid: 'KeepMessages',
        actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
        resources: [table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['notify#*'] } },
      }),
      new PolicyStatement({
        sid: 'ReadHistory',
        actions: ['dynamodb:Query'],
        resources: historyArns(history),
      }),
      new PolicyStatement({
        sid: 'TakeFromQueue',
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [own.queue.queueArn],
      }),
      new PolicyStatement({
        sid: 'SetAsideUnsentMessages',
        actions: ['sqs:SendMessage'],
        resources: [deadLetters.unsent.queueArn],
      }),
    ];
    if (key) statements.push(useKey(this, key));
    if (own.topics.length > 0) {
      const resources = own.topics.map(({ topicArn: arn }) => arn);
      statements.push(new PolicyStatement({ sid: 'PublishMessages', actions: ['sns:Publish'], resources }));
      if (!key) statements.push(encryptMessages(this, topics.key));
    }
    if (this.secret) {
      const resources = [this.secret.secretArn];
      statements.push(
        new PolicyStatement({ sid: 'ReadChannels', actions: ['secretsmanager:GetSecretValue'], resources }),
      );
      if (settings.messages.secretKey !== undefined) {
        statements.push(
          keyGrant(this, {
            sid: 'DecryptChannels',
            keyArn: settings.messages.secretKey,
            actions: ['kms:Decrypt'],
            through: ['secretsmanager'],
          }),
        );
      }
    }
    const bucketArn = this.feeds?.bucketArn;
    if (bucketArn) {
      const resources = own.feeds.map((name) => `${bucketArn}/${name}.xml`);
      statements.push(new PolicyStatement({ sid: 'WriteFeeds', actions: ['s3:PutObject'], resources }));
    }
    return statements;
  }

  private warn({ subscriptions }: NotifyPlan): void {
    const silent = subscriptions.filter(({ channels }) => channels.length === 0).map(({ name }) => name);
    if (silent.length === 0) return;
    Annotations.of(this).addWarningV2(
      'gene-panel-notifier:no-channel',
      `subscriptions.${silent.join(', subscriptions.')}: channels is empty, so these messages reach no person. Put an address there, such as { kind: 'email', to: 'genetics@example.org' }`,
    );
  }
}

type Audience = Pick<Subscription, 'name' | 'channels'>;

const namesWith = (kind: Channel['kind'], audiences: readonly Audience[]): readonly string[] =>
  audiences
    .filter(({ channels }) => channels.some((channel) => channel.kind === kind))
    .map(({ name }) => name);

const topicArn = (scope: Construct, resource: string): string =>
  Stack.of(scope).formatArn({ service: 'sns', resource, arnFormat: ArnFormat.NO_RESOURCE_NAME });
