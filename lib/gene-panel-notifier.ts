import {
  Annotations,
  type App,
  CfnOutput,
  Duration,
  type Environment,
  RemovalPolicy,
  Stack,
  type StackProps,
  Tags,
  Token,
} from 'aws-cdk-lib';
import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { CfnSubscription, type ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Topic as Family, topics as families } from '../lambdas/events/kinds.ts';
import { followedPanels } from '../lambdas/filters/followed-panels.ts';
import { historyIndexes } from '../lambdas/store/table-keys.ts';
import { checkLimits } from './aws-limits.ts';
import { type DeploymentParts, functionNetwork } from './bundled-function.ts';
import { CatalogueReader } from './catalogue-reader.ts';
import { confirmationOf, queuesElsewhere } from './catalogue-settings.ts';
import { DeadLetters } from './dead-letters.ts';
import { EventBus, EventExport } from './event-bus.ts';
import { EventTopics } from './event-topics.ts';
import { Messages } from './messages.ts';
import { Operations } from './operations.ts';
import { parseSettings, SettingsError } from './read-settings.ts';
import { Relay } from './relay.ts';
import { deploymentKey, retainedTable } from './retained.ts';
import {
  type DeploymentInput,
  deploymentSchema,
  type SettingsInput,
  type Stage,
  settingsSchema,
} from './settings.ts';
import {
  filtersOf,
  hasChannels,
  type MessageSubscription,
  type QueueSubscription,
  type Subscription,
} from './subscription-settings.ts';
import { TeamPage } from './team-page.ts';

/**
 * One stack for each stage, named `<name>-<stage>`.
 *
 * @param settings as `defineSettings` or `readSettings` returns them
 * @throws {SettingsError} when they do not match their schema, or `only` names a stage that they do not have
 */
export function notifierStacks(
  app: App,
  settings: SettingsInput,
  { only }: { readonly only?: string } = {},
): readonly NotifierStack[] {
  const { name, stages } = parseSettings(settings, { schema: settingsSchema, file: 'The settings' });
  if (only !== undefined && !Object.hasOwn(stages, only)) {
    const known = Object.keys(stages).join(', ');
    throw new SettingsError(`There is no stage "${only}" in the settings; expected one of ${known}`);
  }
  return Object.entries(stages)
    .filter(([stageName]) => only === undefined || stageName === only)
    .map(([stageName, stage]) => {
      const prefix = `${name}-${stageName}`;
      const stack = new NotifierStack(app, prefix, {
        prefix,
        stage,
        description: `Typed events from the activity log of gene panel catalogues (${stageName})`,
        ...environmentOf(stage),
      });
      for (const [key, value] of Object.entries(stage.tags)) Tags.of(stack).add(key, value);
      return stack;
    });
}

/** Without account and region the stack goes where the deployer's credentials point. */
function environmentOf({ account, region }: Stage): { readonly env?: Environment } {
  return account === undefined || region === undefined ? {} : { env: { account, region } };
}

export interface NotifierStackProps extends StackProps {
  /** Begins the names of what the stack makes. */
  readonly prefix: string;
  readonly stage: Stage;
}

/** One stage of the settings file as a stack. Its outputs are the ARNs and names that subscribers and operators need. */
export class NotifierStack extends Stack {
  readonly notifier: GenePanelNotifier;

  constructor(scope: Construct, id: string, { prefix, stage, ...props }: NotifierStackProps) {
    super(scope, id, props);
    const { account: _account, region: _region, tags: _tags, local: _local, ...deployment } = stage;
    this.notifier = new GenePanelNotifier(this, 'Notifier', { ...deployment, prefix });
  }
}

/**
 * The whole notifier: functions that read each catalogue, two tables, nine topics, alarms, and the outputs of the stack.
 * `NotifierStack` deploys it alone; in a stack of your own, your functions and queues subscribe to its topics.
 *
 * @example
 * const notifier = new GenePanelNotifier(this, 'Notifier', {
 *   prefix: 'our-notifier',
 *   catalogues: { uk: { base: 'https://panelapp.genomicsengland.co.uk/api/v1/' } },
 * });
 * notifier.topics.classifications.addSubscription(new LambdaSubscription(reanalyse));
 */
export class GenePanelNotifier extends Construct {
  /** One topic a family of events; the event reference says what each carries. */
  readonly topics: Readonly<Record<Family, ITopic>>;
  /** Where the alarms go. */
  readonly alarmTopic: ITopic;
  /** Marks, rows seen and events sent. */
  readonly table: Table | ITable;
  /** Every published event. */
  readonly history: Table | ITable;
  /** What was decided about each change that matters; undefined where the settings have no worklist. */
  readonly worklist: Table | ITable | undefined;
  /** The one key for everything, where the settings ask for it. */
  readonly key: IKey | undefined;
  /** The functions of each catalogue, by its configured name. */
  readonly readers: Readonly<Record<string, CatalogueReader>>;

