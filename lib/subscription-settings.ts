import * as z from 'zod';
import {
  type Channel,
  type ChannelInput,
  type ChannelKind,
  type ChannelOf,
  channelKinds,
  settingsOf,
} from '../lambdas/channels/channel-settings.ts';
import {
  type AttributeName,
  attributeNames,
  type MessageAttribute,
  messageAttributes,
} from '../lambdas/events/attributes.ts';
import { eventKinds } from '../lambdas/events/changes.ts';
import { type Topic, topics } from '../lambdas/events/kinds.ts';
import { typeName } from '../lambdas/events/schemas.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { filterSchema } from '../lambdas/filters/filter-schema.ts';
import { nearest } from '../lambdas/filters/nearest.ts';
import {
  type DigestTimes,
  type Subscription as PlannedSubscription,
  weekdays,
} from '../lambdas/notify/subscription.ts';
import type { Privacy } from '../lambdas/words/privacy.ts';
import { alsoWithErrors, formMeant, group, text, wholeNumber } from './setting-kinds.ts';
import { refuseUnsignedKeys } from './worklist-settings.ts';

/** Messages to people and programs: which events, over which channels, and when. */

const privacy = {
  names: z
    .enum(['kept', 'initials', 'dropped'], { error: "'kept', 'initials' or 'dropped'" })
    .default('kept'),
  comments: z.enum(['kept', 'dropped'], { error: "'kept' or 'dropped'" }).default('kept'),
};

type ChannelSetting<Kind extends ChannelKind> = { readonly kind: Kind } & ChannelInput<Kind> &
  z.input<z.ZodObject<typeof privacy>>;
type AnyChannel = { readonly [Kind in ChannelKind]: ChannelSetting<Kind> }[ChannelKind];
type ReadChannel = {
  readonly [Kind in ChannelKind]: Omit<ChannelOf<Kind>, 'privacy'> & Privacy;
}[ChannelKind];

/** One form for each kind of channel. */
const forms = channelKinds.map((kind) =>
  group({ kind: z.literal(kind), ...settingsOf(kind).fields, ...privacy }),
);

const channelSchema = z.discriminatedUnion('kind', forms as unknown as [(typeof forms)[number]], {
  error: ({ input }) =>
    `a channel { kind: … } of the kind ${channelKinds.slice(0, -1).join(', ')} or ${channelKinds.at(-1)}${kindMeant(input)}`,
}) as unknown as z.ZodType<ReadChannel, AnyChannel>;

