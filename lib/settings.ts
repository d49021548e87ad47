import * as z from 'zod';
import { byReceiver, channelId, settingsOf } from '../lambdas/channels/channel-settings.ts';
import { kindOf } from '../lambdas/events/kinds.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { addressSchema, deployedSignInSchema } from '../page/sign-in/access-settings.ts';
import { accountId, catalogueAt, checkRelay, relaySchema, shareSchema, years } from './catalogue-settings.ts';
import {
  alsoWithErrors,
  group,
  ids,
  keyArn,
  keyed,
  number,
  pageUrl,
  proxyUrl,
  secretKeySchema,
  secretSchema,
  text,
  wholeNumber,
} from './setting-kinds.ts';
import {
  channelsOf,
  channelsSchema,
  hasChannels,
  type Subscription,
  subscriptionSchema,
  zoneSchema,
} from './subscription-settings.ts';
import { worklistSchema } from './worklist-settings.ts';

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
  secret: secretSchema,
  secretKey: secretKeySchema,
  /** The person that readers write to when they want other messages, or none; in the last lines of each message. */
  contact: text(
    /^(?=.{3,200}$)\S.*\S$/,
    "a person to write to, such as 'genomics-it@example.org'",
  ).optional(),
  /** The address of the laboratory's own page of changes, in the last lines of each message. */
  page: pageUrl.optional(),
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
  subnets: ids('subnet', 'a subnet', 16),
  /** By default the stack makes one that allows outgoing HTTPS and requests to the proxy. */
  securityGroups: ids('sg', 'a security group', 5).optional(),
  /** The proxy for requests to the catalogue and the identity provider. */
  proxy: proxyUrl.optional(),
  /** A PEM file with the authorities to trust besides those of Node: that of a proxy that inspects TLS. */
  certificates: text(/^.+\.(pem|crt|cer)$/, "the path of a PEM file, such as 'hospital-ca.pem'").optional(),
});

/** Of one resource. */
const MOST_TAGS = 50;

const tags = keyed(
  text(/^(?!aws:).{1,128}$/, "a tag's key"),
  text(/^.{0,256}$/, 'at most 256 characters'),
).refine((all) => Object.keys(all).length <= MOST_TAGS, {
  error: `at most ${MOST_TAGS} tags, as AWS allows`,
});
const filled = (all: object): boolean => Object.keys(all).length > 0;

const secretWanted =
  "'make' (the stack makes a secret for you to fill), the whole ARN of a secret, or 'none' for a client without one";

/** The page for a team, served by a function behind an HTTP API. */
const teamPageSchema = group({
  /** Who may read and who may decide; without it there is no page. */
  signIn: deployedSignInSchema,
  /** The secret of the page at the identity provider: a text alone. */
  clientSecret: z
    .string({ error: secretWanted })
    .refine((value) => value === 'none' || secretSchema.safeParse(value).success, { error: secretWanted })
    .default('make'),
  clientSecretKey: secretKeySchema,
  /** The page's address, where a domain name of the laboratory's leads to the API; that of the API where absent. */
  address: addressSchema.optional(),
  /** The readers' time zone. */
  zone: zoneSchema,
  /** Requests a second of all people together; API Gateway answers those beyond it with 429. */
  requestsPerSecond: wholeNumber(1, 1_000).default(20),
});

/** The settings of a run on one machine, `watch --config`; a deployment does not read them. */

const entryName = text(
  /^[a-z][a-z0-9-]{0,59}$/,
  'the name of a webhook or login that a channel or the relay gives, such as lab-slack',
);

/** Where the text of one webhook or login is: never in the settings themselves. */
const secretPlace = z.union(
  [
    group({
      variable: text(/^[A-Za-z_]\w*$/, "the name of an environment variable, such as 'LAB_SLACK'"),
    }),
    group({ file: text(/^\S(.*\S)?$/, 'the path of a file') }),
  ],
  { error: "{ variable: 'NAME' } or { file: 'path' }: the place of the secret, not the secret" },
);