  /** What sends messages to people; undefined where no subscription has channels. */
  readonly messages: Messages | undefined;
  /** What writes every event to S3; undefined where the settings do not ask for it. */
  readonly export: EventExport | undefined;
  /** The page for a team; undefined where the settings have none. */
  readonly page: TeamPage | undefined;
  /** What puts every event on a bus of EventBridge; undefined where the settings name none. */
  readonly eventBus: EventBus | undefined;
  /** What writes the answers of the catalogues as files; undefined where the settings do not ask for it. */
  readonly relay: Relay | undefined;

  /**
   * Synthesis then fails with a sentence for each limit of AWS that the stack would be over.
   *
   * @throws SettingsError when the properties do not fit their schema
   */
  constructor(scope: Construct, id: string, props: DeploymentInput) {
    super(scope, id);
    const settings = parseSettings(props, { schema: deploymentSchema, file: this.node.path });
    const { prefix, catalogues, subscriptions, retention } = settings;

    const key = deploymentKey(this, 'Key', settings);
    const network = functionNetwork(this, 'SecurityGroup', settings);
    const topics = new EventTopics(this, 'Topics', { prefix, key, share: settings.share });
    const deadLetters = new DeadLetters(this, 'DeadLetters', {
      prefix,
      keptFor: Duration.days(retention.deadLetterDays),
      key,
    });
    // Marks, processed rows, recorded events, and for a month what was sent to people. It is retained: without the
    // mark, a new deployment would start at the newest row and silently skip all changes in between.
    const table = retainedTable(this, 'Table', { existing: settings.existingTable, key });
    const history = retainedTable(this, 'History', {
      indexes: historyIndexes,
      existing: settings.existingHistoryTable,
      key,
    });
    // Decisions are kept for ever: they are the proof that somebody decided.
    const worklist =
      settings.worklist && retainedTable(this, 'Worklist', { existing: settings.existingWorklistTable, key });
    const scheduleGroup = new ScheduleGroup(this, 'Schedules', {
      scheduleGroupName: prefix,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const parts: DeploymentParts = {
      ...{ settings, topics, deadLetters, scheduleGroup, table, history, worklist, key, network },
    };

    this.key = key;
    this.topics = topics.families;
    this.alarmTopic = topics.alarms;
    this.table = table;
    this.history = history;
    this.worklist = worklist;
    this.readers = Object.fromEntries(
      Object.entries(catalogues).map(([name, catalogue]) => [
        name,
        new CatalogueReader(this, name, {
          ...parts,
          ...{ name, catalogue },
          followed: followedPanels(filtersOf(subscriptions), name),
        }),
      ]),
    );
    const { undelivered } = deadLetters;
    const { toPeople, toQueues } = byForm(subscriptions);
    new Subscribers(this, 'Subscribers', { topics: topics.families, subscriptions: toQueues, undelivered });
    sayWhoConfirms(this, toQueues);
    if (Object.keys(toPeople).length > 0 || settings.operations.channels.length > 0)
      this.messages = new Messages(this, 'Messages', { ...parts, subscriptions: toPeople });
    if (settings.export)
      this.export = new EventExport(this, 'Export', { ...parts, exported: settings.export });
    if (settings.eventBus !== undefined)
      this.eventBus = new EventBus(this, 'EventBus', { ...parts, bus: settings.eventBus });
    if (settings.page) this.page = new TeamPage(this, 'Page', { ...parts, page: settings.page });
    if (settings.relay) this.relay = new Relay(this, 'Relay', { ...parts, relay: settings.relay });
    const { readers, messages, page, relay, eventBus } = this;
    const made = { readers, messages, page, relay, eventBus, export: this.export };
    new Operations(this, 'Operations', { ...parts, ...made });
    notifierOutputs(this, prefix);
    checkLimits(this);
  }
}

function byForm(subscriptions: Readonly<Record<string, Subscription>>) {
  const toPeople: Record<string, MessageSubscription> = {};
  const toQueues: Record<string, QueueSubscription> = {};
  for (const [name, subscription] of Object.entries(subscriptions)) {
    if (hasChannels(subscription)) toPeople[name] = subscription;
    else toQueues[name] = subscription;
  }
  return { toPeople, toQueues };
}

interface SubscribersProps {
  readonly topics: Readonly<Record<Family, ITopic>>;
  readonly subscriptions: Readonly<Record<string, QueueSubscription>>;
  readonly undelivered: IQueue;
}

/** The subscriptions that the settings name. What cannot be delivered is kept, not dropped. */
class Subscribers extends Construct {
  constructor(scope: Construct, id: string, { topics, subscriptions, undelivered }: SubscribersProps) {
    super(scope, id);
    for (const [name, subscription] of Object.entries(subscriptions)) {
      if (subscription.email !== undefined) {
        Annotations.of(this).addInfoV2(
          `gene-panel-notifier:json-by-mail-${name}`,
          `subscriptions.${name} sends JSON to ${subscription.email}. For readable mail write channels: [{ kind: 'email', to: '${subscription.email}' }] and a filter such as { to: ['green'] } instead of topics, email and filter`,
        );
      }
      for (const family of subscription.topics) {
        new CfnSubscription(this, `${name}-${family}`, {
          topicArn: topics[family].topicArn,
          ...endpointOf(subscription),
          ...(Object.keys(subscription.filter).length > 0 ? { filterPolicy: subscription.filter } : {}),
          redrivePolicy: { deadLetterTargetArn: undelivered.queueArn },
        });
      }
    }
  }
}

function sayWhoConfirms(notifier: Construct, subscriptions: SubscribersProps['subscriptions']): void {
  const { account } = Stack.of(notifier);
  const known = Token.isUnresolved(account) ? undefined : account;
  for (const [name, queue] of queuesElsewhere(subscriptions, known))
    Annotations.of(notifier).addInfoV2(
      `gene-panel-notifier:confirm-${name}`,
      `subscriptions.${name}: ${confirmationOf(queue, known)}`,
    );
}

/** A queue gets the CloudEvent alone, with its attributes; an e-mail cannot be had without SNS's own text. */
function endpointOf({ email = '', queue }: QueueSubscription) {
  if (queue === undefined) return { protocol: 'email', endpoint: email };
  return { protocol: 'sqs', endpoint: queue, rawMessageDelivery: true };
}

/**
 * The ARNs and names that subscribers, operators and the command line need, as outputs of the stack. The outputs of a second
 * notifier in one stack begin with its prefix.
 */
function notifierOutputs(notifier: GenePanelNotifier, prefix: string): void {
  const stack = Stack.of(notifier);
  const taken = new Set(
    stack.node
      .findAll()
      .flatMap((each) => (each instanceof CfnOutput ? [stack.resolve(each.logicalId)] : [])),
  );
  const start = taken.has('TableName') ? capital(prefix) : '';
  const output = (name: string, value: string, description: string): void =>
    new CfnOutput(notifier, `Output-${name}`, { value, description }).overrideLogicalId(`${start}${name}`);
  for (const family of families) {
    output(`Topic${capital(family)}`, notifier.topics[family].topicArn, `Subscribe here to ${family}`);
  }
  output('TopicAlarms', notifier.alarmTopic.topicArn, 'Where alarms go');
  for (const [name, { secret }] of Object.entries(notifier.readers)) {
    if (secret) output(`Secret${capital(name)}`, secret.secretArn, `Put the credential for ${name} in here`);
  }
  const { secret, chatTopics, feeds } = notifier.messages ?? {};
  if (secret) output('SecretChannels', secret.secretArn, 'Put webhook addresses and passwords in here');
  if (chatTopics !== undefined)
    output('TopicChat', chatTopics, 'Subscribe Amazon Q to this, followed by the name of a subscription');
  if (feeds) output('FeedBucket', feeds.bucketName, 'Holds an Atom feed for each subscription that has one');
  if (notifier.export)
    output(
      'ExportBucket',
      notifier.export.bucket.bucketName,
      'Every event as a file, by day; kept when the stack goes',
    );
  if (notifier.key)
    output('KeyArn', notifier.key.keyArn, 'Encrypts everything; kept when the stack is deleted');
  output(
    'TableName',
    notifier.table.tableName,
    'Marks, rows seen and events sent; kept when the stack is deleted',
  );
  output('Catalogues', Object.keys(notifier.readers).join(','), 'The catalogues that are read');
  if (notifier.page) {
    const { address, api, people, clientSecret } = notifier.page;
    output('PageAddress', address, 'The page for the team');
    output('PageApi', api.ref, 'The HTTP API of the page');
    output('PeopleTable', people.tableName, 'Audit log and sessions of the page; kept when the stack goes');
    if (clientSecret)
      output(
        'SecretPage',
        clientSecret.secretArn,
        'Put the secret of the page at the identity provider in here',
      );
  }
  if (notifier.relay) {
    const { bucket, secret: signing } = notifier.relay;
    output('RelayBucket', bucket.bucketName, 'The files of the relay; kept when the stack goes');
    output('SecretRelay', signing.secretArn, 'Put the key that signs the files of the relay in here');
  }
  if (notifier.worklist)
    output('WorklistTable', notifier.worklist.tableName, 'Every decision; kept when the stack goes');
  output('HistoryTable', notifier.history.tableName, 'Every published event; kept when the stack goes');
}

/** An output's name has letters and digits only. */
const capital = (name: string): string =>
  name.replaceAll(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
