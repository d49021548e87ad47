import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { channelId } from '../../lambdas/channels/channel-settings.ts';
import { addressKey, type NotifyPlan } from '../../lambdas/notify/subscription.ts';
import { topicPolicies } from '../../lib/dead-letters.ts';
import { planOf } from '../../lib/notify-plan.ts';
import { parseSettings } from '../../lib/read-settings.ts';
import { deploymentSchema, settingsSchemaAt } from '../../lib/settings.ts';
import { messageSubscriptionSchema } from '../../lib/subscription-settings.ts';
import { type app, everything, now, stackOf, uk } from './deploy.ts';

const stack = stackOf(everything);
const template = Template.fromStack(stack);
const email = (to: string) => ({ kind: 'email', to }) as const;

describe('the function that sends messages', () => {
  test('takes events from an encrypted queue one by one, and keeps those that fail', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: 'panels-test-notify',
      SqsManagedSseEnabled: true,
      RedrivePolicy: { maxReceiveCount: 5 },
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BatchSize: 10,
    });
  });

  test('runs each minute to send the messages that are due', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      Name: 'panels-test-notify',
      ScheduleExpression: 'rate(1 minute)',
      Target: Match.objectLike({ Input: '{"send":"due"}' }),
    });
  });

  test('subscribes only to topics that a subscription can match, with a filter policy where SNS can express it', () => {
    const queue = Object.keys(
      template.findResources('AWS::SQS::Queue', { Properties: { QueueName: 'panels-test-notify' } }),
    )[0];
    const found = Object.values(template.findResources('AWS::SNS::Subscription'))
      .map(({ Properties }) => Properties)
      .filter(({ Endpoint }) => Endpoint['Fn::GetAtt']?.[0] === queue);
    expect(found).toHaveLength(3);
    for (const { RedrivePolicy, RawMessageDelivery } of found) {
      expect(RawMessageDelivery).toBe(true);
      expect(RedrivePolicy.deadLetterTargetArn).toBeDefined();
    }
  });

  test('gets the subscriptions as a file, without a secret in it', () => {
    const plan = planIn(stack.node.root as ReturnType<typeof app>);
    expect(plan.subscriptions.map(({ name }) => name)).toStrictEqual(['everything', 'weekly']);
    expect(plan.subscriptions[0]?.channels[1]).toMatchObject({
      kind: 'smtp',
      privacy: { names: 'initials' },
    });
    expect(plan.subscriptions[1]?.when).toStrictEqual({
      kind: 'digest',
      every: 'weekly',
      hour: 8,
      days: ['monday'],
      ifNothing: false,
    });
    expect(plan.help).toStrictEqual({
      contact: 'genomics-it@example.org',
      page: 'https://panels.example.org/',
    });
    expect(plan.mailRelay).toMatchObject({ host: 'mail.example.org', port: 587, security: 'starttls' });
  });

  test('has a topic for the mail of a subscription, and the address on it', () => {
    template.hasResourceProperties('AWS::SNS::Topic', { TopicName: 'panels-test-mail-weekly' });
    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'lab@example.org',
      FilterPolicy: { address: [addressKey('lab@example.org')] },
    });
  });

  test('sends mail by SMTP to each address by itself', () => {
    const { subscriptions } = planOf(deploymentSchema.parse({ prefix: 'panels-test', catalogues: { uk } }), {
      two: messageSubscriptionSchema.parse({
        channels: [{ kind: 'smtp', to: ['a@example.org', 'b@example.org'] }],
      }),
    });
    expect(subscriptions[0]?.channels.map(channelId)).toStrictEqual([
      'smtp:a@example.org',
      'smtp:b@example.org',
    ]);
  });

  test('is not made where no subscription has channels', () => {
    const bare = Template.fromStack(stackOf({ catalogues: { uk } }));
    expect(bare.findResources('AWS::Lambda::EventSourceMapping')).toStrictEqual({});
  });
});

/** The plan of a stack, as it was staged for its layer. */
function planIn(root: ReturnType<typeof app>): NotifyPlan {
  const { directory } = root.synth();
  const [folder] = readdirSync(directory).filter((name) => {
    try {
      return readdirSync(join(directory, name)).includes('plan.json');
    } catch {
      return false;
    }
  });
  return JSON.parse(readFileSync(join(directory, folder ?? '', 'plan.json'), 'utf8'));
}