function kindMeant(input: unknown): string {
  const kind: unknown =
    typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
  const near = typeof kind === 'string' ? nearest(kind.toLowerCase(), channelKinds) : undefined;
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

export const channelsSchema = z.array(channelSchema, { error: 'a list of channels' });

const zoneExpected = ({ input }: { readonly input?: unknown }): string => {
  const city = typeof input === 'string' ? cities[input.trim().toUpperCase()] : undefined;
  return city === undefined
    ? "the time zone of a city, such as 'Europe/London', or 'UTC': abbreviations mean several places"
    : `the time zone of a city, such as '${city}': ${input} is an abbreviation, which can mean several places`;
};

/** A city for the abbreviations that the readers of the catalogues are likely to write. */
const cities: Readonly<Record<string, string>> = {
  ...{ BST: 'Europe/London', GMT: 'Europe/London', IST: 'Europe/Dublin', WET: 'Europe/Lisbon' },
  ...{ CET: 'Europe/Berlin', CEST: 'Europe/Berlin', MEZ: 'Europe/Berlin', EET: 'Europe/Athens' },
  ...{
    AEST: 'Australia/Sydney',
    AEDT: 'Australia/Sydney',
    ACST: 'Australia/Adelaide',
    AWST: 'Australia/Perth',
  },
  ...{ NZST: 'Pacific/Auckland', NZDT: 'Pacific/Auckland', SGT: 'Asia/Singapore', JST: 'Asia/Tokyo' },
  ...{ EST: 'America/New_York', EDT: 'America/New_York', CST: 'America/Chicago', CDT: 'America/Chicago' },
  ...{ MST: 'America/Denver', MDT: 'America/Denver', PST: 'America/Los_Angeles', PDT: 'America/Los_Angeles' },
};

export const zoneSchema = z
  .string({ error: zoneExpected })
  .refine(isZone, { error: zoneExpected })
  .default('UTC');

function isZone(zone: string): boolean {
  if (!zone.includes('/') && zone !== 'UTC') return false;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

const hour = wholeNumber(0, 23).default(7);
const days = z
  .array(z.enum(weekdays, { error: ({ input }) => dayMeant(input) ?? `one of ${weekdays.join(', ')}` }), {
    error: 'a list of weekdays',
  })
  .min(1, { error: 'at least one day' });

/** The day that a text such as `Mon` or `Tuesdy` means, in quotes. */
function dayMeant(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined;
  const text = input.trim().toLowerCase();
  const day = weekdays.find((each) => text.length >= 2 && each.startsWith(text)) ?? nearest(text, weekdays);
  return day && `'${day}'`;
}

/** Whether a period in which nothing changed gives a short message. */
const ifNothing = z.boolean({ error: 'true or false' }).default(false);

/** Whether a digest also lists what is green and not signed off yet, and the contrary. */
const signOffLag = z.boolean({ error: 'true or false' }).exactOptional();

const whenExpected = "'at once', or { digest: 'daily' }, { digest: 'weekly' } or { digest: 'monthly' }";

const periods = ['daily', 'weekly', 'monthly'] as const;

function digestExpected({ input }: { readonly input?: unknown }): string {
  const digest: unknown =
    typeof input === 'object' && input !== null && 'digest' in input ? input.digest : undefined;
  const near = typeof digest === 'string' ? nearest(digest.toLowerCase(), periods) : undefined;
  return near === undefined ? whenExpected : `${whenExpected}; did you mean '${near}'?`;
}

const digestSchema = z.discriminatedUnion(
  'digest',
  [
    group({ digest: z.literal('daily'), hour, days: days.exactOptional(), ifNothing, signOffLag }),
    group({ digest: z.literal('weekly'), hour, days: days.default(['monday']), ifNothing, signOffLag }),
    group({ digest: z.literal('monthly'), hour, day: wholeNumber(1, 28).default(1), ifNothing, signOffLag }),
  ],
  { error: digestExpected },
);

const atOnceSchema = z.literal('at once', { error: whenExpected });
type When = typeof atOnceSchema | typeof digestSchema;
const whenSchema = formMeant<z.output<When>, z.input<When>>((value) =>
  typeof value === 'object' && value !== null ? digestSchema : atOnceSchema,
);

export const messageSubscriptionSchema = group({
  filter: filterSchema.default({}),
  /** What makes a message: a change of the working version, or the sign-off that brings it into the signed-off one. */
  counts: z.enum(['working', 'signed-off'], { error: "'working' or 'signed-off'" }).default('working'),
  channels: channelsSchema,
  zone: zoneSchema,
  when: whenSchema.default('at once'),
  /** Minutes for which a panel's changes are collected into one message. */
  settleMinutes: wholeNumber(0, 1440).default(60),
}).superRefine(({ counts, filter }, context) => {
  if (counts === 'signed-off') refuseUnsignedKeys(filter, context);
});

export type MessageSubscription = z.output<typeof messageSubscriptionSchema>;

/** The subscription as the function that sends its messages takes it. */
export function subscriptionOf(name: string, settings: MessageSubscription): PlannedSubscription {
  const { filter, counts, zone, when, settleMinutes } = settings;
  const { catalogues, panels, panelTypes, rCodes } = filter;
  const ofPanels = {
    ...(catalogues && { catalogues }),
    ...(panels && { panels }),
    ...(panelTypes && { panelTypes }),
    ...(rCodes && { rCodes }),
  };
  return {
    name,
    ...(counts === 'signed-off'
      ? { filter: { ...ofPanels, types: ['panel.signed-off'] }, whenSignedOff: filter }
      : { filter }),
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
    ({ names, comments, ...channel }) => ({ ...channel, privacy: { names, comments } }) as Channel,
  );
}

/** A subscription of people or of a queue, with every default filled in. */
export type Subscription = MessageSubscription | QueueSubscription;
type Input = z.input<typeof messageSubscriptionSchema> | z.input<typeof queueSubscriptionSchema>;

/**
 * A subscription of either form: with `channels`, to readable messages; with `topics`, of a queue (or an address) to
 * the events of some topics as JSON. An error refers to the form whose keys are present.
 */
export const subscriptionSchema = formMeant<Subscription, Input>((value) =>
  isQueueForm(value) ? queueSubscriptionSchema : messageSubscriptionSchema,
);

const isQueueForm = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !('channels' in value) &&
  ('topics' in value || 'queue' in value || 'email' in value);

/** Whether a subscription sends messages to people. */
export const hasChannels = (subscription: Subscription): subscription is MessageSubscription =>
  'channels' in subscription;

/** The filters of subscriptions, as far as they name panels: of the policy of a queue, its plain values. */
export const filtersOf = (subscriptions: Readonly<Record<string, Subscription>>): readonly Filter[] =>
  Object.values(subscriptions).map((each) => (hasChannels(each) ? each.filter : panelsOfPolicy(each.filter)));

function panelsOfPolicy({ catalogue, panelId = [], panelTypes = [] }: QueueSubscription['filter']): Filter {
  const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');
  return {
    // A matcher may let any catalogue pass.
    ...(catalogue?.every((value) => typeof value === 'string') && { catalogues: texts(catalogue) }),
    panels: panelId.filter((value) => typeof value === 'number'),
    panelTypes: texts(panelTypes),
  };
}

const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** SNS's own matchers, where a plain value does not do. */
const exists = z.strictObject({ exists: z.boolean() });
const ofText = [
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ suffix: z.string() }),
  z.strictObject({ wildcard: z.string() }),
] as const;
const ofNumbers = z.strictObject({
  numeric: z.array(z.union([z.enum(['=', '<', '<=', '>', '>=']), z.number()])).min(2),
});
const anythingBut = <Value extends z.ZodType>(value: Value) => z.strictObject({ 'anything-but': value });

