import type { Privacy } from '../messages/privacy.ts';
import type { Filter } from '../subscriptions/filter.ts';

/** Who gets which events, over which channels, and when. */
export interface Subscription {
  readonly name: string;
  readonly filter: Filter;
  /** The readers' time zone, such as `Europe/London`. */
  readonly zone: string;
  readonly when: AtOnce | DigestTimes;
  readonly channels: readonly Channel[];
}

interface AtOnce {
  readonly kind: 'at-once';
  /**
   * Minutes from the first change of a panel to its message. The message has the net changes of the panel in this time.
   */
  readonly settleMinutes: number;
}

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
type Weekday = (typeof weekdays)[number];

/** When digests are due, by the clocks of the readers' zone. */
export interface DigestTimes {
  readonly kind: 'digest';
  readonly every: 'daily' | 'weekly' | 'monthly';
  /** 0 to 23. */
  readonly hour: number;
  /** The days of a weekly digest; of a daily one, all days where absent. */
  readonly days?: readonly Weekday[];
  /** The day of the month of a monthly one, 1 to 28. */
  readonly day?: number;
  /** Whether a period without changes gives a short message. */
  readonly ifNothing: boolean;
}

interface Common {
  readonly privacy: Privacy;
}

/** Where messages go. `webhook` names an entry of the channels' secret, which holds the address. */
export type Channel = Common &
  (
    | { readonly kind: 'email'; readonly to: string }
    | { readonly kind: 'smtp'; readonly to: readonly string[] }
    | { readonly kind: 'slack'; readonly webhook: string }
    | { readonly kind: 'teams'; readonly webhook: string }
    | { readonly kind: 'amazon-q' }
    | { readonly kind: 'webhook'; readonly webhook: string }
    | { readonly kind: 'atom' }
  );

/** The kinds of channel that a subscription can have. */
export type ChannelKind = Channel['kind'];

/** The mail server that takes SMTP mail. */
export interface MailRelay {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte. `starttls`: required before anything is sent. `none`: a relay on this machine. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly from: string;
  /** Names the entry of the channels' secret with `user` and `password`; without it the relay asks for neither. */
  readonly login?: string;
}

/** What `notify` is configured with, besides its environment variables. */
export interface NotifyPlan {
  /** The prefix of alarm names. */
  readonly prefix: string;
  readonly catalogues: readonly string[];
  readonly subscriptions: readonly Subscription[];
  /** Who gets messages about the notifier itself. */
  readonly operations: { readonly zone: string; readonly channels: readonly Channel[] };
  readonly mailRelay?: MailRelay;
}

/** The subscription to messages about the notifier itself. */
export const OPERATIONS = 'operations';

/** An id of a channel within its subscription; it stays the same when the order of the channels changes. */
export function channelId(channel: Channel): string {
  switch (channel.kind) {
    case 'email':
      return `email:${channel.to}`;
    case 'smtp':
      return `smtp:${channel.to.join(',')}`;
    case 'slack':
    case 'teams':
    case 'webhook':
      return `${channel.kind}:${channel.webhook}`;
    case 'amazon-q':
    case 'atom':
      return channel.kind;
  }
}
