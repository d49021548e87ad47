import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { busEntry } from '../../lambdas/publishing/put-events.ts';
import { newFolder } from '../new-folder.ts';

const folder = newFolder();

/** The stack of the guide, word for word; only its packages are found from here. */
async function guided(): Promise<Template> {
  const guide = readFileSync('docs/guides/event-bus.md', 'utf8');
  const [, code = ''] = /```ts\n(import \{ Stack \}.*?)```/s.exec(guide) ?? [];
  const file = join(folder, 'green-genes.ts');
  writeFileSync(
    file,
    code.replaceAll(/from '([^']+)'/g, (_, name: string) => `from '${import.meta.resolve(name)}'`),
  );
  const { greenGenes } = await import(pathToFileURL(file).href);
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Platform');
  const reanalyse = new LambdaFunction(stack, 'Reanalyse', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => {}'),
  });
  greenGenes(stack, reanalyse);
  return Template.fromStack(stack);
}

const template = await guided();
const patternSchema = z.record(z.string(), z.unknown());

/** Whether an event has, for each field of a pattern, one of its values; other matchers are not used here. */
function matches(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.includes(event);
  return Object.entries(patternSchema.parse(pattern)).every(([key, inner]) =>
    matches(inner, patternSchema.safeParse(event).data?.[key]),
  );
}

test('the rule of the guide matches the published example of a gene that turns green, and no other rating', () => {
  const [rule] = Object.values(template.findResources('AWS::Events::Rule'));
  const pattern = rule?.Properties.EventPattern;
  const example = readFileSync('docs/examples/classified.json', 'utf8');
  const onBus = (body: string) => {
    const { entry } = busEntry(
      { messageId: 'one', body },
      { bus: 'platform', source: 'gene-panel-notifier-production' },
    );
    return { source: entry.Source, 'detail-type': entry.DetailType, detail: JSON.parse(entry.Detail) };
  };
  expect(matches(pattern, onBus(example))).toBe(true);
  const { data, ...event } = JSON.parse(example);
  const amber = { ...event, data: { ...data, change: { ...data.change, to: 'amber' } } };
  expect(matches(pattern, onBus(JSON.stringify(amber)))).toBe(false);
});

test('the target of the guide may be invoked by its rule, and keeps what it cannot take in a queue that admits the rule', () => {
  const [rule = ''] = Object.keys(template.findResources('AWS::Events::Rule'));
  const [queue = ''] = Object.keys(template.findResources('AWS::SQS::Queue'));
  template.hasResourceProperties('AWS::Events::Rule', {
    Targets: [Match.objectLike({ DeadLetterConfig: { Arn: { 'Fn::GetAtt': [queue, 'Arn'] } } })],
  });
  template.hasResourceProperties('AWS::Lambda::Permission', {
    Action: 'lambda:InvokeFunction',
    Principal: 'events.amazonaws.com',
    SourceArn: { 'Fn::GetAtt': [rule, 'Arn'] },
  });
  template.hasResourceProperties('AWS::SQS::QueuePolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: 'sqs:SendMessage',
          Principal: { Service: 'events.amazonaws.com' },
          Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [rule, 'Arn'] } } },
        }),
      ]),
    },
  });
});
