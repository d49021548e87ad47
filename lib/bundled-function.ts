import { X509Certificate } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ArnFormat,
  AssetHashType,
  type Duration,
  RemovalPolicy,
  type Size,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnSecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { Effect, PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  ApplicationLogLevel,
  Architecture,
  CfnFunction,
  Code,
  EventSourceMapping,
  type FunctionOptions,
  type ILayerVersion,
  Function as LambdaFunction,
  LayerVersion,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { buildSync } from 'esbuild';
import { functionBundles } from './bundle.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventTopics } from './event-topics.ts';
import { allow, roleOf } from './grants.ts';
import type { Deployment } from './settings.ts';

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
    const role = roleOf(this, 'Role', {
      description: `Execution role of ${functionName}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      statements,
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

/** The network that the functions run in. */
interface FunctionNetwork {
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  /** Requests to the catalogue and the identity provider go through it; requests to AWS do not. */
  readonly proxy: string | undefined;
  /** The authorities that the functions trust besides those of Node, such as that of a proxy which inspects TLS. */
  readonly certificates: ILayerVersion | undefined;
}

/** The network of the settings. Where they name no security group, one is made that only lets HTTPS and mail out. */
export function functionNetwork(
  scope: Construct,
  id: string,
  { prefix, network, messages: { relay } }: Pick<Deployment, 'prefix' | 'network' | 'messages'>,
): FunctionNetwork | undefined {
  if (network === undefined) return undefined;
  const { vpc, subnets, securityGroups, proxy } = network;
  const certificates =
    network.certificates === undefined ? undefined : certificatesLayer(scope, network.certificates);
  const reached = { subnetIds: subnets, proxy, certificates };
  if (securityGroups !== undefined) return { ...reached, securityGroupIds: securityGroups };
  const ports = new Map([[443, 'HTTPS to AWS, the catalogue and the identity provider']]);
  if (relay !== undefined) ports.set(relay.port, 'The mail server');
  if (proxy !== undefined) ports.set(portOf(new URL(proxy)), 'The proxy');
  const group = new CfnSecurityGroup(scope, id, {
    groupDescription: `Functions of ${prefix}: HTTPS out and nothing in`,
    vpcId: vpc,
    securityGroupEgress: [...ports].map(([port, description]) => ({
      description,
      ipProtocol: 'tcp',
      fromPort: port,
      toPort: port,
      cidrIp: '0.0.0.0/0',
    })),
  });
  return { ...reached, securityGroupIds: [group.attrGroupId] };
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const interfaceActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/** The ARN of a function of the stack's account. */
const functionArn = (scope: Construct, resourceName: string): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/**
 * What Lambda needs to connect a function to the network. The rights are the service's: the second statement denies
 * them to the function's own code.
 */
function networkGrants(scope: Construct, functionName: string): readonly PolicyStatement[] {
  return [
    // EC2 has no resource that names a network interface before it is made.
    new PolicyStatement({ sid: 'ConnectToNetwork', actions: interfaceActions, resources: ['*'] }),
    new PolicyStatement({
      sid: 'DenyNetworkToCode',
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ['*'],
      conditions: { ArnEquals: { 'lambda:SourceFunctionArn': functionArn(scope, functionName) } },
    }),
  ];
}

interface FileLayer {
  readonly description: string;
  /** Texts by path; a function finds them under `/opt/`. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of this machine by the path that they have there. */
  readonly folders?: Readonly<Record<string, string>>;
}

/** A layer of files that a function reads. */
export function fileLayer(
  scope: Construct,
  id: string,
  { description, files, folders = {} }: FileLayer,
): LayerVersion {
  const folder = mkdtempSync(join(tmpdir(), 'gene-panel-notifier-layer-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [path, from] of Object.entries(folders)) cpSync(from, join(folder, path), { recursive: true });
  const layer = new LayerVersion(scope, id, { code: Code.fromAsset(folder), description });
  // The CDK has copied it.
  rmSync(folder, { recursive: true });
  return layer;
}

/** Where a function finds the certificates, for NODE_EXTRA_CA_CERTS: the layer is there before Node starts. */
const CERTIFICATES_FILE = '/opt/certificates.pem';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file as a file of every function, and nothing else that the file may hold, such as a key.
 * @throws {Error} when the file cannot be read, or holds no certificate or a damaged one: Node itself would only warn
 */
export function certificatesLayer(scope: Construct, file: string): LayerVersion {
  const found = readPem(file).match(certificate) ?? [];
  if (found.length === 0) throw refused(file, 'no certificate');
  for (const [place, pem] of found.entries()) {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      throw refused(file, `a damaged certificate, number ${place + 1}`, cause);
    }
  }
  return fileLayer(scope, 'Certificates', {
    description: 'The authorities that the functions trust besides those of Node',
    files: { 'certificates.pem': `${found.join('\n')}\n` },
  });
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(file, 'no file that can be read', cause);
  }
}

const refused = (file: string, seen: string, cause?: unknown): Error =>
  new Error(
    `network.certificates: saw ${seen} at "${file}", expected a PEM file with the certificate of the proxy's authority. Ask the people who run the proxy for it.`,
    { cause },
  );

/** A table as functions name it, and as their rights do. */
export type KeptTable = Pick<ITable, 'tableArn' | 'tableName'>;

/** What each part of a deployment is made with. */
export interface DeploymentParts {
  readonly settings: Deployment;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
  readonly table: KeptTable;
  readonly history: KeptTable;
  readonly worklist: KeptTable | undefined;
  /** Encrypts tables, queues, secrets, logs and environments; undefined for keys that AWS owns. */
  readonly key: IKey | undefined;
  /** Undefined where functions reach the internet directly. */
  readonly network: FunctionNetwork | undefined;
}
