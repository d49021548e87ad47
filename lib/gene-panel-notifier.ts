import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Topic as Family } from '../lambdas/events/topics.ts';
import { CatalogueReader } from './catalogue-reader.ts';
import { DeadLetters } from './dead-letters.ts';
import { EventTopics } from './event-topics.ts';
import { Operations } from './operations.ts';
import { parseSettings } from './read-settings.ts';
import { type DeploymentInput, deploymentSchema } from './settings.ts';
import { stateTable } from './state-table.ts';
import { Subscribers } from './subscribers.ts';

/**
 * The whole notifier: functions that read each catalogue, one table, eight topics, alarms and a dashboard.
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
  /** The functions of each catalogue, by its configured name. */
  readonly readers: Readonly<Record<string, CatalogueReader>>;

  /** @throws SettingsError when the properties do not fit their schema */
  constructor(scope: Construct, id: string, props: DeploymentInput) {
    super(scope, id);
    const settings = parseSettings(props, { schema: deploymentSchema, file: this.node.path });
    const { prefix, catalogues, subscriptions, retention } = settings;

    const topics = new EventTopics(this, 'Topics', { prefix });
    const deadLetters = new DeadLetters(this, 'DeadLetters', {
      prefix,
      keptFor: Duration.days(retention.deadLetterDays),
      topics: [...Object.values(topics.families), topics.alarms],
    });
    const table = stateTable(this, 'Table', settings.existingTable);
    const scheduleGroup = new ScheduleGroup(this, 'Schedules', {
      scheduleGroupName: prefix,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const namespace = prefix;
    const shared = {
      prefix,
      namespace,
      table,
      topics,
      deadLetters,
      scheduleGroup,
      logDays: retention.logDays,
    };

    this.topics = topics.families;
    this.alarmTopic = topics.alarms;
    this.table = table;
    this.readers = Object.fromEntries(
      Object.entries(catalogues).map(([name, catalogue]) => [
        name,
        new CatalogueReader(this, name, { ...shared, name, catalogue }),
      ]),
    );
    const { undelivered } = deadLetters;
    new Subscribers(this, 'Subscribers', { topics: topics.families, subscriptions, undelivered });
    new Operations(this, 'Operations', { settings, namespace, topics, deadLetters, readers: this.readers });
  }
}
