import type { ChannelMemory } from '../channels/channel.ts';
import type { Channel } from '../channels/channel-settings.ts';
import type { Outbox } from './outbox.ts';
import type { Subscription } from './subscription.ts';

/** One channel of one subscription, with the outbox of its messages. */
export interface Recipient {
  readonly subscription: Subscription;
  readonly channel: Channel;
  readonly outbox: Outbox;
  readonly memory: ChannelMemory;
}
