import * as z from 'zod';
import { channelId } from '../lambdas/notify/subscription.ts';
import { defaultOverlapMinutes } from '../lambdas/poll/settings.ts';
import { longestOverlapMinutes } from '../lambdas/state/overlap.ts';
import { defaultShrunkenPercent } from '../lambdas/sweep/settings.ts';
import { localSchema } from './local-settings.ts';
import { byAddress, channelsOf, channelsSchema, zoneSchema } from './message-subscription-settings.ts';
import {
  alsoWithErrors,
  group,
  ids,
  keyed,
  number,
  proxyUrl,
  text,
  url,
  wholeNumber,
} from './setting-kinds.ts';
import { hasChannels, subscriptionSchema } from './subscription-settings.ts';

/**
 * The settings of a deployment: which catalogues are read, how, who gets messages, and who gets alarms.
 * Credentials are never part of them; Secrets Manager keeps those.
 */

/** A name that becomes part of a function's name, for which AWS allows 64 characters. */
const name = (longest: number) =>
  text(
    new RegExp(`^[a-z][a-z0-9-]{0,${longest - 2}}[a-z0-9]$`),
    `2 to ${longest} lower-case letters, digits and hyphens, a letter first`,
  );

const secret = text(
  /^(make|arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6})$/,
  "'make' (the stack makes one for you to fill) or the whole ARN of a secret, its six characters at the end included",
).default('make');

const keyArn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;

/** The key of a secret of the laboratory's own, unless it is the key that AWS manages. */
const secretKey = text(keyArn, 'the ARN of the KMS key that encrypts the secret').optional();

const expires = z.iso
  .date({ error: "the day on which the credential expires, such as '2027-03-31'" })
  .optional();

/** How the notifier authenticates: not at all, by a fixed Authorization header, or by a bearer token. */
const access = z
  .discriminatedUnion(
    'kind',
    [
      group({ kind: z.literal('none') }),
      group({ kind: z.literal('header'), secret, secretKey, credentialExpires: expires }),
      group({
        kind: z.literal('client-credentials'),
        secret,
        secretKey,
        credentialExpires: expires,
        authUrl: url,
        tenantId: text(/^[\w.-]+$/, "the identity provider's tenant, one part of a path"),
        resource: text(/^\S+$/, 'text without spaces').optional(),
        scope: text(/^\S+( \S+)*$/, 'scopes with one space between them').optional(),
        // How id and secret are encoded in the Basic header; some servers do not decode them.
        basic: z.enum(['form', 'raw'], { error: "'form' or 'raw'" }).optional(),
      }),
    ],
    { error: "{ kind: 'none' }, { kind: 'header', … } or { kind: 'client-credentials', … }" },
  )
  .default({ kind: 'none' });

/** The times that the functions accept (`lambdas/position/instant.ts`). */
const years = { first: new Date('2000-01-01T00:00:00Z'), last: new Date('2100-01-01T00:00:00Z') };

/** A time from the year 2000 to `now`. */
const timePast = (now: Date) =>
  z.iso
    .datetime({ offset: true, error: "a time with its zone, such as '2026-11-01T00:00:00Z'" })
    .refine((time) => !(new Date(time) < years.first || new Date(time) > now), {
      error: 'a time that has come, of the year 2000 or later: until a later one nothing would be published',
    });

/** One catalogue: its `/api/v1/` address, the access to it and its pace. */
const catalogueAt = (now: Date) =>
  group({
    base: url,
    access,
    pollEveryMinutes: wholeNumber(1, 60).default(5),
    /** The scheduler starts a poll at any moment of this window, so that many readers do not call at once. */
    startWithinMinutes: wholeNumber(1, 59).optional(),
    /** How far each poll reads back behind its mark; longer than the catalogue's longest import. */
    overlapMinutes: wholeNumber(1, longestOverlapMinutes).default(defaultOverlapMinutes),
    /** How often the listings of panels and regions are compared. */
    sweepEveryMinutes: wholeNumber(15, 1440).default(60),
    /** A listing that lost more of its panels or regions than this is not trusted. */
    shrunkenListingPercent: number(0, 100).default(defaultShrunkenPercent),
    /** Where the very first poll starts; without it at the catalogue's newest row. */
    from: timePast(now).optional(),
  }).refine(({ startWithinMinutes = 0, pollEveryMinutes }) => startWithinMinutes < pollEveryMinutes, {
    path: ['startWithinMinutes'],
    error: 'fewer minutes than pollEveryMinutes',
  });

