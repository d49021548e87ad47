import type { PanelEvent } from '../events/schemas.ts';
import type { Notice } from '../messages/notice.ts';
import type { Channel } from './subscription.ts';

/** A message to send to a channel. */
export interface Outgoing {
  /** Stays the same when it is sent again. */
  readonly id: string;
  readonly subscription: string;
  readonly notice: Notice;
  /** The event of a message about one, as the channel may show it. */
  readonly event: PanelEvent | null;
  /** ISO 8601. */
  readonly at: string;
}

/** Sends to one kind of channel. */
export interface Sender {
  /** The least time between two messages to one receiver, in milliseconds. */
  readonly pauseMs: number;
  /**
   * Resolves once the receiver has the message.
   *
   * @throws {Error} when it did not take it; the error shows no address that is a secret
   */
  send(message: Outgoing, channel: Channel): Promise<void>;
}

/** The sender of each kind of channel; a kind that is absent cannot be sent. */
export type Senders = Readonly<Partial<Record<Channel['kind'], Sender>>>;