const numbers = z.union(
  [z.number(), ofNumbers, anythingBut(z.union([z.number(), z.array(z.number()).min(1)])), exists],
  { error: "a number, or a matcher such as { numeric: ['>=', 100] } or { exists: false }" },
);

/** Texts, and for attributes with a closed set those alone. */
function texts({ values }: MessageAttribute) {
  const value = values ? z.enum(values as readonly [string, ...string[]]) : z.string();
  const error = values
    ? `one of ${values.join(', ')}, or a matcher such as { 'anything-but': […] } or { exists: false }`
    : "text, or a matcher such as { prefix: '…' } or { exists: false }";
  const others = anythingBut(z.union([value, z.array(value).min(1), ...ofText]));
  const inAnyCase = z.strictObject({ 'equals-ignore-case': z.string() });
  return z.union([value, ...ofText, inAnyCase, others, exists], { error });
}

const valuesOf = (attribute: MessageAttribute) =>
  z
    .array(attribute.type === 'Number' ? numbers : texts(attribute), { error: 'a list of values' })
    .min(1, { error: 'at least one value' })
    .exactOptional();

const shape = Object.fromEntries(
  attributeNames.map((name) => [name, valuesOf(messageAttributes[name])]),
) as Readonly<Record<AttributeName, ReturnType<typeof valuesOf>>>;

/** Values inside one key combine with OR, keys with AND; SNS allows five keys and 150 combinations. */
const policySchema = group(shape)
  .refine((filter) => Object.keys(filter).length <= 5, { error: 'at most five keys, as SNS allows' })
  .refine((filter) => Object.values(filter).reduce((product, { length }) => product * length, 1) <= 150, {
    error: 'at most 150 combinations of values, as SNS allows',
  });

/** Where events of some topics go: an e-mail address or an SQS queue, all of them or those that a filter passes. */
export const queueSubscriptionSchema = group({
  topics: z
    .array(z.enum(topics, { error: oneOf(topics) }), { error: `a list of topics: ${topics.join(', ')}` })
    .min(1, { error: 'at least one topic' }),
  email: z.email({ error: "an e-mail address, such as 'genetics@example.org'" }).optional(),
  queue: text(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[\w-]+$/, 'the ARN of an SQS queue').optional(),
  filter: policySchema.default({}),
})
  .refine(({ email, queue }) => (email === undefined) !== (queue === undefined), {
    ...alsoWithErrors,
    path: ['email'],
    error: 'either an e-mail address or a queue',
  })
  .superRefine(({ topics: named, filter }, { addIssue }) => {
    const known = topics.filter((topic) => [named].flat().includes(topic));
    for (const { name, wanted } of heldBack(known, Object(filter))) {
      addIssue({ code: 'custom', path: ['filter', name], message: wanted });
    }
  }, alsoWithErrors);

export type QueueSubscription = z.output<typeof queueSubscriptionSchema>;

type Policy = Readonly<Record<string, unknown>>;

/** The attributes by which a filter excludes every event of some of the topics, and what to write instead. */
function heldBack(named: readonly Topic[], filter: Policy) {
  return attributeNames.flatMap((name) => {
    const values = filter[name];
    if (!Array.isArray(values) || values.some(passesAbsence)) return [];
    const carriers = topics.filter((topic) => carries(topic, name, filter));
    const held = named.filter((topic) => !carriers.includes(topic));
    // A type that is misspelt or of another topic is reported once, not again for each further attribute.
    const byType = name !== 'type' && held.some((topic) => !carries(topic, 'type', filter));
    if (held.length === 0 || carriers.length === 0 || byType) return [];
    const which = held.join(' and ');
    const remedy =
      held.length < named.length
        ? `make two subscriptions, one for ${which} without ${name}`
        : `leave ${name} out, or name a topic whose events carry it: ${carriers.join(', ')}`;
    const wanted = `a filter that events of every topic can match: those of ${which} never match it, so none would be delivered; ${remedy}`;
    return [{ name, wanted }];
  });
}

const passesAbsence = (value: unknown): boolean => exists.safeParse(value).data?.exists === false;

/** Whether an event of the topic, of a type that the filter lets pass, can carry the attribute. */
function carries(topic: Topic, name: AttributeName, { type: wanted }: Policy): boolean {
  return messageAttributes[name].on.some((kind) => {
    const passes =
      !Array.isArray(wanted) || wanted.some((value) => typeof value !== 'string' || value === typeName(kind));
    return passes && eventKinds[kind].topic === topic;
  });
}
