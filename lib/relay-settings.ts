import * as z from 'zod';
import { addressSchema } from '../page/sign-in/access-settings.ts';
import { group, secretKeySchema, secretSchema, text } from './setting-kinds.ts';

/** The relay as files, in a bucket: what the catalogues answer, for tools that read them. */
export const relaySchema = group({
  /** Where the bucket is served, for the addresses in the answers. */
  address: addressSchema,
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
