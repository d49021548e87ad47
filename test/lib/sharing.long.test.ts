import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { deploy, everything, stackOf, uk } from './deploy.ts';
import { allow, ofCaller, resourcePolicy, statementsOf } from './proofs/policy.ts';
import { resolvedStack } from './proofs/resolved-stack.ts';

const share = { accounts: ['210987654321'], organisation: 'o-a1b2c3d4e5' };
const shared = resolvedStack(deploy({ catalogues: { uk }, eventBus: 'platform', share }), 'panels-test');
const alone = resolvedStack(deploy({ catalogues: { uk }, eventBus: 'platform' }), 'panels-test');

interface Caller {
  readonly account: string;
  readonly organisation?: string;
}
const named = { account: '210987654321' };
const member = { account: '333333333333', organisation: 'o-a1b2c3d4e5' };
const stranger = { account: '444444444444', organisation: 'o-otherotherot' };

/** Whether the policy of a topic lets another account make a call. */
const mayCall = (
  stack: typeof shared,
  topic: string,
  { account, organisation }: Caller,
  { action = 'sns:Subscribe', protocol = 'sqs' } = {},
): boolean => {
  const resource = stack.find(({ ref }) => ref.endsWith(`:panels-test-${topic}`));
  if (!resource) throw new Error(`There is no topic ${topic}`);
  return allow(ofCaller(resourcePolicy(resource, stack), account), {
    action,
    resource: resource.ref,
    context: {
      'sns:protocol': protocol,
      'aws:principalaccount': account,
      ...(organisation !== undefined && { 'aws:principalorgid': organisation }),
    },
  });
};

describe.each(topics)('the topic %s', (topic) => {
  test.each([
    ['an account that is named', named, true],
    ['an account of the organisation', member, true],
    ['any other account', stranger, false],
  ])('lets %s subscribe: %o, %s', (_, caller, expected) => {
    expect(mayCall(shared, topic, caller)).toBe(expected);
    expect(mayCall(shared, topic, caller, { protocol: 'lambda' })).toBe(expected);
    expect(mayCall(alone, topic, caller)).toBe(false);
  });

  test.each(['sns:Publish', 'sns:SetTopicAttributes', 'sns:ListSubscriptionsByTopic', 'sns:AddPermission'])(
    'lets nobody else call %s',
    (action) => {
      for (const caller of [named, member, stranger])
        expect(mayCall(shared, topic, caller, { action })).toBe(false);
    },
  );

  test.each(['email', 'https', 'sms', 'firehose'])('lets nobody else subscribe by %s', (protocol) => {
    for (const caller of [named, member]) expect(mayCall(shared, topic, caller, { protocol })).toBe(false);
  });
});

test('the alarms are not shared', () => {
  expect(mayCall(shared, 'alarms', named)).toBe(false);
  expect(mayCall(shared, 'alarms', member)).toBe(false);
});

describe('the bus', () => {
  const mayOnBus = (
    { account, organisation }: Caller,
    action: string,
    context: Readonly<Record<string, string>>,
  ): boolean =>
    allow(
      ofCaller(
        statementsOf({
          Statement: shared
            .filter(({ type }) => type === 'AWS::Events::EventBusPolicy')
            .map(({ properties }) => properties.Statement),
        }),
        account,
      ),
      {
        action,
        resource: 'arn:aws:events:eu-west-2:123456789012:rule/platform/greens',
        context: {
          'aws:principalaccount': account,
          ...(organisation !== undefined && { 'aws:principalorgid': organisation }),
          ...context,
        },
      },
    );

  test.each([
    ['an account that is named', named, true],
    ['an account of the organisation', member, true],
    ['any other account', stranger, false],
  ])('lets %s make rules for the events of this notifier alone', (_, caller, expected) => {
    expect(mayOnBus(caller, 'events:PutRule', { 'events:source': 'panels-test' })).toBe(expected);
    expect(mayOnBus(caller, 'events:PutRule', { 'events:source': 'another' })).toBe(false);
    expect(mayOnBus(caller, 'events:PutRule', {})).toBe(false);
  });

  test('lets it change its own rules alone, and put no event', () => {
    for (const caller of [named, member])
      for (const action of ['events:PutTargets', 'events:DeleteRule']) {
        expect(mayOnBus(caller, action, { 'events:creatoraccount': caller.account })).toBe(true);
        expect(mayOnBus(caller, action, { 'events:creatoraccount': '123456789012' })).toBe(false);
        expect(mayOnBus(caller, action, {})).toBe(false);
      }
    expect(
      mayOnBus(named, 'events:PutRule', {
        'events:source': 'panels-test',
        'events:creatoraccount': '123456789012',
      }),
    ).toBe(false);
    expect(mayOnBus(named, 'events:PutEvents', { 'events:source': 'panels-test' })).toBe(false);
  });

  test.each([
    ['default', 'it carries the events of other services too'],
    ['arn:aws:events:eu-west-2:111111111111:event-bus/platform', 'its owner decides'],
  ])('%s keeps its policy, and synthesis says so', (eventBus, why) => {
    const stack = stackOf({ catalogues: { uk }, eventBus, share });
    const said = Annotations.fromStack(stack).findInfo(
      '*',
      Match.stringLikeRegexp('^share is for the topics'),
    );
    expect(said.map(({ entry }) => entry.data)).toEqual([expect.stringContaining(why)]);
    deploy({ catalogues: { uk }, eventBus, share }).resourceCountIs('AWS::Events::EventBusPolicy', 0);
  });
});

test('as many accounts as the settings take fit into the policy of a bus', () => {
  const accounts = Array.from({ length: 100 }, (_, at) => String(100_000_000_000 + at));
  const stage = { ...everything, share: { accounts, organisation: 'o-a1b2c3d4e5' } };
  const policies = Object.values(deploy(stage).findResources('AWS::Events::EventBusPolicy'));
  expect(policies).toHaveLength(4);
  const statements = resolvedStack(deploy(stage), 'panels-test')
    .filter(({ type }) => type === 'AWS::Events::EventBusPolicy')
    .map(({ properties }) => properties.Statement);
  expect(JSON.stringify(statements).length).toBeLessThan(10_240);
  for (const { Properties } of policies) expect(Properties.StatementId).toMatch(/^[\w-]{1,64}$/);
  expect(() => deploy({ ...stage, share: { accounts: [...accounts, '210987654321'] } })).toThrow(
    'share.accounts: saw',
  );
});
