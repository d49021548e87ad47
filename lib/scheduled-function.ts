import type { Duration } from 'aws-cdk-lib';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression, type ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { BundledFunction, type BundledFunctionProps } from './bundled-function.ts';
import type { DeadLetters } from './dead-letters.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { allow } from './grants.ts';

interface ScheduledFunctionProps extends Omit<BundledFunctionProps, 'concurrency'> {
  /** Whether one execution of the account's quota is kept for the function. */
  readonly reserved: boolean;
  readonly deadLetters: DeadLetters;
  readonly scheduleGroup: ScheduleGroup;
  readonly every: Duration;
  readonly within: Duration | undefined;
}

/**
 * A function that runs on a schedule. Lambda repeats a failed run once, unless the next is
 * due; then the run goes to the queue of failed runs.
 */
export class ScheduledFunction extends BundledFunction {
  constructor(scope: Construct, id: string, props: ScheduledFunctionProps) {
    const { functionName, grants, deadLetters, every, within, scheduleGroup } = props;
    const queueArn = deadLetters.failedRuns.queueArn;
    const keepFailedRuns = allow({
      sid: 'KeepFailedRuns',
      actions: ['sqs:SendMessage'],
      resources: [queueArn],
    });
    // Two runs at once are safe: the table's conditions let only one publish, or write the relay.
    super(scope, id, {
      ...props,
      grants: [...grants, keepFailedRuns],
      ...(props.reserved && { concurrency: 1 }),
    });
    new CfnEventInvokeConfig(this, 'OnFailure', {
      functionName: this.function.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 1,
      maximumEventAgeInSeconds: every.toSeconds(),
      destinationConfig: { onFailure: { destination: queueArn } },
    });
    new FunctionSchedule(this, 'Schedule', {
      target: this.function,
      name: functionName,
      description: props.description,
      schedule: ScheduleExpression.rate(every),
      within,
      giveUpAfter: every,
      scheduleGroup,
      deadLetters,
    });
  }
}
