/**
 * How client id and secret are written into the Basic header: `raw` unchanged, `form` each percent-encoded before they
 * are joined (RFC 6749, 2.3.1).
 */
export type BasicStyle = 'raw' | 'form';

/** The Basic header of the token request. Non-ASCII text is sent as UTF-8. Source: docs/interfaces.md, "Token request". */
export function basicHeader(clientId: string, clientSecret: string, style: BasicStyle): string {
  const encode = style === 'form' ? formEncode : (text: string) => text;
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

/** Whether the two styles give different headers: they agree for letters, digits and `*-._`. */
export const stylesDiffer = (clientId: string, clientSecret: string): boolean =>
  basicHeader(clientId, clientSecret, 'raw') !== basicHeader(clientId, clientSecret, 'form');

/**
 * application/x-www-form-urlencoded as in RFC 6749, appendix B. Letters, digits and `*-._` stay unchanged, so that an
 * ordinary id reads the same to a server that does not decode.
 */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
