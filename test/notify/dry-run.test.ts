import { expect, test } from 'vitest';
import { dryRun } from '../../lambdas/notify/dry-run.ts';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import { mailSubject } from '../../lambdas/words/mail.ts';
import { eventOf, turnedGreen } from '../words/events.ts';
import { historyOf, subscriptionOf } from './notify-harness.ts';

test.each<[string, Partial<Subscription>, string]>([
  [
    'that is still collected',
    {},
    'too new: changes of the panel are still being collected (settleMinutes: 60)',
  ],
  [
    'that the next digest will have',
    { when: { kind: 'digest', every: 'daily', hour: 7, ifNothing: false } },
    'in the next digest',
  ],
])('a dry run counts an event %s', async (_title, parts, reason) => {
  const events = [
    turnedGreen({ gene: 'PALB2', time: '2026-11-20T09:00:00.000000Z' }),
    turnedGreen({ gene: 'BRCA1', time: '2026-11-21T09:00:00.000000Z' }),
  ];
  const period = { since: Date.parse('2026-11-19T00:00:00Z'), until: Date.parse('2026-11-21T09:30:00Z') };
  const { messages, unsent } = await dryRun(subscriptionOf(parts), events, {
    ...period,
    history: null,
  });
  expect(messages).toHaveLength(1);
  expect([...unsent]).toStrictEqual([[reason, 1]]);
});

test('a dry run names a gene that was replaced before its message by both names, as the message does', async () => {
  const change = { from: 'MLL2', to: 'KMT2D' };
  const events = [
    turnedGreen({ gene: 'MLL2', time: '2026-11-20T09:00:00.000000Z' }),
    eventOf('entity.renamed', change, { gene: 'KMT2D', time: '2026-11-20T09:01:00.000000Z' }),
  ];
  const { messages } = await dryRun(subscriptionOf({ filter: { to: ['green'] } }), events, {
    since: Date.parse('2026-11-19T00:00:00Z'),
    until: Date.parse('2026-11-21T09:30:00Z'),
    history: historyOf(events),
  });
  expect(messages.map(({ notice }) => mailSubject(notice))).toEqual([
    expect.stringMatching(/^KMT2D \(formerly MLL2\) is now green/),
  ]);
});
