import type { Channel, MailRelay } from '../channels/channel-settings.ts';
import type { Filter } from '../filters/filter.ts';

/** Who gets which events, over which channels, and when. */
export interface Subscription {
  readonly name: string;
  readonly filter: Filter;
  /**
   * What the reader asks for, where sign-offs alone count: `filter` then has the sign-offs of the panels, and this one the
   * genes that a sign-off must bring for a message.
   */
  readonly whenSignedOff?: Filter;
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
  /** Whether the digest also lists what is green and not signed off yet, and the contrary. */
  readonly signOffLag?: boolean;
}

/** Where a reader of messages can turn to, from the settings. */
export interface ReaderHelp {
  /** A person or address to write to. */
  readonly contact?: string;
  /** The address of the laboratory's own page of changes. */
  readonly page?: string;
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
  /** Where readers can turn to; absent where the settings say nothing of it. */
  readonly help?: ReaderHelp;
}

/**
 * The filters of a subscription: it may want an event that one of them matches. Where sign-offs alone count, what may no longer be
 * green is wanted too: a laboratory may still test by it. Whether the signed-off version holds it is seen when the message is made.
 */
export function filtersOfSubscription({
  filter,
  whenSignedOff,
}: Pick<Subscription, 'filter' | 'whenSignedOff'>): readonly Filter[] {
  if (!whenSignedOff) return [filter];
  const { to: _to, direction: _direction, ...about } = whenSignedOff;
  return [
    filter,
    {
      ...about,
      types: ['entity.classified'],
      from: ['green', 'unknown'],
      to: ['amber', 'red', 'none', 'unknown'],
      direction: ['downgraded', 'unknown'],
    },
    { ...about, types: ['entity.removed'] },
  ];
}

/** The subscription to messages about the notifier itself. */
export const OPERATIONS = 'operations';
