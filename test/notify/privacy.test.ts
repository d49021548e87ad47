import { expect, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { Channel, ChannelKind } from '../../lambdas/channels/channel-settings.ts';
import { channelType } from '../../lambdas/channels/channels.ts';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import type { Privacy } from '../../lambdas/words/privacy.ts';
import { eventOf, rated, turnedGreen } from '../words/events.ts';
import { createNotifyHarness, everyChannel, planOf, subscriptionOf } from './notify-harness.ts';

const curator = 'Zoë Ångström-Müller';
const reviewer = 'Priya Venkataramanan';
const comment = `Seen by ${curator} in the third family`;
const at = (minute: number): string =>
  new Date(Date.UTC(2026, 10, 20, 11, minute)).toISOString().replace('Z', '000Z');
const by = (actor: string, minute: number) => ({
  actor,
  time: at(minute),
  rowText: `${actor}: ${comment}`,
});

/** What a person did, with names and comments in every place where events have them. */
const events = [
  turnedGreen(by(curator, 1)),
  eventOf('entity.commented', { comment, action: 'added' }, by(curator, 1)),
  eventOf('entity.commented', { comment, action: 'edited', previousComment: comment }, by(reviewer, 2)),
  eventOf('entity.reviewed', { rating: 'green', edited: false, comment }, by(reviewer, 3)),
  rated('green', 'amber', 'downgraded', { gene: 'PALB2', ...by(curator, 4) }),
  eventOf('panel.promoted', { version: '5.0', previousVersion: '4.12', via: 'activity' }, by(curator, 5)),
  eventOf(
    'activity.unclassified',
    { reason: 'unknown-text', row: { text: comment, user_name: curator } },
    by(curator, 6),
  ),
];

const everything = {
  topics: ['classifications', 'reviews', 'promotions', 'unclassified'],
  actors: [curator, reviewer],
} as const;

/** All that a channel would send of a message, as text. */
async function rendered(message: Outgoing, kind: ChannelKind): Promise<string> {
  const files = await channelType(kind).preview(message);
  return files.map(({ content }) => content).join('\n');
}

test('the log shows neither names nor comments, also where a channel fails', async () => {
  const harness = createNotifyHarness(planOf(subscriptionOf({ filter: { topics: [...everything.topics] } })));
  for (const event of [...events, rated('green', 'amber', 'downgraded', by(curator, 8))]) {
    harness.published.push(event);
    await harness.notifier().receive(event);
  }
  harness.clock.pass(3_600_000);
  harness.onSend = () => {
    throw new Error('The webhook answered 500');
  };
  await harness.notifier().run();
  harness.onSend = () => {};
  await harness.runAfter(3_600_000);
  const text = harness.logged.join('\n');
  expect(harness.logged.length).toBeGreaterThan(2);
  expect(text).toContain('The webhook answered 500');
  expect(text).not.toMatch(nameParts);
  expect(text).not.toMatch(commentParts);
});

async function sent(channel: Channel, when?: Subscription['when']): Promise<string> {
  const filter = { ...everything, topics: [...everything.topics], actors: [...everything.actors] };
  const harness = createNotifyHarness(
    planOf(subscriptionOf({ filter, channels: [channel], ...(when && { when }) })),
  );
  await harness.notifier().run();
  for (const event of events) {
    harness.published.push(event);
    await harness.notifier().receive(event);
  }
  // One message with all of them, and one about a single event with its comment from the history.
  const single = turnedGreen({
    gene: 'TP53',
    ...by(curator, 7),
    panel: { ...events[0]?.data.panel, id: 7 } as never,
  });
  harness.published.push(
    single,
    eventOf(
      'entity.commented',
      { comment, action: 'added' },
      { ...by(curator, 7), gene: 'TP53', panel: single.data.panel as never },
    ),
  );
  await harness.notifier().receive(single);
  await harness.runAfter(when ? 7 * 24 * 3_600_000 : 3_600_000);
  expect(harness.sent.length).toBeGreaterThan(0);
  const texts = harness.sent.map((message) => rendered(message, channel.kind));
  return (await Promise.all(texts)).join('\n');
}

const digest: Subscription['when'] = { kind: 'digest', every: 'weekly', hour: 7, ifNothing: false };
const withPrivacy = (channel: Channel, privacy: Privacy): Channel => ({ ...channel, privacy });
/** Each part of a name, of which none may be left. */
const nameParts = /Zo(?:ë|\\u00eb)|ngstr|ller\b|Priya|Venkat/;
const commentParts = /third family/;

test.each(everyChannel)('$kind shows names and comments where they are kept', async (channel) => {
  const text = await sent(channel);
  expect(text).toMatch(nameParts);
  expect(text).toMatch(commentParts);
});

test.each(everyChannel)(
  '$kind shows neither names nor comments that are dropped, anywhere',
  async (channel) => {
    const dropped = withPrivacy(channel, { names: 'dropped', comments: 'dropped' });
    for (const text of [
      await sent(dropped),
      ...(channel.kind === 'webhook' ? [] : [await sent(dropped, digest)]),
    ]) {
      expect(text).not.toMatch(nameParts);
      expect(text).not.toMatch(commentParts);
      expect(text).toContain('TP53');
    }
  },
);

test.each(everyChannel)('$kind shows initials in place of names, also inside comments', async (channel) => {
  const text = await sent(withPrivacy(channel, { names: 'initials', comments: 'kept' }));
  expect(text.replaceAll(`Seen by ${curator}`, '')).not.toMatch(/Priya|Venkat/);
  expect(text).toMatch(/Z\. Å\. M\.|P\. V\./);
  expect(text).toMatch(commentParts);
});
