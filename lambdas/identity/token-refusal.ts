import * as z from 'zod';
import type { Answer } from '../http/answer.ts';
import { IdentityError } from './errors.ts';

const refusalSchema = z.looseObject({ error: z.string(), error_description: z.unknown().optional() });

/** The error codes of RFC 6749 (5.2) and those that identity providers add. No other text is repeated. */
const knownErrors: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_resource',
  'invalid_target',
  'access_denied',
  'interaction_required',
  'temporarily_unavailable',
  'server_error',
]);

/**
 * The error that an answer of the token endpoint states, or null where it states none. A description may
 * repeat what was sent, so only its AADSTS number is shown.
 */
export function tokenRefusal(answer: Answer, body: unknown, action: string): IdentityError | null {
  const refusal = refusalSchema.safeParse(body);
  if (!refusal.success && answer.status !== 401) return null;
  const { error, error_description: description } = refusal.data ?? { error: 'no error code' };
  const number = /\bAADSTS\d{1,10}\b/.exec(String(description))?.[0];
  const known = knownErrors.has(error) || !refusal.success ? error : 'an error code that is not known';
  const seen = `the answer is HTTP ${answer.status} with ${known}${number ? ` (${number})` : ''}`;
  const code = error === 'invalid_client' || answer.status === 401 ? 'CREDENTIAL_REFUSED' : 'TOKEN_REFUSED';
  return new IdentityError(code, action, seen);
}
