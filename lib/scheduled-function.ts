import { fileURLToPath } from 'node:url';
import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  CfnEventInvokeConfig,
  type Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { leanBundle } from './bundle.ts';
import type { DeadLetters } from './dead-letters.ts';
import { FunctionSchedule } from './function-schedule.ts';

const repository = fileURLToPath(new URL('../', import.meta.url));

export interface ScheduledFunctionProps {
  readonly functionName: string;
  readonly description: string;
  /** The module that exports `handler`, from the top of the repository. */
  readonly entry: string;
  readonly environment: Record<string, string>;
  /** Everything that the function may do, besides writing its log and leaving failed runs. */
  readonly grants: readonly PolicyStatement[];
  readonly timeout: Duration;
  readonly memoryMegabytes: number;
  readonly logDays: number;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
  readonly every: Duration;
  readonly within: Duration | undefined;
}

/**
 * A function that runs on a schedule, one run at a time. A failed run is repeated once, and not at all once
 * the next is due; then it becomes a dead letter.
 */
export class ScheduledFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ScheduledFunctionProps) {
    super(scope, id);
    const { functionName, deadLetters, every } = props;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.function = new NodejsFunction(this, 'Function', {
      functionName,
      description: props.description,
      entry: `${repository}${props.entry}`,
      projectRoot: repository,
      depsLockFilePath: `${repository}package-lock.json`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes,
      timeout: props.timeout,
      // Two runs at once would only fence each other off; the table's conditions are the second guard.
      reservedConcurrentExecutions: 1,
      environment: props.environment,
      bundling: bundling(),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.INFO,
      role: this.role(props, logGroup).withoutPolicyUpdates(),
    });
    new CfnEventInvokeConfig(this, 'OnFailure', {
      functionName: this.function.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 1,
      maximumEventAgeInSeconds: every.toSeconds(),
      destinationConfig: { onFailure: { destination: deadLetters.failedRuns.queueArn } },
    });
    new FunctionSchedule(this, 'Schedule', { ...props, target: this.function });
    acknowledge(this.function);
  }

  /** The function's own rights, written out rather than granted, so that each is one that it uses. */
  private role({ functionName, grants, deadLetters }: ScheduledFunctionProps, log: LogGroup): Role {
    const statements = [
      ...grants,
      new PolicyStatement({
        sid: 'WriteItsLog',
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [log.logGroupArn],
      }),
      new PolicyStatement({
        sid: 'LeaveFailedRuns',
        actions: ['sqs:SendMessage'],
        resources: [deadLetters.failedRuns.queueArn],
      }),
    ];
    return new Role(this, 'Role', {
      description: `What ${functionName} may do`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements }) },
    });
  }
}

/** The lean bundle in the words of the CDK. */
const bundling = () => ({
  format: OutputFormat.ESM,
  target: leanBundle.target,
  mainFields: [...leanBundle.mainFields],
  banner: leanBundle.banner.js,
  externalModules: [...leanBundle.external],
  esbuildArgs: {
    '--minify-syntax': leanBundle.minifySyntax,
    '--minify-whitespace': leanBundle.minifyWhitespace,
    ...Object.fromEntries(Object.entries(leanBundle.alias).map(([from, to]) => [`--alias:${from}`, to])),
  },
});

function acknowledge(target: LambdaFunction): void {
  Validations.of(target).acknowledge(
    {
      id: 'Serverless-LambdaDLQ',
      reason:
        'A failed run goes to the on-failure destination, which tells more than the older dead-letter setting.',
    },
    {
      id: 'Serverless-LambdaTracing',
      reason:
        "X-Ray's permission cannot be narrowed to a resource; metrics and log lines tell each run's course.",
    },
  );
}