/** Who gets the alarms, and their thresholds. */
const alarms = group({
  email: z.email({ error: "an e-mail address, such as 'genomics-it@example.org'" }).optional(),
  /** Where the laboratory's people can read docs/runbook.md; each alarm's text links to its heading there. */
  runbook: text(/^\S+$/, 'the address of docs/runbook.md, without spaces').optional(),
  /** Polls in a row that may fail or not start. */
  silentPolls: wholeNumber(2, 24).default(3),
  lagMinutes: wholeNumber(1, 10_080).default(60),
  unclassifiedPercent: number(0, 100).default(5),
  shrunkenPercent: number(0, 100).default(10),
  eventsPerHour: wholeNumber(1, 1_000_000).default(2000),
  /** Days without a single new row; 7 is the longest that CloudWatch can look back. */
  quietDays: wholeNumber(1, 7).default(7),
  credentialDays: wholeNumber(1, 365).default(30),
});

/** How long logs, history and dead letters are kept; CloudWatch accepts only these numbers of days for logs. */
const retention = group({
  logDays: z
    .literal([7, 14, 30, 60, 90, 180, 365, 400, 731], {
      error: 'one of 7, 14, 30, 60, 90, 180, 365, 400 and 731 days',
    })
    .default(90),
  /** Days for which published events are kept in the history; for ever by default. */
  historyDays: wholeNumber(30, 3650).optional(),
  deadLetterDays: wholeNumber(1, 14).default(14),
});

/** Every event as a file in S3, one JSON object a line, by day of publication. */
const exported = group({
  /** How long events are collected before a file is written. */
  everyMinutes: wholeNumber(1, 15).default(5),
  /** Days for which the files are kept; for ever by default. */
  retentionDays: wholeNumber(30, 36_500).optional(),
});

/** The settings that all channels of messages share. */
const messages = group({
  /** Holds webhook addresses and passwords: one JSON object with an entry for each name that a channel gives. */
  secret,
  secretKey,
  /** The mail server of the `smtp` channels. */
  relay: group({
    host: text(/^[\w.-]+$/, 'the name of a mail server'),
    port: wholeNumber(1, 65_535).default(587),
    security: z
      .enum(['tls', 'starttls', 'none'], { error: "'tls', 'starttls' or 'none'" })
      .default('starttls'),
    from: text(
      /^(?:[^<>@\r\n]+ <)?[^\s<>@]+@[\w.-]+>?$/,
      "a sender, such as 'Gene panels <panels@example.org>'",
    ),
    /** The entry of the secret with `user` and `password`. */
    login: text(/^[a-z][a-z0-9-]{0,59}$/, 'the name of an entry in the secret of the channels').optional(),
  }).optional(),
});

/** Who gets messages about the notifier itself, in words. */
const operations = group({ zone: zoneSchema, channels: channelsSchema.default([]) });

/** The network that the functions run in. The requests to AWS go to the VPC's endpoints, not through the proxy. */
const network = group({
  vpc: text(/^vpc-[0-9a-f]+$/, "the id of a VPC, such as 'vpc-0a1b2c3d'"),
  subnets: ids('subnet', 'a subnet'),
  /** By default the stack makes one that allows outgoing HTTPS and requests to the proxy. */
  securityGroups: ids('sg', 'a security group').optional(),
  /** The proxy for requests to the catalogue and the identity provider. */
  proxy: proxyUrl.optional(),
});

const tags = keyed(text(/^(?!aws:).{1,128}$/, "a tag's key"), text(/^.{0,256}$/, 'at most 256 characters'));
const filled = (all: object): boolean => Object.keys(all).length > 0;

const deploymentAt = (now: Date) => ({
  catalogues: keyed(name(16), catalogueAt(now)).refine(filled, { error: 'at least one catalogue' }),
  subscriptions: keyed(name(60), subscriptionSchema).default({}),
  messages: messages.prefault({}),
  operations: operations.prefault({}),
  alarms: alarms.prefault({}),
  retention: retention.prefault({}),
  /** Writes every event to S3, for Athena; nothing is exported where absent. */
  export: exported.optional(),
  /** One key for table, topics, queues, logs, secrets and the functions' environment. */
  key: text(
    new RegExp(`^make$|${keyArn.source}`),
    "'make' (the stack makes one) or the ARN of a KMS key",
  ).optional(),
  network: network.optional(),
  /** The state table of an earlier deployment, to continue with. */
  existingTable: text(/^[\w.-]{3,255}$/, 'the name of a DynamoDB table').optional(),
  /** The history table of an earlier deployment, to continue with. */
  existingHistoryTable: text(/^[\w.-]{3,255}$/, 'the name of a DynamoDB table').optional(),
});

