import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { Channel } from '../../lambdas/channels/channel-settings.ts';
import type { Sender, Senders } from '../../lambdas/notify/deliver.ts';
import { sendTrials } from '../../lambdas/notify/trial.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { createTestClock } from '../run/test-clock.ts';
import { everyChannel, planOf, subscriptionOf, webhook } from './notify-harness.ts';

/** Sends trials to the channels; a webhook fails. */
async function trialsOf(channels: readonly Channel[]) {
  const sent: Outgoing[] = [];
  const sender: Sender = {
    pauseMs: 0,
    send: async (message, { kind }) => {
      if (kind === 'webhook') throw new Error('The webhook answered 500');
      sent.push(message);
      return 'HTTP 200';
    },
  };
  const senders = Object.fromEntries(everyChannel.map(({ kind }) => [kind, sender])) as Senders;
  const clock = createTestClock();
  const store = memoryItems(clock.now);
  const plan = {
    ...planOf(subscriptionOf({ filter: { actors: ['Catherine Snowe'] }, channels })),
    help: { contact: 'it@example.org' },
  };
  let made = 0;
  const trials = await sendTrials({ plan, senders, clock, store, newId: () => `${made++}` });
  return { sent, trials };
}

describe('a trial', () => {
  test('goes to every channel, and one that fails keeps no other from its own', async () => {
    const { sent, trials } = await trialsOf(everyChannel);
    expect(trials.filter((trial) => !trial.sent)).toMatchObject([
      { channel: 'webhook:pipeline', text: 'The webhook answered 500' },
    ]);
    expect(trials.map(({ subscription }) => subscription)).toStrictEqual([
      ...everyChannel.map(() => 'green-genes'),
      'operations',
    ]);
    for (const { notice } of sent)
      expect(phraseText(notice.headline)).toMatch(/^Trial message for [\w-]+: no gene changed$/);
  });

  test('shows the person to write to, also to those who get messages about the notifier', async () => {
    const { sent } = await trialsOf(everyChannel);
    expect(sent).not.toHaveLength(0);
    for (const { notice } of sent)
      expect(notice.footer.join('\n')).toMatch(/^Change or stop these (mails|messages): it@example\.org$/m);
  });

  test('names the curators of a filter only where the channel shows names', async () => {
    const [first] = everyChannel.filter(({ kind }) => kind !== webhook.kind);
    if (!first) throw new Error('There is no channel for people');
    const texts = async (names: 'kept' | 'dropped'): Promise<string> => {
      const { sent } = await trialsOf([{ ...first, privacy: { names, comments: 'kept' } }]);
      return sent.map(({ notice }) => mailText(notice)).join('\n');
    };
    expect(await texts('kept')).toContain('Catherine Snowe');
    expect(await texts('dropped')).not.toContain('Snowe');
  });
});
