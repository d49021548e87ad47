import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { deploy, everything, stackOf, uk } from './deploy.ts';

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

  test.each([
    ['of another account', '111111111111', 'The owner of'],
    [
      'of an account that synthesis does not know',
      undefined,
      'If the stack is not in account 123456789012, the owner of',
    ],
  ])('by a queue %s says that its owner must confirm', (_case, account, words) => {
    const found = confirmations(account);
    expect(found).toStrictEqual([
      expect.stringContaining(`${words} arn:aws:sqs:eu-west-2:123456789012:pipeline must confirm`),
    ]);
  });

  test('by a queue of its own account says nothing of confirming', () => {
    expect(confirmations('123456789012')).toStrictEqual([]);
  });
});

/** What synthesis says of a queue of account 123456789012, to a stage of this account. */
function confirmations(account: string | undefined): readonly unknown[] {
  const stack = stackOf({
    catalogues: { uk },
    ...(account !== undefined && { account, region: 'eu-west-2' }),
    subscriptions: { lab: { topics: ['tags'], queue: 'arn:aws:sqs:eu-west-2:123456789012:pipeline' } },
  });
  return Annotations.fromStack(stack)
    .findInfo('*', Match.stringLikeRegexp('must confirm'))
    .map(({ entry }) => entry.data);
}