const localSchema = group({
  /** The places of webhook addresses and logins; `CHANNEL_LAB_SLACK` in the environment for a `lab-slack` not named here. */
  secrets: keyed(entryName, secretPlace).default({}),
  /** The folder of Atom feeds, one file for each subscription. */
  feeds: text(/^\S(.*\S)?$/, 'the path of a folder').default('feeds'),
});

export type LocalSettings = z.output<typeof localSchema>;

const deploymentAt = (now: Date) => ({
  catalogues: keyed(name(16), catalogueAt(now)).refine(filled, { error: 'at least one catalogue' }),
  subscriptions: keyed(name(60), subscriptionSchema).default({}),
  messages: messages.prefault({}),
  operations: operations.prefault({}),
  alarms: alarms.prefault({}),
  /** A dashboard of CloudWatch: three dollars a month where the account has three others. */
  dashboard: z.boolean({ error: 'true or false' }).default(false),
  retention: retention.prefault({}),
  /** One execution of the account's quota for each function that reads a catalogue; a new account has too few. */
  reserveExecutions: z.boolean({ error: 'true or false' }).default(false),
  /** Writes every event to S3, for Athena; nothing is exported where absent. */
  export: exported.optional(),
  /** A bus of EventBridge that gets every event too: an ARN, or the name of a bus of the same account and region. */
  eventBus: text(
    /^(?:arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[A-Za-z0-9._-][A-Za-z0-9/._-]{0,255}$/,
    "the name of an event bus, such as 'default', or its ARN",
  ).optional(),
  /** Other accounts, which may subscribe to the topics of events, and make rules on the bus, themselves. */
  share: shareSchema.optional(),
  /** Keeps what people decide about each change that matters; nothing is decided where absent. */
  worklist: worklistSchema.optional(),
  /** The page for a team, on AWS; none is served where absent. */
  page: teamPageSchema.optional(),
  /** What the catalogues answer as signed files in a bucket; none are written where absent. */
  relay: relaySchema.optional(),
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
  /** The table of decisions of an earlier deployment, to continue with. */
  existingWorklistTable: text(/^[\w.-]{3,255}$/, 'the name of a DynamoDB table').optional(),
  /** The table of the page's people and audit log of an earlier deployment, to continue with. */
  existingPeopleTable: text(/^[\w.-]{3,255}$/, 'the name of a DynamoDB table').optional(),
});

/** The settings of the construct, for a stack of your own; it is checked without the present time. */
export const deploymentSchema = group({
  ...deploymentAt(years.last),
  /** Begins the names of topics, functions, alarms and metrics. */
  prefix: name(39),
}).superRefine(checkTogether);

/** One environment, deployed as one stack, such as production. */
const stageAt = (now: Date) =>
  group({
    ...deploymentAt(now),
    account: accountId.optional(),
    region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, "an AWS region, such as 'eu-west-2'").optional(),
    tags: tags.default({}),
    local: localSchema.prefault({}),
  })
    .refine(({ account, region }) => (account === undefined) === (region === undefined), {
      ...alsoWithErrors,
      path: ['account'],
      error: 'account and region together, or neither (the deployment then uses those of the deployer)',
    })
    .superRefine(checkTogether);

/** The whole settings file, checked at the time `now`: the name, and one entry for each stage. */
export const settingsSchemaAt = (now: Date) =>
  group({
    name: name(22).default('gene-panel-notifier'),
    stages: keyed(name(16), stageAt(now)).refine(filled, { error: 'at least one stage' }),
  });
/** The same, checked without the present time. */
export const settingsSchema = settingsSchemaAt(years.last);
type SettingsSchema = typeof settingsSchema;

/** A value that may be frozen, or written `as const`: nothing changes it. */
type Unchanged<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
    : Value;

/** The settings as written: what has a default may be left out. */
export type SettingsInput = Unchanged<z.input<SettingsSchema>>;
export type Settings = z.output<SettingsSchema>;
/** The settings of one stage, with every default filled in. */
export type Stage = Settings['stages'][string];
/** The properties of the construct as written. */
export type DeploymentInput = Unchanged<z.input<typeof deploymentSchema>>;
export type Deployment = z.output<typeof deploymentSchema>;
/** The settings of one catalogue of a deployment. */
export type Catalogue = Deployment['catalogues'][string];
/** The limits at which alarms go off. */
export type AlarmSettings = Deployment['alarms'];
/** Where the events are exported to, and how. */
export type ExportSettings = NonNullable<Deployment['export']>;

