import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { ChannelKind } from '../../lambdas/channels/channel-settings.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { turnedGreen } from '../words/events.ts';
import {
  crashingAt,
  createNotifyHarness,
  everyChannel,
  type NotifyHarness,
  planOf,
  subscriptionOf,
  take,
} from './notify-harness.ts';

const MINUTE = 60_000;
const green = (gene: string) => turnedGreen({ gene, time: '2026-11-20T11:55:00.000000Z' });

/** Their receivers know a message by its id: the header webhook-id, the Message-ID of a mail, the entry of a feed. */
const knownById: Readonly<Record<ChannelKind, boolean>> = {
  ...{ webhook: true, smtp: true, atom: true },
  ...{ email: false, slack: false, 'slack-bot': false, teams: false, mattermost: false },
  ...{ 'google-chat': false, webex: false, 'amazon-q': false },
};

describe.each(everyChannel)('over $kind, when a process dies', (channel) => {
  const plan = planOf(subscriptionOf({ channels: [channel] }));
  const events = [green('BRCA1'), green('BRCA2')];

  /** Takes two events in and sends, dying at one call of the store; then another process does the same. */
  async function killedAt(
    place: number,
  ): Promise<{ readonly died: boolean; readonly sent: readonly Outgoing[] }> {
    const inner = memoryItems(() => second.clock.now());
    const second: NotifyHarness = createNotifyHarness(plan, { store: inner });
    let calls = 0;
    const first = createNotifyHarness(plan, { store: crashingAt(inner, () => calls++ >= place) });
    const takeAndSend = async (harness: NotifyHarness): Promise<void> => {
      // The queue keeps what was not taken in, and delivers it again.
      await take(harness, ...events);
      harness.clock.pass(60 * MINUTE);
      await harness.notifier('local').run();
    };
    const died = await takeAndSend(first).then(
      () => false,
      () => true,
    );
    second.clock.pass(20 * MINUTE);
    await takeAndSend(second);
    await takeAndSend(second);
    return { died, sent: [...first.sent, ...second.sent] };
  }

  test('at any call of the store, nothing is lost, and a second copy says that it is one', async () => {
    const copies: number[] = [];
    for (let place = 0, died = true; died; place++) {
      const outcome = await killedAt(place);
      died = outcome.died;
      const genes = (message: Outgoing): string =>
        message.event?.data.entity?.name ??
        mailText(message.notice)
          .match(/(?<!\/)BRCA\d/g)
          ?.join() ??
        '';
      const byGenes = [...Map.groupBy(outcome.sent, genes)];
      expect(byGenes.flatMap(([names]) => names.split(',')).sort()).toStrictEqual(['BRCA1', 'BRCA2']);
      for (const [, [original, ...others]] of byGenes) {
        copies.push(others.length);
        for (const copy of others) {
          expect(copy.id).toBe(original?.id);
          expect(copy.notice.footer.join(' ').includes('Sent again')).toBe(!knownById[channel.kind]);
        }
      }
    }
    // The gap between sending and noting is there, and nothing is sent three times.
    expect(Math.max(...copies)).toBe(1);
    expect(copies.length).toBeGreaterThan(15);
    expect(copies.filter((count) => count === 1).length).toBeLessThanOrEqual(
      channel.kind === 'webhook' ? 2 : 1,
    );
  });
});
