import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, type ScheduleGroup, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { DeadLetters } from './dead-letters.ts';

export interface FunctionScheduleProps {
  readonly target: IFunction;
  readonly functionName: string;
  readonly description: string;
  readonly every: Duration;
  readonly within: Duration | undefined;
  readonly scheduleGroup: ScheduleGroup;
  readonly deadLetters: DeadLetters;
}

/** Starts a function every so often. A start that fails is repeated until the next is due, then left. */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { target, functionName, description, every, within, scheduleGroup, deadLetters } = props;
    const schedule = new Schedule(this, 'Schedule', {
      scheduleName: functionName,
      description,
      scheduleGroup,
      schedule: ScheduleExpression.rate(every),
      timeWindow: within ? TimeWindow.flexible(within) : TimeWindow.off(),
      target: new LambdaInvoke(target, {
        // The target would grant itself every version and alias of the function.
        role: this.role(props).withoutPolicyUpdates(),
        deadLetterQueue: deadLetters.missedRuns,
        retryAttempts: 3,
        maxEventAge: Duration.seconds(Math.max(60, every.toSeconds())),
      }),
    });
    // The schedule knows its group by name alone, which tells CloudFormation nothing of the order.
    schedule.node.addDependency(scheduleGroup);
  }

  private role({ target, functionName, scheduleGroup, deadLetters }: FunctionScheduleProps): Role {
    const statements = [
      new PolicyStatement({
        sid: 'StartRuns',
        actions: ['lambda:InvokeFunction'],
        resources: [target.functionArn],
      }),
      new PolicyStatement({
        sid: 'LeaveMissedRuns',
        actions: ['sqs:SendMessage'],
        resources: [deadLetters.missedRuns.queueArn],
      }),
    ];
    return new Role(this, 'Role', {
      description: `Starts ${functionName} on its schedule`,
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
      inlinePolicies: { Own: new PolicyDocument({ statements }) },
    });
  }
}
