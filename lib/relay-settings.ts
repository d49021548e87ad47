import * as z from 'zod';
import { addressSchema } from '../page/sign-in/access-settings.ts';
import { group, secretKeySchema, secretSchema, text } from './setting-kinds.ts';

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
