import type { ChannelContext, ChannelMemory, Outgoing } from '../../lambdas/channels/channel.ts';
import { type ChannelSecrets, channelSecrets } from '../../lambdas/channels/channel-secrets.ts';
import { type Channel, channelId } from '../../lambdas/channels/channel-settings.ts';
import { openSenders } from '../../lambdas/notify/deliver.ts';
import { channelMemory } from '../../lambdas/notify/outbox.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { memoryItems } from '../../lambdas/store/items.ts';

/** The secrets of the channels, from an object. */
export const secretsOf = (all: object): ChannelSecrets =>
  channelSecrets({ name: 'the secret of the test', read: async () => JSON.stringify(all) });

/** What a deployment and a machine provide; nothing of it unless a test gives it. */
const contextOf = (given: Partial<ChannelContext> = {}): ChannelContext => ({
  secrets: secretsOf({}),
  clock,
  log: silentLog,
  publish: null,
  relay: null,
  writeFeed: null,
  ...given,
});

interface OpenChannel {
  readonly memory: ChannelMemory;
  send(message: Outgoing, signal?: AbortSignal): Promise<string>;
}

/** One channel of a subscription, ready to send, with a memory of its own. */
export function openChannel(channel: Channel, given: Partial<ChannelContext>): OpenChannel {
  const senders = openSenders(contextOf(given));
  const place = { subscription: 'green-genes', channel: channelId(channel), now: clock.now };
  const memory = channelMemory({ store: memoryItems(clock.now), now: clock.now }, place);
  return {
    memory,
    send: (message, signal = new AbortController().signal) =>
      senders[channel.kind].send(message, channel, { memory, signal }),
  };
}
