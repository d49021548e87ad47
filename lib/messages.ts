import { Annotations, Duration, Validations } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { addressesByTopic, settingsOf } from '../lambdas/channels/channel-settings.ts';
import type { NotifyEnvironment } from '../lambdas/functions/settings.ts';
import {
  ADDRESS,
  addressKey,
  chatTopic,
  mailTopic,
  type NotifyPlan,
  OPERATIONS,
  type Subscription,
} from '../lambdas/notify/subscription.ts';
import { partitionOf } from '../lambdas/store/table-keys.ts';
import { BundledFunction, type DeploymentParts, feed, fileLayer } from './bundled-function.ts';
import { messageQueue, topicArn } from './dead-letters.ts';
import { FunctionSchedule } from './function-schedule.ts';
import {
  allow,
  encryptMessages,
  encryptThrough,
  historyArns,
  readSecrets,
  sendTo,
  takeFromQueue,
  useKey,
} from './grants.ts';
import { planOf } from './notify-plan.ts';
import { issuedSecret, objectsOf, privateBucket } from './retained.ts';
import type { MessageSubscription } from './subscription-settings.ts';

interface MessagesProps extends DeploymentParts {
  readonly subscriptions: Readonly<Record<string, MessageSubscription>>;
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
  /** Where the names of the topics begin to which Amazon Q subscribes: each ends in the name of its subscription. */
  readonly chatTopics: string | undefined;
  readonly feeds: Bucket | undefined;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: MessagesProps) {
    super(scope, id);
    const { settings, subscriptions, table, history, topics, deadLetters, key } = props;
    const { prefix } = settings;
    const plan = planOf(settings, subscriptions);
    const audiences: readonly Audience[] = [
      ...plan.subscriptions,
      { name: OPERATIONS, channels: plan.operations.channels },
    ];
    const channels = audiences.flatMap((audience) => audience.channels);

    const { messages } = settings;
    const hasSecrets = channels.some(({ kind }) => settingsOf(kind).secret !== null);
    if (hasSecrets || messages.relay?.login !== undefined) {
      this.secret = issuedSecret(this, 'Secret', {
        from: messages.secret,
        description:
          'Webhook addresses and passwords of the channels; docs/guides/messages.md says what to put here',
        key,
        issuer:
          'Slack, Teams and mail servers issue these; notify reads the secret again when one is refused.',
      });
    }
    this.feeds = channels.some(({ kind }) => settingsOf(kind).needs.feeds) ? this.bucket(key) : undefined;
    const hasMail = this.mailTopics(audiences, props);
    const chats = audiences.filter(({ channels }) =>
      channels.some(({ kind }) => settingsOf(kind).needs.topic === 'chat'),
    );
    for (const { name } of chats) this.topic(`chat-${name}`, `${prefix}-${chatTopic(name)}`, topics);
    this.chatTopics = chats.length > 0 ? topicArn(this, `${prefix}-${chatTopic('')}`) : undefined;
    const queue = messageQueue(this, { ...props, plan, timeout: TIMEOUT });

    const environment: NotifyEnvironment = {
      TABLE_NAME: table.tableName,
      HISTORY_TABLE_NAME: history.tableName,
      PLAN_FILE: `/opt/${PLAN_FILE}`,
      TOPIC_PREFIX: topicArn(this, `${prefix}-`),
      DEAD_LETTER_QUEUE: deadLetters.unsent.queueUrl,
      ALARM_EMAIL: settings.alarms.email,
      METRICS_NAMESPACE: prefix,
      SECRET_ID: this.secret?.secretArn,
      FEED_BUCKET: this.feeds?.bucketName,
    };
    const notify = new BundledFunction(this, 'notify', {
      ...props,
      name: 'notify',
      description: 'Turns events into messages and sends those that are due',
      entry: 'lambdas/functions/notify/handler.ts',
      environment,
      grants: messageGrants(this, {
        ...props,
        queue,
        mailTopics: hasMail ? [topicArn(this, `${prefix}-${mailTopic('')}*`)] : [],
        chatTopics: chats.length > 0 ? [topicArn(this, `${prefix}-${chatTopic('')}*`)] : [],
        secret: this.secret,
        feeds: this.feeds,
      }),
      timeout: TIMEOUT,
      memoryMegabytes: 512,
    });
    this.function = notify.function;
    // S3 names no object before it is written, and the feeds of hundreds of subscriptions would not fit either.
    const patterns = [...(hasMail ? [mailTopic('')] : []), ...(chats.length > 0 ? [chatTopic('')] : [])];
    Validations.of(notify).acknowledge(
      ...[
        ...patterns.map(
          (beginning) => `arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:${prefix}-${beginning}*`,
        ),
        ...(this.feeds ? [objectsOf(this.feeds)] : []),
      ].map((pattern) => ({
        id: `AwsSolutions-IAM5[Resource::${pattern}]`,
        reason:
          'A role takes 10,240 characters, too few to name each topic and feed; the pattern is of this deployment alone.',
      })),
    );
    notify.function.addLayers(
      fileLayer(this, 'Plan', {
        description: 'Who gets which messages',
        files: { [PLAN_FILE]: JSON.stringify(plan) },
      }),
    );
    feed(notify, queue, {
      reason:
        'What the function cannot take in stays in the queue, and goes from there to the queue of unsent messages.',
    });
    const every = Duration.minutes(1);
    new FunctionSchedule(this, 'Schedule', {
      ...props,
      target: notify.function,
      name: `${prefix}-notify`,
      description: 'Sends the messages that are due',
      schedule: ScheduleExpression.rate(every),
      within: undefined,
      giveUpAfter: every,
      input: { send: 'due' },
    });
    this.warn(plan);
  }

  /** @returns whether a subscription has one */
  private mailTopics(
    audiences: readonly Audience[],
    { settings, topics, deadLetters }: MessagesProps,
  ): boolean {
    const withMail = audiences.filter(({ channels }) => addressesByTopic(channels).length > 0);
    for (const { name, channels } of withMail) {
      const topic = this.topic(`mail-${name}`, `${settings.prefix}-${mailTopic(name)}`, topics);
      for (const endpoint of addressesByTopic(channels)) {
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
    }
    return withMail.length > 0;
  }

  private topic(id: string, topicName: string, { key }: DeploymentParts['topics']): Topic {
    return new Topic(this, id, { topicName, masterKey: key, enforceSSL: true });
  }

  private bucket(key: IKey | undefined): Bucket {
    return privateBucket(this, 'Feeds', {
      key,
      unlogged:
        'Feeds hold what messages say; a log of who reads them would hold more about people than they do.',
    });
  }

  private warn({ subscriptions }: NotifyPlan): void {
    for (const { name, filter } of subscriptions) {
      const names = filterNames(filter);
      if (names.length === 0) continue;
      // Synthesis asks no catalogue and reads no history.
      Annotations.of(this).addInfoV2(
        'gene-panel-notifier:names-unchecked',
        `subscriptions.${name}: whether the catalogue has ${names.join(', ')} is unknown before it is read. The deployed stage looks these names up within an hour of its first reading, then daily, and says in the channels of ${name} which of them were not found. "gene-panel-notifier doctor --stage NAME" looks them up at once.`,
      );
    }
    const silent = subscriptions.filter(({ channels }) => channels.length === 0).map(({ name }) => name);
    if (silent.length === 0) return;
    Annotations.of(this).addWarningV2(
      'gene-panel-notifier:no-channel',
      `subscriptions.${silent.join(', subscriptions.')}: channels is empty, so these messages reach no person. Put an address there, such as { kind: 'email', to: 'genetics@example.org' }`,
    );
  }
}

