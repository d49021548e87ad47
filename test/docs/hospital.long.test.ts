import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { fullest, stackOf } from '../lib/deploy.ts';
import { readPage } from './pages.ts';

test('the permissions boundary of the guide is on every role of the stack', () => {
  const { blocks } = readPage('docs/guides/hospital.md');
  const [block] = blocks.filter(({ language }) => language === 'json');
  const { context } = JSON.parse(block?.code ?? '');
  const app = new App({
    context: { ...context, 'aws:cdk:bundling-stacks': [] },
    builtinCloudFormationValidation: false,
  });
  const roles = Object.values(Template.fromStack(stackOf(fullest, app)).findResources('AWS::IAM::Role'));
  expect(roles.length).toBeGreaterThan(3);
  for (const { Properties } of roles) {
    expect(JSON.stringify(Properties.PermissionsBoundary)).toContain('policy/hospital-boundary');
  }
});
