import { describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { deploy, everything, fullest, uk } from './deploy.ts';

const template = deploy(everything);
const [queue = ''] = Object.keys(
  template.findResources('AWS::SQS::Queue', { Properties: { QueueName: 'panels-test-event-bus' } }),
);
const [undelivered = ''] = Object.keys(
  template.findResources('AWS::SQS::Queue', { Properties: { QueueName: 'panels-test-undelivered' } }),
);
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

describe('the function of the event bus', () => {
  test('is there only where the settings name a bus', () => {
    const named = { FunctionName: 'panels-test-event-bus' };
    deploy({ catalogues: { uk } }).resourcePropertiesCountIs('AWS::Lambda::Function', named, 0);
    template.resourcePropertiesCountIs('AWS::Lambda::Function', named, 1);
  });

  test('gets every event of every topic as it was published, and keeps what SNS cannot deliver', () => {
    const subscribed = Object.values(
      template.findResources('AWS::SNS::Subscription', { Properties: { Endpoint: arn(queue) } }),
    ).map(({ Properties }) => Properties);
    const families = Object.entries(template.findResources('AWS::SNS::Topic')).filter(([, { Properties }]) =>
      topics.some((topic) => Properties.TopicName === `panels-test-${topic}`),
    );
    expect(families).toHaveLength(topics.length);
    expect(subscribed.map(({ TopicArn }) => TopicArn.Ref).sort()).toEqual(families.map(([id]) => id).sort());
    for (const properties of subscribed) {
      expect(properties).toEqual({
        Protocol: 'sqs',
        TopicArn: properties.TopicArn,
        Endpoint: arn(queue),
        RawMessageDelivery: true,
        RedrivePolicy: { deadLetterTargetArn: arn(undelivered) },
      });
    }
  });

  test('reports single events, and what the bus refuses for an hour goes to the undelivered ones', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: arn(queue),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: 'panels-test-event-bus',
      VisibilityTimeout: 360,
      RedrivePolicy: { deadLetterTargetArn: arn(undelivered), maxReceiveCount: 10 },
    });
  });

  test.each([
    ['a name is a bus of the own account', everything, /event-bus\/platform/],
    [
      'an ARN is a bus of any account and region',
      { catalogues: { uk }, eventBus: 'arn:aws:events:eu-west-1:210987654321:event-bus/shared/panels' },
      /^"arn:aws:events:eu-west-1:210987654321:event-bus\/shared\/panels"$/,
    ],
  ])('%s', (_, settings, expected) => {
    const stack = deploy(settings);
    const [found] = Object.values(
      stack.findResources('AWS::Lambda::Function', { Properties: { FunctionName: 'panels-test-event-bus' } }),
    );
    const { EVENT_BUS_ARN, EVENT_SOURCE } = found?.Properties.Environment.Variables ?? {};
    expect(JSON.stringify(EVENT_BUS_ARN)).toMatch(expected);
    expect(EVENT_SOURCE).toBe('panels-test');
    const [role] = Object.values(
      stack.findResources('AWS::IAM::Role', {
        Properties: { Description: 'Execution role of panels-test-event-bus' },
      }),
    );
    const { Statement } = role?.Properties.Policies[0].PolicyDocument ?? {};
    expect(Statement).toContainEqual(
      expect.objectContaining({ Action: 'events:PutEvents', Resource: EVENT_BUS_ARN }),
    );
  });

  test('decrypts its queue where one key encrypts everything', () => {
    const [own] = Object.values(
      deploy(fullest).findResources('AWS::SQS::Queue', {
        Properties: { QueueName: 'panels-test-event-bus' },
      }),
    );
    expect(own?.Properties.KmsMasterKeyId).toBeDefined();
  });
});

test('events that wait for the bus raise an alarm', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'panels-test-event-bus-late',
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateAgeOfOldestMessage',
    Threshold: 900,
  });
});

test.each([
  '',
  'a bus',
  'arn:aws:sns:eu-west-2:123456789012:topic',
  'arn:aws:events:eu-west-2:12:event-bus/x',
])('%j is no event bus', (eventBus) => {
  expect(() => deploy({ catalogues: { uk }, eventBus })).toThrow(
    `eventBus: saw ${JSON.stringify(eventBus)}, expected the name of an event bus, such as 'default', or its ARN`,
  );
});