/** More names of one kind are counted. */
const MOST_NAMES = 5;

/** The names in a filter that only the catalogue has or lacks: `the panel “Hearing loss”, the R code R67`. */
function filterNames(filter: Subscription['filter']): readonly string[] {
  return (
    [
      ['panel', filter.panels],
      ['panel type', filter.panelTypes],
      ['R code', filter.rCodes],
      ['gene', filter.genes],
      ['tag', filter.tags],
      ['curator', filter.actors],
    ] as const
  ).flatMap(([what, values = []]) => {
    if (values.length === 0) return [];
    const shown = values
      .slice(0, MOST_NAMES)
      .map((value) => (typeof value === 'number' ? value : `“${value}”`));
    const more = values.length > MOST_NAMES ? ` and ${values.length - MOST_NAMES} more` : '';
    return [`the ${what}${values.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`];
  });
}

type Audience = Pick<Subscription, 'name' | 'channels'>;

interface MessageGrantsProps extends MessagesProps {
  /** Events and alarms come from here. */
  readonly queue: Queue;
  /** The topics of mail and of Amazon Q that `notify` publishes to. */
  readonly mailTopics: readonly string[];
  readonly chatTopics: readonly string[];
  readonly secret: Pick<ISecret, 'secretArn'> | undefined;
  readonly feeds: Pick<Bucket, 'bucketArn'> | undefined;
}

