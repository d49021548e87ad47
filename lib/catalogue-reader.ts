import { Annotations, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { catalogueSecret } from './catalogue-secret.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import { type JobName, jobs } from './jobs.ts';
import { pollEnvironment } from './poll-environment.ts';
import { ScheduledFunction } from './scheduled-function.ts';
import { isThisMachine } from './setting-kinds.ts';
import type { Catalogue } from './settings.ts';

export interface CatalogueReaderProps {
  readonly prefix: string;
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly namespace: string;
  readonly logDays: number;
  readonly table: Pick<ITable, 'tableArn' | 'tableName'>;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
}

/** All that reads one catalogue: its secret, and one scheduled function for each job. */
export class CatalogueReader extends Construct {
  readonly catalogue: Catalogue;
  /** What the laboratory puts its credential into; none where the catalogue is open. */
  readonly secret: Secret | ISecret | undefined;
  readonly functions: Readonly<Record<JobName, ScheduledFunction>>;

  constructor(scope: Construct, id: string, props: CatalogueReaderProps) {
    super(scope, id);
    const { prefix, name, catalogue, table, topics, namespace } = props;
    this.catalogue = catalogue;
    if (isThisMachine(catalogue.base)) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:local-catalogue',
        `catalogues.${name}.base is ${catalogue.base}: on AWS that is the function itself, where no catalogue is; this serves an emulator on your machine only`,
      );
    }
    const secret = catalogueSecret(this, 'Secret', { name, access: catalogue.access });
    this.secret = secret;
    const environment = pollEnvironment({
      name,
      catalogue,
      namespace,
      secretArn: secret?.secretArn,
      tableName: table.tableName,
      topicArns: topics.arns,
      json: (value) => Stack.of(this).toJsonString(value),
    });
    const run = (job: JobName): ScheduledFunction => {
      const { entry, description, every, within, timeout, memoryMegabytes } = jobs[job];
      return new ScheduledFunction(this, job, {
        functionName: `${prefix}-${job}-${name}`,
        description: `${description} (${name})`,
        entry,
        environment,
        grants: this.grants(props, secret),
        every: every(catalogue),
        within: within(catalogue),
        timeout,
        memoryMegabytes,
        logDays: props.logDays,
        deadLetters: props.deadLetters,
        scheduleGroup: props.scheduleGroup,
      });
    };
    this.functions = { poll: run('poll') };
  }

  /** Reading and writing the table, publishing, and the credential: each on the one resource it is for. */
  private grants(
    { catalogue, table, topics }: CatalogueReaderProps,
    secret: Pick<ISecret, 'secretArn'> | undefined,
  ): PolicyStatement[] {
    const statements = [
      new PolicyStatement({
        sid: 'KeepItsPlace',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
        resources: [table.tableArn],
      }),
      new PolicyStatement({
        sid: 'PublishEvents',
        actions: ['sns:Publish'],
        resources: Object.values(topics.arns),
      }),
      new PolicyStatement({
        sid: 'EncryptForTheTopics',
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: [topics.key.keyArn],
        conditions: { StringEquals: { 'kms:ViaService': this.service('sns') } },
      }),
    ];
    if (secret === undefined) return statements;
    const read = { actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] };
    statements.push(new PolicyStatement({ sid: 'ReadTheCredential', ...read }));
    if (catalogue.access.kind === 'none' || catalogue.access.secretKey === undefined) return statements;
    statements.push(
      new PolicyStatement({
        sid: 'DecryptTheCredential',
        actions: ['kms:Decrypt'],
        resources: [catalogue.access.secretKey],
        conditions: { StringEquals: { 'kms:ViaService': this.service('secretsmanager') } },
      }),
    );
    return statements;
  }

  /** A service's own address, by which KMS knows on whose behalf it is asked. */
  private service(name: string): string {
    const { region, urlSuffix } = Stack.of(this);
    return `${name}.${region}.${urlSuffix}`;
  }
}
