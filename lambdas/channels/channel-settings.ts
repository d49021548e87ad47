import * as z from 'zod';
import type { Privacy } from '../words/privacy.ts';

const address = "an e-mail address, such as 'genetics@example.org'";
const entry = 'the name of an entry in the secret of the channels, such as lab-slack';

/** One e-mail address. */
export const mailAddress = z.email({ error: address });

/** The name of an entry of the channels' secret. What it names is a secret, so that the settings only name it. */
export const secretEntry = z.string({ error: entry }).regex(/^[a-z][a-z0-9-]{0,59}$/, { error: entry });

/** The id of the place in which a bot posts. */
export const placeId = (form: RegExp, wanted: string) =>
  z.string({ error: wanted }).regex(form, { error: wanted });

/** What a channel uses besides the network; deployment and command line provide it. */
export interface ChannelNeeds {
  /** A topic of its own for each subscription: for mail of SNS, or for chat. */
  readonly topic?: 'mail' | 'chat';
  /** A place for files that readers fetch: a bucket, or a folder. */
  readonly feeds?: true;
  /** The mail server of the settings (`messages.relay`). */
  readonly relay?: true;
}

type Fields = Readonly<Record<string, z.ZodType>>;
type Values<Own extends Fields> = { readonly [Name in keyof Own]: z.output<Own[Name]> };

/** What the settings say of one kind of channel: all that deployment code may know of it. */
interface ChannelSettings<Own extends Fields> {
  /** Its keys in the settings, besides `kind`, `names` and `comments`. */
  readonly fields: Own;
  /** The receiver, by which channels of this kind within a subscription differ; null where a subscription can have one. */
  readonly receiver: ((channel: Values<Own>) => string) | null;
  /** The entry of the channels' secret that it reads, by a method of `ChannelSecrets`; null where it reads none. */
  readonly secret: {
    readonly entry: (channel: Values<Own>) => string;
    readonly read: 'webhook' | 'token';
  } | null;
  readonly needs: ChannelNeeds;
  /** One channel for each receiver that fails alone; null where it has one receiver. */
  readonly apart: ((channel: Values<Own>) => readonly Values<Own>[]) | null;
  /** `events`: each event in a message of its own, at once, for a program. */
  readonly takes: 'messages' | 'events';
  /** Why it works from a deployment alone and what to use instead; null where one machine is enough. */
  readonly deployedOnly: string | null;
}

const declare = <const Own extends Fields, const Needs extends ChannelNeeds>(
  settings: ChannelSettings<Own> & { readonly needs: Needs },
): ChannelSettings<Own> & { readonly needs: Needs } => settings;

const messages = { apart: null, takes: 'messages' } as const;
/** Of a channel that works from wherever its service can be reached. */
const overNetwork = { needs: {}, deployedOnly: null } as const;

/** A channel that posts to an address, which is a secret. */
const webhook = {
  ...messages,
  ...overNetwork,
  fields: { webhook: secretEntry },
  receiver: (channel: { readonly webhook: string }) => channel.webhook,
  secret: { entry: (channel: { readonly webhook: string }) => channel.webhook, read: 'webhook' },
} as const;