/**
 * What the function that sends messages may do. Topics and feeds are named by a pattern: with one by one, a role would be larger
 * than IAM takes from some 48 subscriptions on.
 */
function messageGrants(scope: Construct, props: MessageGrantsProps): readonly PolicyStatement[] {
  const { settings, table, history, topics, deadLetters, key, queue, secret, feeds } = props;
  const { mailTopics, chatTopics } = props;
  const statements = [
    allow({
      sid: 'KeepMessages',
      actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Query'],
      resources: [table.tableArn],
      partitions: ['notify#*'],
    }),
    allow({
      sid: 'ReadMessagesAndPanelLists',
      actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
      resources: [table.tableArn],
      partitions: [
        'notify#*',
        'catalogue#*#panels*',
        // How far a catalogue is compared with others.
        ...Object.entries(settings.catalogues).flatMap(([name, { comparedWith }]) =>
          Object.keys(comparedWith).length === 0 ? [] : [`${partitionOf(name)}#documents*`],
        ),
      ],
    }),
    allow({
      sid: 'ReadHistory',
      actions: ['dynamodb:GetItem', 'dynamodb:Query'],
      resources: historyArns(history),
    }),
    takeFromQueue(queue),
    sendTo(deadLetters.unsent, 'SetAsideUnsentMessages'),
  ];
  if (key) statements.push(useKey(scope, key));
  const resources = [...mailTopics, ...chatTopics];
  if (resources.length > 0) {
    statements.push(allow({ sid: 'PublishMessages', actions: ['sns:Publish'], resources }));
    if (!key) statements.push(encryptMessages(scope, topics.key));
  }
  const watched = [...mailTopics, ...(settings.alarms.email === undefined ? [] : [topics.alarms.topicArn])];
  if (watched.length > 0) {
    const actions = ['sns:ListSubscriptionsByTopic'];
    statements.push(allow({ sid: 'CheckMailAddresses', actions, resources: watched }));
  }
  if (secret) {
    const { secretKey: keyArn } = settings.messages;
    statements.push(...readSecrets(scope, { what: 'Channels', secrets: [secret.secretArn], keyArn }));
  }
  if (feeds) {
    const objects = [`${feeds.bucketArn}/*`];
    statements.push(allow({ sid: 'WriteFeeds', actions: ['s3:PutObject'], resources: objects }));
    if (key) statements.push(encryptThrough(scope, { sid: 'EncryptFeeds', key, service: 's3' }));
  }
  return statements;
}

/** Where the function finds its plan: environment variables hold 4 KB, and a list of genes may be longer. */
const PLAN_FILE = 'plan.json';
