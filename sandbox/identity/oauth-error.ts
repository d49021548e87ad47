/** An error of the token endpoint, with a number as Azure AD gives one (`AADSTS7000215`). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly status: number;
  readonly error: string;
  readonly number: number;

  constructor(
    error: string,
    number: number,
    message: string,
    status = error === 'invalid_client' ? 401 : 400,
  ) {
    super(message);
    this.error = error;
    this.number = number;
    this.status = status;
  }
}

/** The response for an error. A 401 names the scheme to use (RFC 6749, 5.2). */
export function errorResponse({ status, error, number, message }: OAuthError, now: number): Response {
  const body = {
    error,
    error_description: `AADSTS${number}: ${message}`,
    error_codes: [number],
    timestamp: new Date(now).toISOString(),
  };
  const headers = {
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Basic realm="token"' }),
  };
  return Response.json(body, { status, headers });
}
