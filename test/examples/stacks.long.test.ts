import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { AuditLogStack, readSettings } from '../../examples/audit-log/stack.ts';
import { ReAnalysisStack } from '../../examples/re-analysis/stack.ts';
import { topics } from '../../lambdas/events/kinds.ts';
import { app } from '../lib/deploy.ts';

const settingsOf = (name: string) => JSON.parse(readFileSync(`examples/${name}/settings.json`, 'utf8'));
const examples = {
  'audit-log': (scope: ReturnType<typeof app>) =>
    new AuditLogStack(scope, 'audit-log', readSettings(settingsOf('audit-log'))),
  're-analysis': (scope: ReturnType<typeof app>) =>
    new ReAnalysisStack(scope, 're-analysis', settingsOf('re-analysis')),
};
const reportSchema = z.object({
  pluginReports: z.array(z.object({ violations: z.array(z.object({ ruleName: z.string() })) })),
});

/** The rules of cdk-nag that the app breaks. */
function broken(root: App): readonly string[] {
  try {
    root.synth();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ValidationFailed')) throw error;
  }
  const report = readFileSync(join(root.outdir, 'validation-report.json'), 'utf8');
  const { pluginReports } = reportSchema.parse(JSON.parse(report));
  return pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}

describe.each(Object.entries(examples))('the stack of %s', (_, make) => {
  test('breaks no rule of cdk-nag, which would find a topic that accepts messages without TLS', () => {
    for (const planted of [false, true]) {
      const root = app();
      Validations.of(root).addPlugins(new AwsSolutionsChecks(root));
      const stack = make(root);
      if (planted) new Topic(stack, 'Bare');
      expect(broken(root)).toEqual(planted ? ['AwsSolutions-SNS3'] : []);
    }
  });

  test('has a queue of dead letters with an alarm', () => {
    const template = Template.fromStack(make(app()));
    template.resourceCountIs('AWS::CloudWatch::Alarm', 1);
    template.hasResourceProperties('AWS::SQS::Queue', { RedrivePolicy: { maxReceiveCount: 5 } });
  });
});

test('the audit log subscribes to every topic, and locks its objects', () => {
  const template = Template.fromStack(examples['audit-log'](app()));
  template.resourceCountIs('AWS::SNS::Subscription', topics.length);
  template.hasResourceProperties('AWS::S3::Bucket', {
    VersioningConfiguration: { Status: 'Enabled' },
    ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: 2557 } } },
    LoggingConfiguration: Match.anyValue(),
  });
});

test('re-analysis subscribes to genes that turn green', () => {
  Template.fromStack(examples['re-analysis'](app())).hasResourceProperties('AWS::SNS::Subscription', {
    FilterPolicy: { ratingTo: ['green'], direction: ['upgraded', 'new', 'unknown'] },
  });
});
