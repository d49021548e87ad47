import { fileURLToPath } from 'node:url';
import { ArnFormat, Duration, RemovalPolicy, Size, Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { PagePlan } from '../lambdas/functions/page/page-plan.ts';
import type { PageEnvironment } from '../lambdas/functions/settings.ts';
import { BundledFunction, type DeploymentParts, fileLayer, type KeptTable } from './bundled-function.ts';
import { allow, decryptSecret, historyArns, readItems, statePartitions, useKey } from './grants.ts';
import { issuedSecret, retainedTable } from './retained.ts';
import { worklistSettingsOf } from './worklist-settings.ts';

interface TeamPageProps extends DeploymentParts {
  readonly page: NonNullable<DeploymentParts['settings']['page']>;
}

/** The longest that an HTTP API waits. */
const TIMEOUT = Duration.seconds(29);
/** Holds the copy of the history, whose events are bounded (`lambdas/functions/page/open-page.ts`). */
const COPY = Size.gibibytes(2);

/** The page for a team: a function that serves it, an HTTP API in front of it, and what it must know of people. */
export class TeamPage extends Construct {
  readonly api: CfnApi;
  readonly address: string;
  /** Sessions, chosen panels and the audit log. */
  readonly people: KeptTable;
  /** The secret of the page at the identity provider; undefined for a client without one. */
  readonly clientSecret: Secret | ISecret | undefined;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: TeamPageProps) {
    super(scope, id);
    const { settings, page, table, history, worklist, key, network } = props;
    const { prefix } = settings;
    this.people = retainedTable(this, 'People', { existing: settings.existingPeopleTable, key });
    this.clientSecret = this.clientSecretOf(props);
    const sessionKey = this.sessionKey(props);
    this.api = new CfnApi(this, 'Api', {
      name: `${prefix}-page`,
      protocolType: 'HTTP',
      description: 'The page for a team',
    });
    this.address = page.address ?? this.api.attrApiEndpoint;
    const environment: PageEnvironment = {
      TABLE_NAME: table.tableName,
      HISTORY_TABLE_NAME: history.tableName,
      WORKLIST_TABLE_NAME: worklist?.tableName,
      PEOPLE_TABLE_NAME: this.people.tableName,
      METRICS_NAMESPACE: prefix,
      PAGE_ADDRESS: this.address,
      PAGE_FOLDER,
      CLIENT_SECRET_ID: this.clientSecret?.secretArn,
      SESSION_KEY_ID: sessionKey.secretArn,
    };
    const served = new BundledFunction(this, 'page', {
      ...props,
      name: 'page',
      description: 'Serves the page for a team',
      entry: 'lambdas/functions/page/handler.ts',
      environment: { ...environment, ...(network?.proxy !== undefined && proxied(this)) },
      grants: pageGrants(this, props, {
        people: this.people,
        secrets: [...(this.clientSecret ? [this.clientSecret] : []), sessionKey].map(
          ({ secretArn }) => secretArn,
        ),
      }),
      timeout: TIMEOUT,
      memoryMegabytes: 1024,
      ephemeralStorage: COPY,
    });
    this.function = served.function;
    const plan: PagePlan = {
      stage: prefix,
      catalogues: Object.keys(settings.catalogues),
      zone: page.zone,
      signIn: page.signIn,
      worklist: settings.worklist ? worklistSettingsOf(settings.worklist) : null,
    };
    served.function.addLayers(
      fileLayer(this, 'Plan', {
        description: 'Who may read the page, and what browsers load of it',
        files: { 'page/page.json': JSON.stringify(plan) },
        folders: { 'page/browser': browserFiles },
      }),
    );
    this.route(page.requestsPerSecond);
  }

  private route(requestsPerSecond: number): void {
    const { ref: apiId } = this.api;
    const integration = new CfnIntegration(this, 'Integration', {
      apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: this.function.functionArn,
      payloadFormatVersion: '2.0',
      timeoutInMillis: TIMEOUT.toMilliseconds(),
    });
    const route = new CfnRoute(this, 'Route', {
      apiId,
      routeKey: '$default',
      authorizationType: 'NONE',
      target: `integrations/${integration.ref}`,
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The page signs people in itself; before that it answers nothing of the history.',
    });
    const stage = new CfnStage(this, 'Stage', {
      apiId,
      stageName: '$default',
      autoDeploy: true,
      defaultRouteSettings: {
        throttlingRateLimit: requestsPerSecond,
        // A browser asks for a view and ten files of it at once.
        throttlingBurstLimit: 5 * requestsPerSecond,
      },
    });
    const reason =
      'The audit log says who signed in and who decided what; a log of each request would hold what each person reads.';
    Validations.of(stage).acknowledge(
      { id: 'AwsSolutions-APIG1', reason },
      { id: 'Serverless-APIGWAccessLogging', reason },
    );
    new CfnPermission(this, 'Invoke', {
      action: 'lambda:InvokeFunction',
      functionName: this.function.functionName,
      principal: 'apigateway.amazonaws.com',
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: apiId,
        resourceName: '*/$default',
        arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      }),
    });
  }

  private clientSecretOf({ page, key }: TeamPageProps): Secret | ISecret | undefined {
    if (page.clientSecret === 'none') return undefined;
    return issuedSecret(this, 'ClientSecret', {
      from: page.clientSecret,
      description:
        'The secret of the page at the identity provider; docs/guides/team.md, "On AWS", says what to put here',
      key,
      issuer: 'The identity provider issues it; the page reads it again when the provider refuses it.',
    });
  }

  private sessionKey({ key }: TeamPageProps): Secret {
    const secret = new Secret(this, 'SessionKey', {
      description: 'Seals sign-ins and forms of the page; a new text ends those that have begun',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
      ...(key && { encryptionKey: key }),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'What it seals ends within ten minutes or with a session; sessions themselves are random and kept hashed.',
    });
    return secret;
  }
}

