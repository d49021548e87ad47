import * as z from 'zod';
import type { HttpResponse } from '../http/response.ts';
import { IdentityError } from './errors.ts';

const refusalSchema = z.lazy(() =>
  z.looseObject({ error: z.string(), error_description: z.unknown().optional() }),
);

/** The error codes of RFC 6749 (5.2) and those that identity providers add. Other text is never repeated. */
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
 * The error that a response of the token endpoint states, or null where it states none. Of a description only the
 * AADSTS number is shown, because the rest may repeat what was sent.
 */
export function tokenRefusal(response: HttpResponse, body: unknown, action: string): IdentityError | null {
  const refusal = refusalSchema.safeParse(body);
  if (!refusal.success && response.status !== 401) return null;
  const { error, error_description: description } = refusal.data ?? { error: 'no error code' };
  const number = /\bAADSTS\d{1,10}\b/.exec(String(description))?.[0];
  const known = knownErrors.has(error);
  const stated = known || !refusal.success ? error : 'an unknown error code';
  const seen = `the response is HTTP ${response.status} with ${stated}${number ? ` (${number})` : ''}`;
  const refused = error === 'invalid_client' || response.status === 401;
  return new IdentityError(refused ? 'CREDENTIAL_REFUSED' : 'TOKEN_REFUSED', action, seen, {
    ...(known && { oauthError: error }),
    ...hintFor(error),
  });
}

function hintFor(error: string): { readonly hint?: string } {
  if (error === 'invalid_resource' || error === 'invalid_target') {
    return { hint: 'The tenant does not know the resource (--resource, AUTH_RESOURCE).' };
  }
  if (error === 'invalid_scope') return { hint: 'The tenant does not know the scope (--scope, AUTH_SCOPE).' };
  return {};
}
