import * as z from 'zod';
import { addressSchema, deployedSignInSchema } from '../page/sign-in/access-settings.ts';
import { zoneSchema } from './message-subscription-settings.ts';
import { secretKeySchema, secretSchema } from './secret-settings.ts';
import { group, wholeNumber } from './setting-kinds.ts';

const secretWanted =
  "'make' (the stack makes a secret for you to fill), the whole ARN of a secret, or 'none' for a client without one";

/** The page for a team, served by a function behind an HTTP API. */
export const teamPageSchema = group({
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