/** Node's own requests to the identity provider take the proxy of the environment; those to AWS do not. */
const proxied = (scope: Construct): Readonly<Record<string, string>> => ({
  NODE_USE_ENV_PROXY: '1',
  NO_PROXY: `.${Stack.of(scope).urlSuffix}`,
});

/** The partitions of which items change. Lines of the audit log are only added. */
const PEOPLE = ['sessions', 'used', 'visits', 'people', 'panels#*'];

/**
 * What the page may do: read everything of the stage, and write decisions, readings, sessions, chosen panels and lines of the
 * audit log, which it can neither read nor delete.
 */
function pageGrants(
  scope: Construct,
  { settings, page, table, history, worklist, key }: TeamPageProps,
  made: { readonly people: KeptTable; readonly secrets: readonly string[] },
): readonly PolicyStatement[] {
  const people = [made.people.tableArn];
  return [
    allow({
      sid: 'ShowState',
      actions: readItems,
      resources: [table.tableArn],
      partitions: statePartitions(Object.keys(settings.catalogues)),
    }),
    allow({ sid: 'ShowHistory', actions: readItems, resources: historyArns(history) }),
    allow({
      sid: 'KeepPeople',
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Query'],
      resources: people,
      partitions: PEOPLE,
    }),
    allow({
      sid: 'AddToPeople',
      actions: ['dynamodb:PutItem'],
      resources: people,
      partitions: [...PEOPLE, 'audit#*'],
    }),
    allow({ sid: 'ReadPageSecrets', actions: ['secretsmanager:GetSecretValue'], resources: made.secrets }),
    ...(worklist
      ? [
          allow({
            sid: 'DecideEntries',
            actions: ['dynamodb:PutItem', 'dynamodb:Query'],
            resources: [worklist.tableArn],
          }),
        ]
      : []),
    ...(key ? [useKey(scope, key)] : []),
    ...(page.clientSecretKey === undefined
      ? []
      : [decryptSecret(scope, { sid: 'DecryptClientSecret', keyArn: page.clientSecretKey })]),
  ];
}

/** Where the function finds its plan and what browsers load. */
const PAGE_FOLDER = '/opt/page';

/** In the checkout `page/browser`, in the published package `dist/page/browser`. */
const browserFiles = fileURLToPath(new URL('../page/browser', import.meta.url));
