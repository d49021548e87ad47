import { describe, expect, test } from 'vitest';
import { deploy, everything, uk } from './deploy.ts';

const template = deploy(everything);
const topic = (family: string) => ({
  Ref: Object.keys(
    template.findResources('AWS::SNS::Topic', { Properties: { TopicName: `panels-test-${family}` } }),
  )[0],
});

describe('a subscription', () => {
  const above50 = { panelId: [{ numeric: ['>', 50] }] };
  test.each([
    ['classifications', { ratingTo: ['green'], panelId: [55] }],
    ['promotions', above50],
    ['panels', above50],
  ])('by e-mail receives %s that match its filter', (family, FilterPolicy) => {
    template.hasResourceProperties('AWS::SNS::Subscription', {
      TopicArn: topic(family),
      Protocol: 'email',
      Endpoint: 'genetics@example.org',
      FilterPolicy,
    });
  });

  test('by queue gets only the CloudEvent', () => {
    template.hasResourceProperties('AWS::SNS::Subscription', {
      TopicArn: topic('tags'),
      Protocol: 'sqs',
      Endpoint: 'arn:aws:sqs:eu-west-2:123456789012:pipeline',
      RawMessageDelivery: true,
    });
  });

  test('keeps each message that cannot be delivered', () => {
    const all = Object.values(template.findResources('AWS::SNS::Subscription'));
    expect(all.length).toBeGreaterThan(3);
    for (const { Properties } of all) expect(Properties.RedrivePolicy.deadLetterTargetArn).toBeDefined();
  });

  test('is made only for subscribers in the settings', () => {
    const only = deploy({ catalogues: { uk } }).findResources('AWS::SNS::Subscription');
    expect(Object.values(only).map(({ Properties }) => Properties.Endpoint)).toEqual([
      'genomics-it@example.org',
    ]);
  });
});
