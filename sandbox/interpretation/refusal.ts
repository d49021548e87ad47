/** Why a caller was not let in (RFC 6750, 3.1). */
export type RefusalError = 'invalid_token' | 'insufficient_scope';

/**
 * The answer to a caller who is not let in: 401 where another token may help, 403 where none will. It says by
 * which scheme to come, and why; without any token only the scheme.
 */
export function refusal(realm: string, error?: RefusalError, why = 'A bearer token is wanted'): Response {
  const told = error === undefined ? '' : `, error="${error}", error_description="${why}"`;
  const headers = { 'www-authenticate': `Bearer realm="${realm}"${told}` };
  return Response.json({ detail: why }, { status: error === 'insufficient_scope' ? 403 : 401, headers });
}
