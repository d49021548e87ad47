import * as z from 'zod';
import {
  defaultOverlapMinutes,
  defaultSameChangePercent,
  defaultShrunkenPercent,
} from '../lambdas/functions/settings.ts';
import { panelStateFields } from '../lambdas/panels/settings.ts';
import { longestOverlapMinutes } from '../lambdas/store/overlap.ts';
import { addressSchema } from '../page/sign-in/access-settings.ts';
import {
  alsoWithErrors,
  group,
  keyed,
  number,
  secretKeySchema,
  secretSchema,
  text,
  url,
  wholeNumber,
} from './setting-kinds.ts';
import { hasChannels, type Subscription } from './subscription-settings.ts';

const expires = z.iso
  .date({ error: "the day on which the credential expires, such as '2027-03-31'" })
  .optional();

/** How the notifier authenticates: not at all, by a fixed Authorization header, or by a bearer token. */
const access = z
  .discriminatedUnion(
    'kind',
    [
      group({ kind: z.literal('none') }),
      group({
        kind: z.literal('header'),
        secret: secretSchema,
        secretKey: secretKeySchema,
        credentialExpires: expires,
      }),
      group({
        kind: z.literal('client-credentials'),
        secret: secretSchema,
        secretKey: secretKeySchema,
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

/** The times that the functions accept (lambdas/run/instant.ts). */
export const years = { first: new Date('2000-01-01T00:00:00Z'), last: new Date('2100-01-01T00:00:00Z') };

/** A time from the year 2000 to `now`. */
const timePast = (now: Date) =>
  z.iso
    .datetime({ offset: true, error: "a time with its zone, such as '2026-11-01T00:00:00Z'" })
    .refine((time) => !(new Date(time) < years.first || new Date(time) > now), {
      error: 'a past time of the year 2000 or later; with a future one nothing would be published until then',
    });

/**
 * One catalogue: its `/api/v1/` address, the access to it and its pace.
 * @param now the latest time that `from` may have
 */
export const catalogueAt = (now: Date) =>
  group({
    base: url,
    /** The address of the catalogue that `base` relays: its events have the source and the ids that they have there. */
    original: url.optional(),
    /** The address before the catalogue moved: its mark goes on at `base`. */
    movedFrom: url.optional(),
    access,
    pollEveryMinutes: wholeNumber(1, 60).default(5),
    /** The scheduler starts a poll at any moment of this window, so that many readers do not call at once. */
    startWithinMinutes: wholeNumber(1, 59).optional(),
    /** How far each poll reads back before its mark; longer than the catalogue's longest import. */
    overlapMinutes: wholeNumber(1, longestOverlapMinutes).default(defaultOverlapMinutes),
    /** How often the listings of panels and regions are compared. */
    sweepEveryMinutes: wholeNumber(15, 1440).default(60),
    /** A listing that lost more of its panels or regions than this is not trusted. */
    shrunkenListingPercent: number(0, 100).default(defaultShrunkenPercent),
    /** Where more of the panels have the same kind of change without a row, it waits for a sweep an hour later. */
    sameChangePercent: number(0, 100).default(defaultSameChangePercent),
    /** How often states of panels are read and proven, where it is deployed. */
    proveEveryMinutes: wholeNumber(15, 1440).default(15),
    /** How the states of panels are read and kept. */
    states: group(panelStateFields).prefault({}),
    /**
     * The catalogues of the same stage that it is compared with, and how: what becomes green in one of the two alone is published as an
     * event about a panel of this catalogue.
     */
    comparedWith: keyed(
      text(/^[a-z][a-z0-9-]*$/, 'the name of a catalogue of the same stage'),
      group({
        /** A CSV file of panels that belong together, as `compare --propose-pairs` makes one; without it, names and genes decide. */
        pairs: text(/^\S(.*\S)?\.csv$/, "the path of a CSV file, such as 'pairs.csv'").optional(),
      }),
    ).default({}),
    /** Where the very first poll starts; without it at the catalogue's newest row. */
    from: timePast(now).optional(),
  }).refine(({ startWithinMinutes = 0, pollEveryMinutes }) => startWithinMinutes < pollEveryMinutes, {
    path: ['startWithinMinutes'],
    error: 'fewer minutes than pollEveryMinutes',
  });

export const accountId = text(/^\d{12}$/, "an AWS account's twelve digits, as text");

/** As many as the policy of a bus takes, with room for statements of others. */
const MOST_ACCOUNTS = 100;

/** The accounts that may subscribe to the topics of events themselves. */
export const shareSchema = group({
  accounts: z
    .array(accountId, { error: "a list of AWS accounts, such as ['210987654321']" })
    .min(1, { error: 'at least one account' })
    .max(MOST_ACCOUNTS, { error: `at most ${MOST_ACCOUNTS} accounts; organisation admits more` })
    .optional(),
  /** All accounts of an organisation of AWS Organizations. */
  organisation: text(/^o-[a-z0-9]{10,32}$/, "the id of an organisation, such as 'o-a1b2c3d4e5'").optional(),
}).refine(({ accounts, organisation }) => accounts !== undefined || organisation !== undefined, {
  ...alsoWithErrors,
  error: 'accounts, organisation or both',
});

export type Share = z.output<typeof shareSchema>;

/** Who may subscribe, such as "the accounts 1 and 2 and those of the organisation o-3". */
export function sharedWith({ accounts = [], organisation }: Share): string {
  const named = `the account${accounts.length === 1 ? '' : 's'} ${accounts.join(', ')}`;
  return [
    ...(accounts.length > 0 ? [named] : []),
    ...(organisation === undefined ? [] : [`every account of the organisation ${organisation}`]),
  ].join(' and ');
}

/**
 * The queues of subscriptions that are not in the account of the topics, by the name of the subscription. SNS subscribes such a
 * queue only once somebody there agrees; until then it drops what it publishes.
 * @param account undefined where it is unknown; then every queue may be one of another account
 */
export const queuesElsewhere = (
  subscriptions: Readonly<Record<string, Subscription>>,
  account: string | undefined,
): readonly (readonly [name: string, queue: string])[] =>
  Object.entries(subscriptions).flatMap(([name, subscription]) => {
    const queue = hasChannels(subscription) ? undefined : subscription.queue;
    return queue === undefined || queue.split(':')[4] === account ? [] : [[name, queue] as const];
  });

/** What the owner of such a queue must do. */
export function confirmationOf(queue: string, account: string | undefined): string {
  const where = account === undefined ? `If the stack is not in account ${queue.split(':')[4]}, the` : 'The';
  return `${where} owner of ${queue} must confirm the subscription: the queue gets a message with a SubscribeURL for each topic, if its policy lets SNS send. It gets no event before that. docs/deploying.md, "Queues of another account", has the commands`;
}

/** The relay as files, in a bucket: what the catalogues answer, for tools that read them. */
export const relaySchema = group({
  /** Where the bucket is served, for the addresses in the answers. */
  address: addressSchema,
  /** The catalogues that are relayed; where absent, those that are open to everybody. */
  catalogues: z
    .array(z.string(), { error: 'a list of catalogues' })
    .min(1, { error: 'at least one catalogue' })
    .optional(),
  /** The secret with the private Ed25519 key that signs the files. */
  secret: secretSchema,
  secretKey: secretKeySchema,
  /** Whether the ended versions of each panel are files, too. */
  versions: z.boolean({ error: 'true or false' }).default(true),
  /** A distribution of CloudFront that may read the bucket, beside who may in the account. */
  distribution: text(
    /^arn:aws[a-z-]*:cloudfront::\d{12}:distribution\/[A-Z0-9]+$/,
    "the ARN of a distribution of CloudFront, such as 'arn:aws:cloudfront::123456789012:distribution/E1A2B3C4D5E6F7'",
  ).optional(),
});

export type RelaySettings = z.output<typeof relaySchema>;

interface Relayed {
  readonly catalogues: Readonly<Record<string, { readonly access: { readonly kind: string } }>>;
  readonly relay?: RelaySettings | undefined;
}

/**
 * The catalogues whose answers are files. One that wants a credential is not among them by itself: whoever reads the bucket would need
 * none.
 */
export function relayedCatalogues({ catalogues, relay }: Relayed): readonly string[] {
  const open = Object.entries(catalogues).flatMap(([name, { access }]) =>
    access.kind === 'none' ? [name] : [],
  );
  return relay?.catalogues ?? open;
}

/** What the relay of a stage writes, and who may read it, in sentences. */
export function readersOf(stage: Relayed, { address, distribution }: RelaySettings): string {
  const readers =
    distribution === undefined
      ? 'the account of the stack alone may read them'
      : `whoever is served by ${distribution} may read them`;
  return `What these catalogues answer is written as files each hour: ${relayedCatalogues(stage).join(', ')}. Their addresses begin with ${address}; ${readers}.`;
}

/** Reports a relayed catalogue outside the stage, and a relay of none. */
export function checkRelay(stage: Relayed, { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  if (!stage.relay) return;
  const known = Object.keys(stage.catalogues);
  for (const [place, name] of (stage.relay.catalogues ?? []).entries()) {
    if (known.includes(name)) continue;
    const message = `a catalogue of the same stage: ${known.join(', ')}`;
    addIssue({ code: 'custom', path: ['relay', 'catalogues', place], message });
  }
  if (relayedCatalogues(stage).length > 0) return;
  const message =
    'the catalogues to relay: each one of this stage needs a credential, so none is relayed unless it is named';
  addIssue({ code: 'custom', path: ['relay', 'catalogues'], message });
}
