import * as z from 'zod';
import { addressSchema } from '../page/sign-in/access-settings.ts';
import { alsoWithErrors, group, secretKeySchema, secretSchema, text } from './setting-kinds.ts';
import { hasChannels, type Subscription } from './subscription-settings.ts';

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