test('synth says which messages reach no person', () => {
  const silent = stackOf({
    catalogues: { uk },
    subscriptions: { green: { filter: { to: ['green'] }, channels: [] } },
  });
  Annotations.fromStack(silent).hasWarning(
    '*',
    Match.stringLikeRegexp('subscriptions.green: channels is empty.*genetics@example.org'),
  );
});

test('synth says how to get readable mail from a subscription of the older form', () => {
  const older = stackOf({
    catalogues: { uk },
    subscriptions: { old: { topics: ['tags'], email: 'a@example.org' } },
  });
  Annotations.fromStack(older).hasInfo(
    '*',
    Match.stringLikeRegexp("write channels: .*kind: 'email', to: 'a@example.org'"),
  );
});

describe('wrong settings of messages', () => {
  const errors = (subscription: object): string => {
    try {
      const settings = { stages: { test: { catalogues: { uk }, subscriptions: { green: subscription } } } };
      parseSettings(settings, { schema: settingsSchemaAt(now), file: 'test' });
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  const at = 'stages.test.subscriptions.green';

  test.each([
    [
      { channels: [{ kind: 'fax' }] },
      `${at}.channels.0.kind: saw "fax", expected a channel { kind: … } of the kind email`,
    ],
    [
      { channels: [email('laboratory')] },
      `${at}.channels.0.to: saw "laboratory", expected an e-mail address`,
    ],
    [
      { channels: [], zone: 'London' },
      `${at}.zone: saw "London", expected the time zone of a city, such as 'Europe/London'`,
    ],
    [{ channels: [], when: { digest: 'weekly', hour: 25 } }, `${at}.when`],
    [{ channels: [], filter: { colour: ['green'] } }, `${at}.filter.colour: unknown key`],
    [
      { channels: [], filter: { catalogues: ['mars'] } },
      `${at}.filter.catalogues.0: saw "mars", expected a catalogue of the same stage: uk`,
    ],
    [{ channels: [{ kind: 'smtp', to: ['a@example.org'] }] }, 'expected messages.relay'],
    [
      { channels: [{ kind: 'webhook', webhook: 'x1' }], when: { digest: 'daily' } },
      "expected a channel for people: a webhook gets single events, 'at once'",
    ],
    [
      { channels: [email('a@example.org'), { ...email('a@example.org'), names: 'dropped' }] },
      `${at}.channels.1.kind: saw "email", expected each channel once; email:a@example.org is in the list already`,
    ],
    [
      { channels: [], zone: 'BST' },
      `${at}.zone: saw "BST", expected the time zone of a city, such as 'Europe/London': BST is`,
    ],
    [
      { channels: [], zone: 'aest' },
      "expected the time zone of a city, such as 'Australia/Sydney': aest is an",
    ],
    [
      { channels: [], when: { digest: 'dayly' } },
      `{ digest: 'weekly' } or { digest: 'monthly' }; did you mean 'daily'?`,
    ],
    [{ channels: [{ kind: 'slak' }] }, `amazon-q, webhook or atom; did you mean 'slack'?`],
    [{ channels: [{ kind: 'emial' }] }, `did you mean 'email'?`],
    [{ channels: [], filter: { panels: [0] } }, 'saw 0, expected the id or the name of a panel'],
    [
      { channels: [], filter: { genes: ['hgnc 1100'] } },
      'saw "hgnc 1100", expected a name, or an HGNC id such as HGNC:1100',
    ],
    [{ topics: ['colours'], email: 'a@example.org' }, `${at}.topics.0: saw "colours"`],
  ])('%j', (subscription, message) => {
    expect(errors(subscription)).toContain(message);
  });
});

describe('the policies of the queue’s subscriptions', () => {
  test('contain the keys that all filters of a topic have', () => {
    const policies = topicPolicies([
      { to: ['green'], entityTypes: ['gene'], catalogues: ['uk'] },
      { to: ['red'], entityTypes: ['gene', 'str'] },
    ]);
    expect(policies).toStrictEqual([['classifications', { entityType: ['gene', 'str'] }]]);
  });

  test('pass every change of rating, because it may revert one that waits', () => {
    expect(topicPolicies([{ to: ['green'], direction: ['upgraded'] }])).toStrictEqual([
      ['classifications', {}],
    ]);
  });

  test('exclude no event where one filter matches all', () => {
    expect(
      topicPolicies([{ to: ['green'] }, {}]).find(([family]) => family === 'classifications'),
    ).toStrictEqual(['classifications', {}]);
    expect(topicPolicies([{}])).toHaveLength(9);
  });
});
