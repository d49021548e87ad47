import { type App, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { EventConsumer } from '../../../lib/event-consumer.ts';
import { GenePanelNotifier, type NotifierStack, notifierStacks } from '../../../lib/gene-panel-notifier.ts';
import { readSettings } from '../../../lib/read-settings.ts';
import { app, everything, fullest, now, stackOf, uk } from '../deploy.ts';
import { type Resource, resolvedStack } from './resolved-stack.ts';

/** A stack with the name that tests give it. */
interface ProvenStack {
  readonly name: string;
  readonly template: Template;
  readonly stack: readonly Resource[];
}

const proven = (name: string, stack: Stack): ProvenStack => {
  const template = Template.fromStack(stack);
  return { name, template, stack: resolvedStack(template, stack.stackName) };
};

/** Every setting at once, a function that handles events, and a boundary of the account's for each role. */
function wholeStack(within: App = app()): NotifierStack {
  const stack = stackOf(fullest, within);
  consumeIn(stack, stack.notifier);
  PermissionsBoundary.of(stack).apply(
    ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', 'arn:aws:iam::123456789012:policy/laboratory'),
  );
  return stack;
}

/** The construct and a consumer in a laboratory's own stack, whose name is not the prefix. */
function ownStack(): Stack {
  const stack = new Stack(app(), 'Laboratory');
  const notifier = new GenePanelNotifier(stack, 'Notifier', {
    prefix: 'our-notifier',
    catalogues: { uk },
    alarms: { email: 'a@example.org', runbook: 'https://wiki.example.org/runbook' },
  });
  consumeIn(stack, notifier);
  return stack;
}

function consumeIn(stack: Stack, { topics, alarmTopic }: GenePanelNotifier): void {
  const reanalyse = new LambdaFunction(stack, 'Reanalyse', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {}'),
    timeout: Duration.minutes(2),
  });
  new EventConsumer(stack, 'Reanalysis', {
    topics,
    function: reanalyse,
    alarmAction: new SnsAction(alarmTopic),
  });
}

let whole: ProvenStack | undefined;
/** The stack with everything in it, synthesised once. */
export function wholeProven(): ProvenStack {
  whole ??= proven('everything at once', wholeStack());
  return whole;
}

/** The stacks of every settings file of this repository, and of settings from the fewest to the most. */
export async function provenStacks(): Promise<readonly ProvenStack[]> {
  const files = ['notifier.config.ts', 'notifier.config.australia.ts', 'notifier.config.sandbox.json'];
  const ofFiles = await Promise.all(
    files.map(async (file) => {
      const stacks = notifierStacks(app(), await readSettings(file, { now }));
      return stacks.map((stack) => proven(file, stack));
    }),
  );
  return [
    ...ofFiles.flat(),
    proven('the fewest settings', stackOf({ catalogues: { uk } })),
    proven('a stack of the laboratory’s own', ownStack()),
    proven('every setting but key and network', stackOf(everything)),
    wholeProven(),
  ];
}
