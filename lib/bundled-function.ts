import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AssetHashType, type Duration, RemovalPolicy, type Size, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  ApplicationLogLevel,
  Architecture,
  CfnFunction,
  Code,
  EventSourceMapping,
  type FunctionOptions,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { buildSync } from 'esbuild';
import { functionBundles } from './bundle.ts';
import type { DeploymentParts } from './deployment-parts.ts';
import { CERTIFICATES_FILE } from './file-layer.ts';
import { type FunctionNetwork, functionArn, networkGrants } from './function-network.ts';
import { allow } from './grants.ts';

export interface BundledFunctionProps extends Pick<DeploymentParts, 'settings' | 'key' | 'network'> {
  /** Ends the name of the function, which begins with that of the deployment. */
  readonly name: string;
  readonly description: string;
  /** The module that exports `handler`, relative to the top of the repository. */
  readonly entry: string;
  /** A variable without a value is left out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Everything that the function may do, besides writing its log. */
  readonly grants: readonly PolicyStatement[];
  readonly timeout: Duration;
  readonly memoryMegabytes: number;
  /** Room for temporary files; 512 MB where absent. */
  readonly ephemeralStorage?: Size | undefined;
  /** The most runs at once, reserved for the function; undefined for as many as the account allows. */
  readonly concurrency?: number | undefined;
}

/** A function with its bundled code, its log group and a role that holds exactly the grants. */
export class BundledFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    super(scope, id);
    const { settings, description, entry, environment, memoryMegabytes, timeout, key, network } = props;
    const functionName = `${settings.prefix}-${props.name}`;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: settings.retention.logDays,
      ...(key && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.function = functionWithCode(this, 'Function', {
      functionName,
      description,
      entry,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout,
      ...(props.ephemeralStorage && { ephemeralStorageSize: props.ephemeralStorage }),
      ...(props.concurrency !== undefined && { reservedConcurrentExecutions: props.concurrency }),
      environment: withValues({
        ...environment,
        HTTPS_PROXY: network?.proxy,
        NODE_EXTRA_CA_CERTS: network?.certificates && CERTIFICATES_FILE,
      }),
      ...(key && { environmentEncryption: key }),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.INFO,
      role: this.role(functionName, props, logGroup).withoutPolicyUpdates(),
    });
    if (network) connect(this.function, network);
    if (network?.certificates) this.function.addLayers(network.certificates);
    acknowledge(this.function);
  }

  /** The function's rights are written out rather than granted by the CDK, so that it has none that it does not use. */
  private role(functionName: string, { grants, key, network }: BundledFunctionProps, log: LogGroup): Role {
    const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const writeLog = allow({ sid: 'WriteLog', actions, resources: [log.logGroupArn] });
    const statements = [...grants, writeLog];
    if (key) statements.push(this.decryptEnvironment(functionName, key));
    if (network) statements.push(...networkGrants(this, functionName));
    const role = new Role(this, 'Role', {
      description: `Execution role of ${functionName}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements }) },
    });
    if (network) {
      Validations.of(role).acknowledge(
        { id: 'AwsSolutions-IAM5[Resource::*]', reason: anyInterface },
        { id: 'Serverless-LambdaStarPermissions', reason: anyInterface },
      );
    }
    return role;
  }

  private decryptEnvironment(functionName: string, key: IKey): PolicyStatement {
    const arn = functionArn(this, functionName);
    return new PolicyStatement({
      sid: 'DecryptEnvironment',
      actions: ['kms:Decrypt'],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:EncryptionContext:aws:lambda:FunctionArn': arn } },
    });
  }
}

/** Hands the messages of a queue to a function, in batches of which it names those that stay. */
export function feed(
  target: BundledFunction,
  { queueArn }: Pick<IQueue, 'queueArn'>,
  { reason }: { readonly reason: string },
): void {
  const source = new EventSourceMapping(target.node.scope as Construct, 'Source', {
    target: target.function,
    eventSourceArn: queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
    maxConcurrency: 2,
  });
  Validations.of(source).acknowledge({ id: 'Serverless-LambdaEventSourceMappingDestination', reason });
}

const anyInterface =
  'EC2 names no network interface before it is made; the role denies these actions to the code of the function.';

const withValues = (environment: BundledFunctionProps['environment']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** The subnets are given by id: the CDK's own VPC construct would have to look them up in the account. */
function connect({ node }: LambdaFunction, { subnetIds, securityGroupIds }: FunctionNetwork): void {
  if (!(node.defaultChild instanceof CfnFunction))
    throw new Error('The function has no CloudFormation resource');
  node.defaultChild.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [...securityGroupIds] };
}

function acknowledge(target: LambdaFunction): void {
  Validations.of(target).acknowledge(
    {
      id: 'Serverless-LambdaDLQ',
      reason:
        'A failed run goes to the on-failure destination, which records more than the older dead-letter setting.',
    },
    {
      id: 'Serverless-LambdaTracing',
      reason:
        "X-Ray's permission cannot be narrowed to a resource; metrics and log lines show the course of each run (docs/decisions.md).",
    },
  );
}

const repository = fileURLToPath(new URL('../', import.meta.url));

/**
 * A function with the code of a module: the bundle that the published package holds, and in the checkout one
 * that esbuild makes now. So a CDK app that depends on the package needs no esbuild.
 *
 * @param entry the module that exports `handler`, relative to the top of the repository
 */
function functionWithCode(
  scope: Construct,
  id: string,
  { entry, ...options }: FunctionOptions & { readonly entry: string },
): LambdaFunction {
  const prebuilt = `${repository}${prebuiltFolder(entry)}`;
  return new LambdaFunction(scope, id, {
    ...options,
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: existsSync(prebuilt) ? Code.fromAsset(prebuilt) : bundledCode(entry),
  });
}

/** Where the published package holds the bundle of a module: `functions/poll` for `lambdas/functions/poll/handler.ts`. */
export const prebuiltFolder = (entry: string): string =>
  entry.replace(/^lambdas\//, '').replace(/\/handler\.ts$/, '');

/** Code that is bundled when the app is synthesised: in the checkout, which has esbuild. */
const bundledCode = (entry: string): Code =>
  Code.fromAsset(repository, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: Runtime.NODEJS_24_X.bundlingImage,
      // The CDK bundles code with equal options once.
      command: [entry],
      local: {
        tryBundle(folder) {
          const esbuild: { buildSync: typeof buildSync } = createRequire(import.meta.url)('esbuild');
          for (const options of functionBundles(entry, folder))
            esbuild.buildSync({ ...options, absWorkingDir: repository, logLevel: 'warning' });
          return true;
        },
      },
    },
  });
