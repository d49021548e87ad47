import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { deploy, uk } from './deploy.ts';

let template: Template;
beforeAll(() => {
  template = deploy({ catalogues: { uk } });
});

/** The logical id of the one resource of a type that has these properties. */
const logicalId = (type: string, properties: object): string => {
  const found = Object.keys(template.findResources(type, { Properties: properties }));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};

describe.each([...topics, 'alarms'])('topic %s', (topic) => {
  test('is encrypted with a key that the laboratory controls', () => {
    const key = logicalId('AWS::KMS::Key', { EnableKeyRotation: true });
    template.hasResourceProperties('AWS::SNS::Topic', {
      TopicName: `panels-test-${topic}`,
      KmsMasterKeyId: { 'Fn::GetAtt': [key, 'Arn'] },
    });
  });

  test('takes messages over TLS only', () => {
    const Ref = logicalId('AWS::SNS::Topic', { TopicName: `panels-test-${topic}` });
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      Topics: [{ Ref }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Principal: '*',
            Action: 'sns:Publish',
            Resource: { Ref },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      },
    });
  });
});

describe.each(topics)('output for %s', (topic) => {
  test('gives its ARN', () => {
    const Ref = logicalId('AWS::SNS::Topic', { TopicName: `panels-test-${topic}` });
    template.hasOutput(`Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`, { Value: { Ref } });
  });
});

describe('alarms', () => {
  test('accepts messages only from alarms of this account', () => {
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid: 'PublishAlarms',
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Condition: {
              StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
              ArnLike: {
                'aws:SourceArn': Match.objectLike({
                  'Fn::Join': ['', Match.arrayWith([':alarm:*'])],
                }),
              },
            },
          }),
        ]),
      },
    });
  });

  test('may be encrypted by CloudWatch, only for their topic', () => {
    template.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid: 'EncryptAlarms',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
            Condition: {
              StringEquals: {
                'kms:EncryptionContext:aws:sns:topicArn': Match.objectLike({
                  'Fn::Join': ['', Match.arrayWith([':panels-test-alarms'])],
                }),
              },
            },
          }),
        ]),
      },
    });
  });
});
