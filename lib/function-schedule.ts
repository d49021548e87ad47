import { Duration, Stack } from 'aws-cdk-lib';
import { type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, ScheduleTargetInput, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { BundledFunction, type BundledFunctionProps, type DeploymentParts } from './bundled-function.ts';
import { allow, encryptThrough, roleOf, sendTo } from './grants.ts';

interface FunctionScheduleProps extends Pick<DeploymentParts, 'deadLetters' | 'scheduleGroup'> {
  readonly target: IFunction;
  /** Of the schedule, in its group. */
  readonly name: string;
  readonly description: string;
  /** A rate, or a cron expression with its time zone. */
  readonly schedule: ScheduleExpression;
  /** The scheduler starts a run at any moment of this window; undefined for exactly on time. */
  readonly within: Duration | undefined;
  /** A start that fails is tried again for this long, at least a minute. */
  readonly giveUpAfter: Duration;
  /** The event that the function gets; without it the scheduler's own. */
  readonly input?: object | undefined;
}

/** Starts a function on a schedule. A start that fails for too long goes to the queue of missed runs. */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { target, name, description, within, giveUpAfter, input, scheduleGroup, deadLetters } = props;
    const schedule = new Schedule(this, 'Schedule', {
      scheduleName: name,
      description,
      scheduleGroup,
      schedule: props.schedule,
      timeWindow: within ? TimeWindow.flexible(within) : TimeWindow.off(),
      target: new LambdaInvoke(target, {
        // The CDK would allow the role every version and alias of the function.
        role: this.role(props).withoutPolicyUpdates(),
        deadLetterQueue: deadLetters.missedRuns,
        retryAttempts: 3,
        maxEventAge: Duration.seconds(Math.max(60, giveUpAfter.toSeconds())),
        ...(input && { input: ScheduleTargetInput.fromObject(input) }),
      }),
    });
    // The schedule names its group by a plain text, from which CloudFormation cannot derive the order.
    schedule.node.addDependency(scheduleGroup);
  }

  private role({ target, name, scheduleGroup, deadLetters }: FunctionScheduleProps): Role {
    const statements = [
      allow({ sid: 'StartRuns', actions: ['lambda:InvokeFunction'], resources: [target.functionArn] }),
      sendTo(deadLetters.missedRuns, 'KeepMissedRuns'),
    ];
    const { key } = deadLetters;
    if (key) statements.push(encryptThrough(this, { sid: 'EncryptMissedRuns', key, service: 'sqs' }));
    return roleOf(this, 'Role', {
      description: `Starts ${name} on its schedule`,
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Stack.of(this).account,
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'scheduler',
              resource: 'schedule-group',
              resourceName: scheduleGroup.scheduleGroupName,
            }),
          },
        },
      }),
      statements,
    });
  }
}

interface ScheduledFunctionProps
  extends Omit<BundledFunctionProps, 'concurrency'>,
    Pick<DeploymentParts, 'deadLetters' | 'scheduleGroup'> {
  /** Whether one execution of the account's quota is kept for the function. */
  readonly reserved: boolean;
  readonly every: Duration;
  readonly within: Duration | undefined;
}

/**
 * A function that runs on a schedule. Lambda repeats a failed run once, unless the next is
 * due; then the run goes to the queue of failed runs.
 */
export class ScheduledFunction extends BundledFunction {
  constructor(scope: Construct, id: string, props: ScheduledFunctionProps) {
    const { grants, deadLetters, every, within, scheduleGroup } = props;
    // Two runs at once are safe: the table's conditions let only one publish, or write the relay.
    super(scope, id, {
      ...props,
      grants: [...grants, sendTo(deadLetters.failedRuns, 'KeepFailedRuns')],
      ...(props.reserved && { concurrency: 1 }),
    });
    new CfnEventInvokeConfig(this, 'OnFailure', {
      functionName: this.function.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 1,
      maximumEventAgeInSeconds: every.toSeconds(),
      destinationConfig: { onFailure: { destination: deadLetters.failedRuns.queueArn } },
    });
    new FunctionSchedule(this, 'Schedule', {
      target: this.function,
      name: `${props.settings.prefix}-${props.name}`,
      description: props.description,
      schedule: ScheduleExpression.rate(every),
      within,
      giveUpAfter: every,
      scheduleGroup,
      deadLetters,
    });
  }
}
