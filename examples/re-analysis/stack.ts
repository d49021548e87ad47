import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { EventConsumer } from 'gene-panel-notifier';
import { greenGenes, signOffs } from './filter.ts';

interface ReAnalysisSettings {
  /**
   * Which versions the laboratory tests by. `working`: a list when a gene turns green. `signed-off`: a list when a version is
   * signed off.
   */
  readonly counts: string;
  /** The catalogue's `/api/v1/` URL: its archive shows what the versions held. */
  readonly catalogueUrl: string;
  /** `TopicClassifications` of the notifier's deployment. */
  readonly classificationsTopic: string;
  /** `TopicPromotions` of the notifier's deployment. */
  readonly promotionsTopic: string;
  /** Gets the alarm of the dead letters: `TopicAlarms` of the notifier's deployment, or a topic of yours. */
  readonly alarmTopic: string;
  /** The tests of the laboratory, such as `R208`. */
  readonly rCodes: readonly string[];
  readonly interpretationUrl: string;
  /** The path of the list of cases below that address. */
  readonly casesPath: string;
  readonly authUrl: string;
  readonly tenantId: string;
  /** Who gets the lists by mail; may be empty. */
  readonly mailTo: readonly string[];
  /** The readers' time zone. */
  readonly zone: string;
}

/** A gene turned green, or a version was signed off: lists the cases that were analysed with what was green before. */
export class ReAnalysisStack extends Stack {
  constructor(scope: Construct, id: string, settings: ReAnalysisSettings, props: StackProps = {}) {
    super(scope, id, props);
    const timeout = Duration.minutes(5);
    const logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const lists = new Topic(this, 'Lists', {
      enforceSSL: true,
      masterKey: Alias.fromAliasName(this, 'SnsKey', 'alias/aws/sns'),
    });
    for (const address of settings.mailTo) lists.addSubscription(new EmailSubscription(address));
    const table = new Table(this, 'Register', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires',
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const secret = new Secret(this, 'Credential', {
      description: 'client_id and client_secret of the identity provider; optionally webhook',
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The operator of the identity provider issues the credential, and announces a new one.',
    });
    const role = new Role(this, 'Role', {
      description: `Execution role of ${id}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Own: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
            new PolicyStatement({
              actions: ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
              resources: [table.tableArn],
            }),
            new PolicyStatement({ actions: ['sns:Publish'], resources: [lists.topicArn] }),
            new PolicyStatement({
              actions: ['secretsmanager:GetSecretValue'],
              resources: [secret.secretArn],
            }),
          ],
        }),
      },
    });
    const handler = new NodejsFunction(this, 'Function', {
      functionName: id,
      entry: fileURLToPath(new URL('handler.ts', import.meta.url)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout,
      // Two events of one panel one after the other: each reads the whole list of cases.
      reservedConcurrentExecutions: 2,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        COUNTS: settings.counts,
        CATALOGUE_URL: settings.catalogueUrl,
        TABLE: table.tableName,
        TOPIC: lists.topicArn,
        SECRET: secret.secretArn,
        R_CODES: settings.rCodes.join(','),
        INTERPRETATION_URL: settings.interpretationUrl,
        CASES_PATH: settings.casesPath,
        AUTH_URL: settings.authUrl,
        TENANT_ID: settings.tenantId,
        ZONE: settings.zone,
      },
      bundling: { target: 'node24', externalModules: [] },
    });
    new EventConsumer(this, 'Events', {
      ...(settings.counts === 'signed-off'
        ? {
            topics: { promotions: Topic.fromTopicArn(this, 'Promotions', settings.promotionsTopic) },
            filter: signOffs(settings.rCodes),
          }
        : {
            topics: {
              classifications: Topic.fromTopicArn(this, 'Classifications', settings.classificationsTopic),
            },
            filter: greenGenes(settings.rCodes),
          }),
      function: handler,
      timeout,
      batchSize: 1,
      alarmAction: new SnsAction(Topic.fromTopicArn(this, 'Alarms', settings.alarmTopic)),
    });
    this.exportValue(lists.topicArn, { name: `${id}-lists` });
    this.exportValue(secret.secretArn, { name: `${id}-credential` });
  }
}
