import * as z from 'zod';
import { IdentityError } from './errors.ts';

/** A token and its lifetime. */
export interface Token {
  readonly value: string;
  /** Seconds from its issue, limited to one day. */
  readonly lifetime: number;
}

/** Seconds, where the response states no usable lifetime. Short, because a refused token costs only one retry. */
const UNSTATED_LIFETIME = 60;
/** Seconds. No token is kept longer, even where the response states more. */
const LONGEST_LIFETIME = 24 * 60 * 60;

const replySchema = z.lazy(() =>
  z.looseObject({
    token_type: z.string().regex(/^bearer$/i),
    /** Any text that a header can carry: RFC 6750 (2.1) allows less, but providers do not keep to it. */
    access_token: z.string().regex(/^[!-~]+$/),
    expires_in: z.unknown().optional(),
    expires_on: z.unknown().optional(),
    not_before: z.unknown().optional(),
  }),
);

/**
 * Reads the body of a token response. Source: docs/interfaces.md, "Token response".
 *
 * @throws {IdentityError} `TOKEN_WRONG`, quoting nothing of the body
 */
export function readTokenReply(reply: unknown, action: string): Token {
  const read = replySchema.safeParse(reply);
  if (read.success) return { value: read.data.access_token, lifetime: lifetimeOf(read.data) };
  const wrong = problems.find(({ path }) => read.error.issues.some((issue) => issue.path[0] === path));
  throw new IdentityError(
    'TOKEN_WRONG',
    action,
    `the response has ${wrong?.problem ?? 'a body that is not a JSON object'}`,
  );
}

const problems = [
  { path: 'access_token', problem: 'no access_token that a header can carry' },
  { path: 'token_type', problem: 'a token_type other than Bearer' },
];

/** Seconds: `expires_in`, else the difference between the server's two timestamps. */
function lifetimeOf({ expires_in, expires_on, not_before }: z.output<typeof replySchema>): number {
  const stated = [seconds(expires_in), seconds(expires_on) - seconds(not_before)].find((some) => some > 0);
  return Math.min(stated ?? UNSTATED_LIFETIME, LONGEST_LIFETIME);
}

/** The value of a number, or of a number written as text; NaN for anything else. */
function seconds(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
