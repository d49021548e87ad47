import { Match } from 'aws-cdk-lib/assertions';
import { describe, test } from 'vitest';
import { deploy, uk } from './deploy.ts';

const template = deploy({ catalogues: { uk }, retention: { deadLetterDays: 3 } });

const queue = (name: string): string =>
  Object.keys(
    template.findResources('AWS::SQS::Queue', { Properties: { QueueName: `panels-test-${name}` } }),
  )[0] ?? '';

describe.each(['missed-runs', 'failed-runs', 'undelivered', 'unsent'])('queue %s', (name) => {
  test('is encrypted and keeps its messages as long as the settings say', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: `panels-test-${name}`,
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 3 * 24 * 60 * 60,
    });
  });

  test('accepts TLS only', () => {
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      Queues: [{ Ref: queue(name) }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      },
    });
  });
});

test('accepts undelivered messages of a subscription to any topic of the deployment', () => {
  template.hasResourceProperties('AWS::SQS::QueuePolicy', {
    Queues: [{ Ref: queue('undelivered') }],
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Sid: 'KeepUndelivered',
          Effect: 'Allow',
          Principal: { Service: 'sns.amazonaws.com' },
          Action: 'sqs:SendMessage',
          Condition: {
            ArnLike: { 'aws:SourceArn': { 'Fn::Join': ['', Match.arrayWith([':panels-test-*'])] } },
          },
        }),
      ]),
    },
  });
});
