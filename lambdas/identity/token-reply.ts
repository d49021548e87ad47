import * as z from 'zod';
import { IdentityError } from './errors.ts';

/** A token, and how long it may be used. */
export interface Token {
  readonly value: string;
  /** Seconds from its issue; what the server says, within bounds. */
  readonly lifetime: number;
}

/** Where the reply states no usable lifetime: short, as an API that refuses the token costs one repeat. */
const UNSTATED_LIFETIME = 60;
/** No token is kept for longer than a day, whatever the reply says. */
const LONGEST_LIFETIME = 24 * 60 * 60;

const replySchema = z.looseObject({
  token_type: z.string().regex(/^bearer$/i),
  /** What a header can carry (RFC 6750, 2.1 is narrower, and not kept to). */
  access_token: z.string().regex(/^[!-~]+$/),
  expires_in: z.unknown().optional(),
  expires_on: z.unknown().optional(),
  not_before: z.unknown().optional(),
});

/**
 * Reads the token response (interface specification, "Authentication token response"). Fails with an
 * `IdentityError` (`TOKEN_WRONG`) that quotes nothing of it.
 */
export function readTokenReply(reply: unknown, action: string): Token {
  const read = replySchema.safeParse(reply);
  if (read.success) return { value: read.data.access_token, lifetime: lifetimeOf(read.data) };
  const seen = wrongFields.find(({ path }) => read.error.issues.some((issue) => issue.path[0] === path));
  throw new IdentityError('TOKEN_WRONG', action, `the answer has ${seen?.says ?? 'no JSON object'}`);
}

const wrongFields = [
  { path: 'access_token', says: 'no access_token that a header can carry' },
  { path: 'token_type', says: 'another token_type than Bearer' },
];

/** Seconds; `expires_in` first, else the difference of the server's own two stamps. */
function lifetimeOf({ expires_in, expires_on, not_before }: z.output<typeof replySchema>): number {
  const stated = [seconds(expires_in), seconds(expires_on) - seconds(not_before)].find((some) => some > 0);
  return Math.min(stated ?? UNSTATED_LIFETIME, LONGEST_LIFETIME);
}

/** A number, or a number as text; NaN for all else. */
function seconds(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
