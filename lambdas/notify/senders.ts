import type { ChannelContext, ChannelMemory, Outgoing } from '../channels/channel.ts';
import {
  type Channel,
  type ChannelKind,
  type ChannelOf,
  channelKinds,
} from '../channels/channel-settings.ts';
import { channelType } from '../channels/channels.ts';

/** What sending one message may use. */
export interface SendOptions {
  readonly memory: ChannelMemory;
  /** Aborted when the delivery has no time left, or the process stops. */
  readonly signal: AbortSignal;
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
  send(message: Outgoing, channel: Channel, options: SendOptions): Promise<void>;
}

/** The sender of each kind of channel. */
export type Senders = Readonly<Record<ChannelKind, Sender>>;

/** Senders for every kind of channel, with what this place provides to them. */
export const openSenders = (context: ChannelContext): Senders =>
  Object.fromEntries(channelKinds.map((kind) => [kind, senderOf(kind, context)])) as Senders;

function senderOf<Kind extends ChannelKind>(kind: Kind, context: ChannelContext): Sender {
  const { pauseMs, send } = channelType(kind);
  return {
    pauseMs,
    send: (message, channel, options) =>
      send(message, { channel: channel as ChannelOf<Kind>, context, ...options }),
  };
}
