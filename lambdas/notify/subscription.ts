import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Channel, channelKinds, channelSettings } from '../channels/channel-settings.ts';
import type { Filter } from '../filters/filter.ts';
import { filterSchema } from '../filters/filter-schema.ts';
import { readPlan } from '../run/read-plan.ts';

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

const digestTimes = z
  .object({
    kind: z.literal('digest'),
    every: z.enum(['daily', 'weekly', 'monthly']),
    hour: z.number().int().min(0).max(23),
    /** The days of a weekly digest; of a daily one, all days where absent. */
    days: z.array(z.enum(weekdays)).readonly().exactOptional(),
    /** The day of the month of a monthly one. */
    day: z.number().int().min(1).max(28).exactOptional(),
    /** Whether a period without changes gives a short message. */
    ifNothing: z.boolean(),
    /** Whether the digest also lists what is green and not signed off yet, and the contrary. */
    signOffLag: z.boolean().exactOptional(),
  })
  .readonly();
/** When digests are due, by the clocks of the readers' zone. */
export type DigestTimes = z.output<typeof digestTimes>;

const atOnce = z
  .object({
    kind: z.literal('at-once'),
    /** Minutes from the first change of a panel to its message. The message has the net changes of the panel in this time. */
    settleMinutes: z.number(),
  })
  .readonly();

const privacy = z.object({
  names: z.enum(['kept', 'initials', 'dropped']),
  comments: z.enum(['kept', 'dropped']),
});
const [first, ...others] = channelKinds.map((kind) =>
  z.object({ kind: z.literal(kind), privacy, ...channelSettings[kind].fields }),
);
if (!first) throw new Error('there is no kind of channel');
/** Each kind is read with its own fields, of which the union's type keeps none. */
const channels = z
  .array(z.discriminatedUnion('kind', [first, ...others]))
  .transform((read) => read as unknown as readonly Channel[]);
const filter = filterSchema.transform((read): Filter => read);

const subscriptionSchema = z
  .object({
    name: z.string(),
    filter,
    /**
     * What the reader asks for, where sign-offs alone count: `filter` then has the sign-offs of the panels, and this one the
     * genes that a sign-off must bring for a message.
     */
    whenSignedOff: filter.exactOptional(),
    /** The readers' time zone, such as `Europe/London`. */
    zone: z.string(),
    when: z.discriminatedUnion('kind', [atOnce, digestTimes]),
    channels,
  })
  .readonly();
/** Who gets which events, over which channels, and when. */
export type Subscription = z.output<typeof subscriptionSchema>;

const helpSchema = z
  .object({
    /** A person or address to write to. */
    contact: z.string().exactOptional(),
    /** The address of the laboratory's own page of changes. */
    page: z.string().exactOptional(),
  })
  .readonly();
/** Where a reader of messages can turn to, from the settings. */
export type ReaderHelp = z.output<typeof helpSchema>;

const planSchema = z
  .object({
    /** The prefix of alarm names. */
    prefix: z.string(),
    catalogues: z.array(z.string()).readonly(),
    /** The catalogues with which one is compared, by its name. */
    comparedWith: z.record(z.string(), z.array(z.string()).readonly()).exactOptional(),
    subscriptions: z.array(subscriptionSchema).readonly(),
    /** Who gets messages about the notifier itself. */
    operations: z.object({ zone: z.string(), channels }).readonly(),
    mailRelay: z
      .object({
        host: z.string(),
        port: z.number(),
        security: z.enum(['tls', 'starttls', 'none']),
        from: z.string(),
        login: z.string().exactOptional(),
      })
      .readonly()
      .exactOptional(),
    help: helpSchema.exactOptional(),
  })
  .readonly();
/** What `notify` is configured with, besides its environment variables. */
export type NotifyPlan = z.output<typeof planSchema>;

/**
 * The plan in a file that the deployment wrote.
 * @throws {PlanError} when it is not JSON, or not a plan that this version knows; the message names the place
 */
export const readNotifyPlan = (text: string, file: string): NotifyPlan =>
  readPlan(text, { what: 'the plan of messages', file, schema: planSchema });

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

/** The last parts of the ARNs of a subscription's own topics. */
export const mailTopic = (subscription: string): string => `mail-${subscription}`;
/** The attribute of a mail's message that says for which address it is. */
export const ADDRESS = 'address';
/** Names a mail address in attributes and filter policies, which SNS does not encrypt. */
export const addressKey = (address: string): string =>
  hash('sha256', address.toLowerCase(), 'hex').slice(0, 16);
/** The name of the topic through which a subscription reaches Amazon Q. */
export const chatTopic = (subscription: string): string => `chat-${subscription}`;
