import type { PanelEvent } from '../events/schemas.ts';
import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import { safeJson } from '../run/text.ts';
import type { Notice } from '../words/notice.ts';
import type { ChannelSecrets } from './channel-secrets.ts';
import {
  type ChannelKind,
  type ChannelOf,
  type MailRelay,
  type NeedsOf,
  settingsOf,
} from './channel-settings.ts';

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

/** A file that shows what a channel is sent. */
interface PreviewFile {
  /** After the name, such as `.json`. */
  readonly ending: string;
  readonly content: string;
}

/** What one channel of one subscription remembers between messages, such as the threads that it began. */
export interface ChannelMemory {
  /** Undefined where nothing is kept under this key. */
  get(key: string): Promise<unknown>;
  /** @param days how long it is kept; without end where absent */
  set(key: string, value: unknown, options?: { readonly days?: number }): Promise<void>;
}

interface UsualContext {
  readonly secrets: ChannelSecrets;
  readonly clock: Clock;
  readonly log: Log;
}

/** What channels use of the place from which they are sent. */
export interface ChannelContext extends UsualContext {
  /** Publishes to a subscription's topic; null on one machine. */
  readonly publish: PublishToTopic | null;
  /** The mail server of the settings; null where they have none. */
  readonly relay: MailRelay | null;
  /** Puts a feed where readers find it; null where there is no such place. */
  readonly writeFeed: ((name: string, xml: string) => Promise<void>) | null;
}

/** Of the context, what the settings of a kind say that it needs. */
type ContextOf<Kind extends ChannelKind> = UsualContext &
  (NeedsOf<Kind> extends { readonly topic: string } ? Pick<ChannelContext, 'publish'> : unknown) &
  (NeedsOf<Kind> extends { readonly feeds: true } ? Pick<ChannelContext, 'writeFeed'> : unknown) &
  (NeedsOf<Kind> extends { readonly relay: true } ? Pick<ChannelContext, 'relay'> : unknown);

/** A message for a topic of SNS that belongs to one subscription. */
interface TopicMessage {
  readonly topic: 'mail' | 'chat';
  readonly subscription: string;
  readonly text: string;
  /** Of a mail: at most 99 characters. */
  readonly subject?: string;
  /** Of a mail: whose subscription to the topic gets it. */
  readonly address?: string;
}

/** Publishes a message to a topic of a subscription; returns what SNS answered. */
export type PublishToTopic = (
  message: TopicMessage,
  options: { readonly signal: AbortSignal },
) => Promise<string>;

/** The channel that a message goes to, and what sending may use. */
export interface Sending<Kind extends ChannelKind> {
  readonly channel: ChannelOf<Kind>;
  readonly memory: ChannelMemory;
  readonly context: ContextOf<Kind>;
  /** Aborted when the delivery has no time left, or the process stops. Sending then ends at once. */
  readonly signal: AbortSignal;
}

/** One kind of channel, with all that it does. */
export interface ChannelType<Kind extends ChannelKind> {
  readonly kind: Kind;
  /** As people call it. */
  readonly title: string;
  /** What a person does to get it, as one sentence, for the generated page. */
  readonly setUp: string;
  /** The least time between two messages to one receiver, in milliseconds; below the operator's limit. */
  readonly pauseMs: number;
  /** Whether the receiver drops a message that comes twice. Where it does not, a repeat says what it is. */
  readonly dropsRepeats: boolean;
  /** What still has to happen before people see a trial message; empty where nothing has to. */
  readonly afterTrial: string;
  /** What the receiver would get, as files. */
  readonly preview: (message: Outgoing) => readonly PreviewFile[] | Promise<readonly PreviewFile[]>;
  /**
   * Returns what the receiver answered, in few words and without a secret, once it has the message.
   *
   * @throws {Error} when it did not take it; the error shows no address that is a secret
   */
  readonly send: (message: Outgoing, sending: Sending<Kind>) => Promise<string>;
}

/** JSON as a file of a preview. */
export const jsonFile = (value: object): PreviewFile => ({
  ending: '.json',
  content: `${safeJson(JSON.stringify(value, null, 2))}\n`,
});

/** The error for a channel that the place from which it is sent lacks something for. */
export function notFromHere(kind: ChannelKind): Error {
  const { deployedOnly } = settingsOf(kind);
  return new Error(
    deployedOnly === null
      ? `Messages to ${kind} cannot be sent from here. docs/channels.md says what this channel needs.`
      : `The channel '${kind}' ${deployedOnly}`,
  );
}