/** Reports a filter that names a catalogue outside the stage: no event could pass it. */
function checkFilteredCatalogues(
  { catalogues, subscriptions }: z.output<z.ZodObject<ReturnType<typeof deploymentAt>>>,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const known = Object.keys(catalogues);
  for (const [name, subscription] of Object.entries(subscriptions)) {
    const key = hasChannels(subscription) ? 'catalogues' : 'catalogue';
    const named = hasChannels(subscription) ? subscription.filter.catalogues : subscription.filter.catalogue;
    for (const [place, value] of (named ?? []).entries()) {
      if (typeof value !== 'string' || known.includes(value)) continue;
      const message = `a catalogue of the same stage: ${known.join(', ')}`;
      addIssue({ code: 'custom', path: ['subscriptions', name, 'filter', key, place], message });
    }
  }
}

/** Mail by SMTP needs a server, and a program's webhook takes events only. */
function checkChannels(
  { subscriptions, operations, messages }: z.output<z.ZodObject<ReturnType<typeof deploymentAt>>>,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const all = [
    ...Object.entries(subscriptions).map(([name, each]) => ({
      path: ['subscriptions', name],
      channels: hasChannels(each) ? each.channels : [],
      digest: hasChannels(each) && each.when !== 'at once',
    })),
    { path: ['operations'], channels: operations.channels, digest: true },
  ];
  for (const { path, channels, digest } of all) {
    const seen = new Set<string>();
    for (const [place, channel] of channels.entries()) {
      const { kind } = channel;
      const at = [...path, 'channels', place, 'kind'];
      for (const id of byAddress(channelsOf([channel])).map(channelId)) {
        if (seen.has(id))
          addIssue({ code: 'custom', path: at, message: `each channel once: ${id} is there already` });
        seen.add(id);
      }
      if (kind === 'smtp' && messages.relay === undefined) {
        addIssue({
          code: 'custom',
          path: at,
          message: 'messages.relay, the mail server of this stage, beside it',
        });
      }
      if (kind === 'webhook' && digest) {
        addIssue({
          code: 'custom',
          path: at,
          message: "a channel for people: a webhook gets single events, 'at once'",
        });
      }
    }
  }
}

/** The settings of the construct, for a stack of your own; it is checked without the present time. */
export const deploymentSchema = group({
  ...deploymentAt(years.last),
  /** Begins the names of topics, functions, alarms and metrics. */
  prefix: name(39),
})
  .superRefine(checkFilteredCatalogues)
  .superRefine(checkChannels);

/** One environment, deployed as one stack, such as production. */
const stageAt = (now: Date) =>
  group({
    ...deploymentAt(now),
    account: text(/^\d{12}$/, "an AWS account's twelve digits, as text").optional(),
    region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, "an AWS region, such as 'eu-west-2'").optional(),
    tags: tags.default({}),
    local: localSchema.prefault({}),
  })
    .refine(({ account, region }) => (account === undefined) === (region === undefined), {
      ...alsoWithErrors,
      path: ['account'],
      error: 'account and region together, or neither (the deployment then uses those of the deployer)',
    })
    .superRefine(checkFilteredCatalogues)
    .superRefine(checkChannels);

/** The whole settings file, checked at the time `now`: the name, and one entry for each stage. */
export const settingsSchemaAt = (now: Date) =>
  group({
    name: name(22).default('gene-panel-notifier'),
    stages: keyed(name(16), stageAt(now)).refine(filled, { error: 'at least one stage' }),
  });
type SettingsSchema = ReturnType<typeof settingsSchemaAt>;

/** The settings as written: what has a default may be left out. */
export type SettingsInput = z.input<SettingsSchema>;
export type Settings = z.output<SettingsSchema>;
/** The settings of one stage, with every default filled in. */
export type Stage = Settings['stages'][string];
export type DeploymentInput = z.input<typeof deploymentSchema>;
export type Deployment = z.output<typeof deploymentSchema>;
/** The settings of one catalogue of a deployment. */
export type Catalogue = Deployment['catalogues'][string];
/** The limits at which alarms go off. */
export type AlarmSettings = Deployment['alarms'];
/** Where the events are exported to, and how. */
export type ExportSettings = NonNullable<Deployment['export']>;

/** Gives a settings file its types: completion while writing, an error under a wrong key. */
export const defineSettings = (settings: SettingsInput): SettingsInput => settings;
