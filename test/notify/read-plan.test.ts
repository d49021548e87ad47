import { expect, test } from 'vitest';
import { readNotifyPlan } from '../../lambdas/notify/subscription.ts';
import { everyChannel, planOf, subscriptionOf } from './notify-harness.ts';

const plan = {
  ...planOf(
    subscriptionOf({ channels: everyChannel, filter: { to: ['green'], panels: [3, 'Hearing loss'] } }),
    subscriptionOf({
      name: 'digest',
      when: { kind: 'digest', every: 'monthly', hour: 7, day: 1, ifNothing: true },
    }),
  ),
  mailRelay: { host: 'mail.example.org', port: 465, security: 'tls' as const, from: 'lab@example.org' },
  help: { contact: 'lab@example.org' },
};

test('a plan comes back whole, with a channel of every kind', () => {
  expect(readNotifyPlan(JSON.stringify(plan), 'plan.json')).toStrictEqual(plan);
});

test.each([
  ['text that is not JSON', 'no plan', 'it is not JSON'],
  ['a plan without subscriptions', JSON.stringify({ ...plan, subscriptions: undefined }), 'subscriptions'],
  [
    'a channel of an unknown kind',
    JSON.stringify({ ...plan, operations: { zone: 'UTC', channels: [{ kind: 'pigeon' }] } }),
    'operations.channels.0',
  ],
  [
    'a filter with an unknown key',
    JSON.stringify({ ...plan, subscriptions: [{ ...subscriptionOf(), filter: { colour: ['green'] } }] }),
    'subscriptions.0.filter',
  ],
])('%s is refused, with the place and what to do', (_what, text, place) => {
  expect(() => readNotifyPlan(text, '/opt/plan.json')).toThrow(
    expect.objectContaining({
      code: 'SETTINGS_WRONG',
      message: expect.stringMatching(
        new RegExp(`/opt/plan\\.json: .*${place.replaceAll('.', '\\.')}.*Deploy the stack again`),
      ),
    }),
  );
});
