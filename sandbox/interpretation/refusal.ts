/** The error codes of RFC 6750 (3.1). */
type RefusalError = 'invalid_token' | 'insufficient_scope';

/**
 * The response to a caller that is refused: 401 where another token may help, 403 where none will. It names the scheme to
 * use, and the reason where a token was sent.
 */
export function refusal(
  realm: string,
  error?: RefusalError,
  reason = 'A bearer token is required',
): Response {
  const details = error === undefined ? '' : `, error="${error}", error_description="${reason}"`;
  const headers = { 'www-authenticate': `Bearer realm="${realm}"${details}` };
  return Response.json({ detail: reason }, { status: error === 'insufficient_scope' ? 403 : 401, headers });
}