/** The kinds of channel that a subscription can have. The list `channels` has how each is rendered and sent. */
export const channelSettings = {
  email: declare({
    fields: { to: mailAddress },
    receiver: ({ to }) => to,
    secret: null,
    ...messages,
    needs: { topic: 'mail' },
    deployedOnly:
      "goes through AWS SNS, for which the notifier must be deployed. From this machine, use { kind: 'smtp', to: ['…'] } with messages.relay.",
  }),
  smtp: declare({
    fields: {
      to: z
        .array(mailAddress, { error: 'a list of e-mail addresses' })
        .min(1, { error: 'at least one address' }),
    },
    receiver: ({ to }) => to.join(','),
    secret: null,
    ...messages,
    needs: { relay: true },
    deployedOnly: null,
    // A server may refuse one address, whose mail alone is to be sent again.
    apart: ({ to }) => to.map((address) => ({ to: [address] })),
  }),
  slack: declare(webhook),
  'slack-bot': declare({
    ...messages,
    ...overNetwork,
    fields: {
      bot: secretEntry,
      channel: placeId(/^[CGD][A-Z0-9]{6,20}$/, 'the id of a Slack channel, such as C0123456789'),
    },
    receiver: ({ bot, channel }) => `${bot}:${channel}`,
    secret: { entry: ({ bot }) => bot, read: 'token' },
  }),
  teams: declare(webhook),
  mattermost: declare(webhook),
  'google-chat': declare(webhook),
  webex: declare({
    ...messages,
    ...overNetwork,
    fields: {
      bot: secretEntry,
      room: placeId(/^[\w+/=-]{20,200}$/, 'the id of a Webex space, such as Y2lzY29zcGFyazovL3VzL1JPT00v'),
    },
    receiver: ({ bot, room }) => `${bot}:${room}`,
    secret: { entry: ({ bot }) => bot, read: 'token' },
  }),
  'amazon-q': declare({
    fields: {},
    receiver: null,
    secret: null,
    ...messages,
    needs: { topic: 'chat' },
    deployedOnly:
      "listens to an AWS SNS topic, for which the notifier must be deployed. From this machine, use 'slack' or 'teams'.",
  }),
  webhook: declare({ ...webhook, takes: 'events' }),
  atom: declare({
    fields: {},
    receiver: null,
    secret: null,
    ...messages,
    needs: { feeds: true },
    deployedOnly: null,
  }),
} as const;

type AllSettings = typeof channelSettings;

/** The name of a kind of channel in the settings. */
export type ChannelKind = keyof AllSettings;

/** The fields of the settings of a channel of one kind, as they are written. */
export type ChannelInput<Kind extends ChannelKind> = {
  readonly [Name in keyof AllSettings[Kind]['fields']]: z.input<AllSettings[Kind]['fields'][Name]>;
};

/** Where messages go: a channel of one kind, and what it may show of people. */
export type ChannelOf<Kind extends ChannelKind> = {
  readonly kind: Kind;
  readonly privacy: Privacy;
} & Values<AllSettings[Kind]['fields']>;

/** What the declaration of a kind says that it needs. */
export type NeedsOf<Kind extends ChannelKind> = AllSettings[Kind]['needs'];

/** The kinds of channel whose settings have a field of that name. */
export type KindWith<Field extends string> = {
  [Kind in ChannelKind]: Field extends keyof AllSettings[Kind]['fields'] ? Kind : never;
}[ChannelKind];

/** Where messages go. */
export type Channel = { readonly [Kind in ChannelKind]: ChannelOf<Kind> }[ChannelKind];

export const channelKinds = Object.keys(channelSettings) as readonly ChannelKind[];

/** The settings of the kind of a channel, as they apply to any channel. */
export const settingsOf = (kind: ChannelKind): ChannelSettings<Fields> =>
  channelSettings[kind] as unknown as ChannelSettings<Fields>;

/** An id of a channel within its subscription; it stays the same when the order of the channels changes. */
export function channelId(channel: Channel): string {
  const { receiver } = settingsOf(channel.kind);
  return receiver === null ? channel.kind : `${channel.kind}:${receiver(channel)}`;
}

/** One channel for each receiver: where one fails, its message alone is sent again. */
export const byReceiver = (channels: readonly Channel[]): readonly Channel[] =>
  channels.flatMap((channel): readonly Channel[] => {
    const parts = settingsOf(channel.kind).apart?.(channel) ?? [channel];
    return parts.map((part) => ({ ...channel, ...part }) as Channel);
  });

/** The addresses that get mail through a topic of SNS. */
export const addressesByTopic = (channels: readonly Channel[]): readonly string[] =>
  channels.flatMap((channel) => {
    const { needs, receiver } = settingsOf(channel.kind);
    return needs.topic === 'mail' && receiver !== null ? [receiver(channel)] : [];
  });

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
