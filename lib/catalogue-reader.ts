import { Annotations, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { FollowedPanels } from '../lambdas/filters/followed-panels.ts';
import { catalogueEnvironment } from './catalogue-environment.ts';
import { catalogueGrants } from './catalogue-grants.ts';
import { catalogueSecret } from './catalogue-secret.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import type { FunctionNetwork } from './function-network.ts';
import { type Job, type JobName, jobNames, jobs } from './jobs.ts';
import { ScheduledFunction } from './scheduled-function.ts';
import { isThisMachine } from './setting-kinds.ts';
import type { AlarmSettings, Catalogue } from './settings.ts';

interface CatalogueReaderProps {
  readonly prefix: string;
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly limits: AlarmSettings;
  /** The panels of this catalogue that subscriptions name. */
  readonly followed: FollowedPanels;
  readonly namespace: string;
  readonly logDays: number;
  /** Whether one execution of the account's quota is kept for each function. */
  readonly reserved: boolean;
  readonly key: IKey | undefined;
  readonly network: FunctionNetwork | undefined;
  readonly table: Pick<ITable, 'tableArn' | 'tableName'>;
  readonly history: Pick<ITable, 'tableArn' | 'tableName'>;
  /** Days for which events are kept in the history; for ever if undefined. */
  readonly historyDays: number | undefined;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
}

/** What reads one catalogue: its secret, and one scheduled function for each job. */
export class CatalogueReader extends Construct {
  readonly catalogue: Catalogue;
  /** Holds the laboratory's credential; undefined where the catalogue is open. */
  readonly secret: Secret | ISecret | undefined;
  readonly functions: Readonly<Record<JobName, ScheduledFunction>>;

  constructor(scope: Construct, id: string, props: CatalogueReaderProps) {
    super(scope, id);
    const {
      prefix,
      name,
      catalogue,
      limits,
      followed,
      table,
      history,
      historyDays,
      topics,
      namespace,
      ...shared
    } = props;
    this.catalogue = catalogue;
    if (isThisMachine(catalogue.base)) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:local-catalogue',
        `catalogues.${name}.base is ${catalogue.base}: on AWS this address is the function itself, which serves no catalogue. Use it only with an emulator on your machine`,
      );
    }
    const secret = catalogueSecret(this, 'Secret', { name, access: catalogue.access, key: props.key });
    this.secret = secret;
    const environment = catalogueEnvironment({
      name,
      catalogue,
      namespace,
      secretArn: secret?.secretArn,
      tableName: table.tableName,
      historyTableName: history.tableName,
      historyDays,
      topicArns: topics.arns,
      json: (value) => Stack.of(this).toJsonString(value),
    });
    const grants = catalogueGrants(this, { name, catalogue, table, history, topics, key: props.key, secret });
    const deploy = (jobName: JobName): ScheduledFunction => {
      const job: Job = jobs[jobName];
      return new ScheduledFunction(this, jobName, {
        ...shared,
        functionName: `${prefix}-${jobName}-${name}`,
        description: `${job.description} (${name})`,
        entry: job.entry,
        environment: job.environment(environment, catalogue, { limits, followed }),
        grants,
        every: job.every(catalogue),
        within: job.within(catalogue),
        timeout: job.timeout,
        memoryMegabytes: job.memoryMegabytes,
      });
    };
    this.functions = Object.fromEntries(jobNames.map((each) => [each, deploy(each)])) as Record<
      JobName,
      ScheduledFunction
    >;
  }
}