/** Adds types to a settings file: completion while writing, an error under a wrong key. */
export const defineSettings = (settings: SettingsInput): SettingsInput => settings;

interface Checked {
  readonly catalogues: Readonly<Record<string, { readonly comparedWith: object }>>;
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  readonly operations: { readonly channels: z.output<typeof channelsSchema> };
  readonly messages: { readonly relay?: unknown };
  readonly worklist?: { readonly filter: Filter } | undefined;
}

/** Reports what does not fit together in a stage. */
function checkTogether(
  stage: Checked & Parameters<typeof checkRelay>[0],
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  checkFilteredCatalogues(stage, context);
  checkCompared(stage, context);
  checkChannels(stage, context);
  checkRelay(stage, context);
}

/** Reports a channel that is given twice, SMTP without a mail server, and a webhook that would not get single events. */
function checkChannels(
  { subscriptions, operations, messages }: Checked,
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
      for (const id of byReceiver(channelsOf([channel])).map(channelId)) {
        if (seen.has(id))
          addIssue({ code: 'custom', path: at, message: `each channel once; ${id} is in the list already` });
        seen.add(id);
      }
      const { needs, takes } = settingsOf(kind);
      if (needs.relay && messages.relay === undefined) {
        addIssue({
          code: 'custom',
          path: at,
          message: 'messages.relay, the mail server, in the same stage',
        });
      }
      if (takes === 'events' && digest) {
        addIssue({
          code: 'custom',
          path: at,
          message: `a channel for people: a ${kind} gets single events, 'at once'`,
        });
      }
    }
  }
}

/**
 * Reports a comparison with a catalogue outside the stage, or with itself; and a subscription to disagreements where no catalogue is
 * compared: no event would ever come.
 */
function checkCompared(
  { catalogues, subscriptions }: Checked,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const compared = Object.entries(catalogues).flatMap(([name, { comparedWith }]) =>
    Object.keys(comparedWith).map((other) => [name, other] as const),
  );
  for (const [name, other] of compared) {
    if (other !== name && Object.hasOwn(catalogues, other)) continue;
    const others = Object.keys(catalogues).filter((each) => each !== name);
    const message = `another catalogue of the same stage: ${others.join(', ') || 'there is none'}`;
    addIssue({ code: 'custom', path: ['catalogues', name, 'comparedWith', other], message });
  }
  if (compared.length > 0) return;
  const kind = 'entity.disagreement';
  for (const [name, subscription] of Object.entries(subscriptions)) {
    const { topics = [], types = [] } = hasChannels(subscription)
      ? subscription.filter
      : { topics: subscription.topics };
    const key = topics.includes('disagreements') ? 'topics' : 'types';
    if (key === 'types' && !types.some((type) => kindOf(type) === kind || type === kind)) continue;
    const path = ['subscriptions', name, ...(hasChannels(subscription) ? ['filter'] : []), key];
    const message = 'catalogues.<name>.comparedWith in the same stage: without it, nothing is compared';
    addIssue({ code: 'custom', path, message });
  }
}

/** Reports a filter that names a catalogue outside the stage: no event could pass it. */
function checkFilteredCatalogues(
  { catalogues, subscriptions, worklist }: Checked,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const known = Object.keys(catalogues);
  const check = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'string' || known.includes(value)) return;
    addIssue({ code: 'custom', path, message: `a catalogue of the same stage: ${known.join(', ')}` });
  };
  for (const [place, value] of (worklist?.filter.catalogues ?? []).entries())
    check(value, ['worklist', 'filter', 'catalogues', place]);
  for (const [name, subscription] of Object.entries(subscriptions)) {
    const key = hasChannels(subscription) ? 'catalogues' : 'catalogue';
    const named = hasChannels(subscription) ? subscription.filter.catalogues : subscription.filter.catalogue;
    for (const [place, value] of (named ?? []).entries())
      check(value, ['subscriptions', name, 'filter', key, place]);
  }
}
