import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type Function as LambdaFunction,
  LoggingFormat,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { functionWithCode } from './function-code.ts';

export interface BundledFunctionProps {
  readonly functionName: string;
  readonly description: string;
  /** The module that exports `handler`, relative to the top of the repository. */
  readonly entry: string;
  /** A variable without a value is left out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Everything that the function may do, besides writing its log. */
  readonly grants: readonly PolicyStatement[];
  readonly timeout: Duration;
  readonly memoryMegabytes: number;
  readonly logDays: number;
  /** The most runs at once, reserved for the function; undefined for as many as the account allows. */
  readonly concurrency?: number | undefined;
}

/** A function with its bundled code, its log group and a role that holds exactly the grants. */
export class BundledFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    super(scope, id);
    const { functionName, description, entry, environment, memoryMegabytes, timeout } = props;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.function = functionWithCode(this, 'Function', {
      functionName,
      description,
      entry,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout,
      ...(props.concurrency !== undefined && { reservedConcurrentExecutions: props.concurrency }),
      environment: withValues(environment),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.INFO,
      role: this.role(props, logGroup).withoutPolicyUpdates(),
    });
    acknowledge(this.function);
  }

  /** The function's rights are written out rather than granted by the CDK, so that it has none that it does not use. */
  private role({ functionName, grants }: BundledFunctionProps, log: LogGroup): Role {
    const writeLog = new PolicyStatement({
      sid: 'WriteLog',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [log.logGroupArn],
    });
    return new Role(this, 'Role', {
      description: `Execution role of ${functionName}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements: [...grants, writeLog] }) },
    });
  }
}

const withValues = (environment: BundledFunctionProps['environment']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

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
        "X-Ray's permission cannot be narrowed to a resource; metrics and log lines show the course of each run.",
    },
  );
}
