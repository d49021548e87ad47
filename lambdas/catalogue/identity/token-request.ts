import { constants, createHash, sign } from 'node:crypto';
import type { Clock } from '../../run/clock.ts';
import type { CertificateKey, Credential } from './credential.ts';

interface Assertion {
  readonly clientId: string;
  readonly key: CertificateKey;
  readonly audience: string;
  readonly clock: Clock;
}

/** Allows for a clock that is some minutes wrong, and makes a stolen assertion worthless soon. */
const LIFETIME_SECONDS = 300;

/**
 * A signed JWT that identifies the client, for one token request (RFC 7523, private_key_jwt). Its header names the
 * certificate by thumbprint: SHA-256 with PS256; SHA-1 with RS256, which is what older tenants look up.
 */
function clientAssertion({ clientId, key, audience, clock }: Assertion): string {
  const now = Math.floor(clock.now() / 1000);
  const claims = {
    aud: audience,
    iss: clientId,
    sub: clientId,
    jti: uniqueId(clock),
    iat: now,
    nbf: now,
    exp: now + LIFETIME_SECONDS,
  };
  const signed = `${part(header(key))}.${part(claims)}`;
  const padding = key.algorithm === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, padding, saltLength });
  return `${signed}.${signature.toString('base64url')}`;
}

function header({ algorithm, certificate }: CertificateKey): Readonly<Record<string, string>> {
  const thumbprint = (hash: string): string => createHash(hash).update(certificate.raw).digest('base64url');
  return algorithm === 'PS256'
    ? { alg: algorithm, typ: 'JWT', 'x5t#S256': thumbprint('sha256') }
    : { alg: algorithm, typ: 'JWT', x5t: thumbprint('sha1') };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** 128 bits. They need to be unique only, not secret. */
function uniqueId({ random }: Clock): string {
  const words = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32));
  return words.map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The configurable parts of a token request. */
export interface GrantSettings {
  readonly basic: BasicStyle;
  /** The resource that the token is for, where the tenant requires one. */
  readonly resource?: string | undefined;
  readonly scope?: string | undefined;
}

interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface TokenRequestOptions {
  readonly settings: GrantSettings;
  readonly endpoint: string;
  readonly clock: Clock;
}

/**
 * Builds a token request of the client credentials grant: a Basic header and the form field `grant_type`, with resource
 * and scope where they are set. With a certificate, form fields with a signed assertion replace the header. A request
 * may be sent once. Source: docs/interfaces.md, "Token request".
 */
export function tokenRequest(
  credential: Credential,
  { settings, endpoint, clock }: TokenRequestOptions,
): TokenRequest {
  const { basic, resource, scope } = settings;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'cache-control': 'no-cache',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { clientId } = credential;
  if (credential.kind === 'secret') {
    headers.authorization = basicHeader(clientId, credential.clientSecret, basic);
  } else {
    form.set('client_id', clientId);
    form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    form.set(
      'client_assertion',
      clientAssertion({ clientId, key: credential.key, audience: endpoint, clock }),
    );
  }
  return { headers, body: form.toString() };
}

/**
 * How client id and secret are written into the Basic header: `raw` unchanged, `form` each percent-encoded before they
 * are joined (RFC 6749, 2.3.1).
 */
export type BasicStyle = 'raw' | 'form';

/** The Basic header of the token request. Non-ASCII text is sent as UTF-8. Source: docs/interfaces.md, "Token request". */
function basicHeader(clientId: string, clientSecret: string, style: BasicStyle): string {
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
