/**
 * How client id and secret are written into the Basic header: `form` encodes each as RFC 6749 section 2.3.1
 * wants it, `raw` sends them as they are, for servers that do not decode.
 */
export type BasicStyle = 'form' | 'raw';

/**
 * The Basic header of the token request (interface specification, "Identity provider"). Text outside ASCII is
 * sent as UTF-8.
 */
export function basicHeader(clientId: string, clientSecret: string, style: BasicStyle): string {
  const encode = style === 'form' ? formEncode : (text: string) => text;
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

/**
 * application/x-www-form-urlencoded as RFC 6749 appendix B has it. What the form needs no escape for (letters,
 * digits and `*-._`) stays as it is, so that an ordinary id reads the same to a server that does not decode.
 */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
