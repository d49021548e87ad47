import assert from 'node:assert/strict';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand } from '@aws-sdk/client-scheduler';
import { ListTopicsCommand } from '@aws-sdk/client-sns';
import { topics } from '../../../lambdas/events/kinds.ts';
import { catalogueSettings } from '../catalogues.ts';
import type { Clients } from '../clients.ts';
import type { Deployment } from '../deployment.ts';
import { messageSettings } from '../message-settings.ts';
import { pageSettings } from '../page-settings.ts';
import { relaySettings } from '../relay-place.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** The stack as the CDK's own command line makes it. */
export async function checkDeployment(context: ScenarioContext): Promise<Deployment> {
  const { stage, clients, checks, say } = context;
  await checks.check('cdk bootstrap', () => stage.bootstrap());
  const deployment = await stage.deploy({
    catalogues: catalogueSettings(context.catalogues),
    ...messageSettings(context.receivers),
    ...pageSettings(context.catalogues),
    relay: relaySettings,
  });
  await takeOverQueues(clients);
  await checks.check('cdk deploy', () => assert.ok(deployment.physicalIds.size > 20));
  if (deployment.supplied.size > 0) {
    say('    the emulator’s CloudFormation left out, and the SDK made from the template:');
    for (const [type, count] of deployment.supplied) say(`      ${count} × ${type}`);
  }

  await checks.check('the outputs name nine topics that exist', async () => {
    const { Topics = [] } = await clients.sns.send(new ListTopicsCommand({}));
    const existing = Topics.map(({ TopicArn }) => TopicArn);
    const named = topics.map(
      (topic) => deployment.outputs[`Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`],
    );
    assert.equal(new Set(named).size, topics.length);
    for (const arn of named) assert.ok(existing.includes(arn), `${arn} is not there`);
  });

  await checks.check(
    'the schedule starts the function, within a window, and leaves what it cannot',
    async () => {
      const name = `${stackName}-poll-open`;
      const schedule = await clients.scheduler.send(
        new GetScheduleCommand({ Name: name, GroupName: stackName }),
      );
      assert.equal(schedule.ScheduleExpression, 'rate(5 minutes)');
      assert.deepEqual(schedule.FlexibleTimeWindow, { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 1 });
      assert.match(schedule.Target?.Arn ?? '', new RegExp(`:function:${name}$`));
      assert.match(
        schedule.Target?.DeadLetterConfig?.Arn ?? '',
        /:panel-sandbox-non-production-missed-runs$/,
      );
      assert.equal(schedule.Target?.RetryPolicy?.MaximumRetryAttempts, 3);
    },
  );

  await checks.check(
    'every alarm notifies the alarm topic when it is raised and when it ends, and names its heading in the runbook',
    async () => {
      const { MetricAlarms = [] } = await clients.cloudWatch.send(
        new DescribeAlarmsCommand({ AlarmNamePrefix: stackName }),
      );
      assert.ok(MetricAlarms.length > 20);
      for (const { AlarmActions, OKActions, AlarmDescription } of MetricAlarms) {
        assert.deepEqual(AlarmActions, [deployment.outputs.TopicAlarms]);
        assert.deepEqual(OKActions, [deployment.outputs.TopicAlarms]);
        assert.match(AlarmDescription ?? '', /"[a-z-]+" in docs\/runbook\.md( has the others)?$/);
      }
    },
  );
  return deployment;
}

/**
 * The emulator starts a function in a container for each message of a queue, and loses what the function keeps. The
 * checks hand the messages over themselves (queue-batches.ts), so the mapping only has to be the right one.
 */
async function takeOverQueues({ lambda }: Clients): Promise<void> {
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
  const functions = ['notify', 'event-bus'];
  assert.equal(EventSourceMappings.length, functions.length);
  for (const name of functions) {
    const mapping = EventSourceMappings.find(({ EventSourceArn = '' }) =>
      EventSourceArn.endsWith(`:${stackName}-${name}`),
    );
    assert.match(mapping?.FunctionArn ?? '', new RegExp(`:function:${stackName}-${name}`));
    assert.equal(mapping?.BatchSize, 10);
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID: mapping?.UUID, Enabled: false }));
  }
}
