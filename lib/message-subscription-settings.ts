import * as z from 'zod';
import type { Channel, DigestTimes, Subscription } from '../lambdas/notify/subscription.ts';
import { weekdays } from '../lambdas/notify/subscription.ts';
import { filterSchema } from '../lambdas/subscriptions/filter-schema.ts';
import { group, text, wholeNumber } from './setting-kinds.ts';

/** Messages to people and programs: which events, over which channels, and when. */

const privacy = {
  names: z
    .enum(['kept', 'initials', 'dropped'], { error: "'kept', 'initials' or 'dropped'" })
    .default('kept'),
  comments: z.enum(['kept', 'dropped'], { error: "'kept' or 'dropped'" }).default('kept'),
};

const address = z.email({ error: "an e-mail address, such as 'genetics@example.org'" });
/** Webhook addresses are secrets, so the settings only name them. */
const entry = text(
  /^[a-z][a-z0-9-]{0,59}$/,
  'the name of an entry in the secret of the channels, such as lab-slack',
);

const channelSchema = z.discriminatedUnion(
  'kind',
  [
    group({ kind: z.literal('email'), to: address, ...privacy }),
    group({
      kind: z.literal('smtp'),
      to: z.array(address, { error: 'a list of e-mail addresses' }).min(1, { error: 'at least one address' }),
      ...privacy,
    }),
    group({ kind: z.literal('slack'), webhook: entry, ...privacy }),
    group({ kind: z.literal('teams'), webhook: entry, ...privacy }),
    group({ kind: z.literal('amazon-q'), ...privacy }),
    group({ kind: z.literal('webhook'), webhook: entry, ...privacy }),
    group({ kind: z.literal('atom'), ...privacy }),
  ],
  { error: 'a channel { kind: … } of the kind email, smtp, slack, teams, amazon-q, webhook or atom' },
);

export const channelsSchema = z.array(channelSchema, { error: 'a list of channels' });

export const zoneSchema = z
  .string({ error: "a time zone, such as 'Europe/London'" })
  .refine(isZone, { error: "a time zone, such as 'Europe/London'" })
  .default('UTC');

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

const hour = wholeNumber(0, 23).default(7);
const days = z
  .array(z.enum(weekdays, { error: `one of ${weekdays.join(', ')}` }), { error: 'a list of weekdays' })
  .min(1, { error: 'at least one day' });
/** Whether a period in which nothing changed gives a short message. */
const ifNothing = z.boolean({ error: 'true or false' }).default(false);

const digestSchema = z.discriminatedUnion(
  'digest',
  [
    group({ digest: z.literal('daily'), hour, days: days.exactOptional(), ifNothing }),
    group({ digest: z.literal('weekly'), hour, days: days.default(['monday']), ifNothing }),
    group({ digest: z.literal('monthly'), hour, day: wholeNumber(1, 28).default(1), ifNothing }),
  ],
  { error: "'at once', or { digest: 'daily' }, { digest: 'weekly' } or { digest: 'monthly' }" },
);

export const messageSubscriptionSchema = group({
  filter: filterSchema.default({}),
  channels: channelsSchema,
  zone: zoneSchema,
  when: z
    .union([z.literal('at once'), digestSchema], {
      error: "'at once', or { digest: 'daily' }, { digest: 'weekly' } or { digest: 'monthly' }",
    })
    .default('at once'),
  /** Minutes for which a panel's changes are collected into one message. */
  settleMinutes: wholeNumber(0, 1440).default(60),
});

export type MessageSubscription = z.output<typeof messageSubscriptionSchema>;

/** The subscription as the function that sends its messages takes it. */
export function subscriptionOf(name: string, settings: MessageSubscription): Subscription {
  const { filter, zone, when, settleMinutes } = settings;
  return {
    name,
    filter,
    zone,
    when: when === 'at once' ? { kind: 'at-once', settleMinutes } : digestTimesOf(when),
    channels: channelsOf(settings.channels),
  };
}

function digestTimesOf({ digest, ...times }: z.output<typeof digestSchema>): DigestTimes {
  return { kind: 'digest', every: digest, ...times };
}

/** Channels with what they may show of people. */
export function channelsOf(channels: z.output<typeof channelsSchema>): readonly Channel[] {
  return channels.map(
    ({ names, comments, ...channel }): Channel => ({ ...channel, privacy: { names, comments } }),
  );
}

/** One channel for each address of mail: a server may refuse one of them, whose mail alone is to be sent again. */
export const byAddress = (channels: readonly Channel[]): readonly Channel[] =>
  channels.flatMap((channel): readonly Channel[] =>
    channel.kind === 'smtp' ? channel.to.map((address) => ({ ...channel, to: [address] })) : [channel],
  );
