import type { Outbox } from './outbox.ts';
import type { Channel, Subscription } from './subscription.ts';

/** One channel of one subscription, with the outbox of its messages. */
export interface Recipient {
  readonly subscription: Subscription;
  readonly channel: Channel;
  readonly outbox: Outbox;
}
