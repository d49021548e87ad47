import { constants, createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../run/clock.ts';
import { IdentityError } from './secret.ts';

/** What a client authenticates with at the identity provider. Source: docs/interfaces.md, "Clients". */
export type Credential =
  | { readonly kind: 'secret'; readonly clientId: string; readonly clientSecret: string }
  | { readonly kind: 'certificate'; readonly clientId: string; readonly key: CertificateKey };

/** Text that is not empty, for the fields of a secret; the message follows the field's name. */
export const filledText = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'is not text') })
  .min(1, { error: 'is empty' });

/** The fields of a secret; other fields are ignored. No message may quote a value. */
const schema = z.lazy(() =>
  z.looseObject(
    {
      client_id: filledText,
      client_secret: filledText.optional(),
      private_key: filledText.optional(),
      certificate: filledText.optional(),
      algorithm: z.literal(assertionAlgorithms, { error: 'is neither PS256 nor RS256' }).default('PS256'),
    },
    { error: 'is not a JSON object' },
  ),
);

/**
 * Reads a credential from the text of a secret: `client_id` with `client_secret`, or with `private_key` and
 * `certificate`. `action` says what is being read, for messages.
 *
 * @throws {IdentityError} `SECRET_WRONG` or `CREDENTIAL_WRONG`, naming the field that is missing or wrong, never its value
 */
export function readCredential(text: string, action: string): Credential {
  const found = readKeys(text, schema, action);
  const { client_id: clientId, client_secret: clientSecret, private_key: privateKey, certificate } = found;
  if (clientSecret !== undefined && privateKey === undefined)
    return { kind: 'secret', clientId, clientSecret };
  if (privateKey !== undefined && certificate !== undefined && clientSecret === undefined) {
    const { algorithm } = found;
    return {
      kind: 'certificate',
      clientId,
      key: readCertificateKey(action, { privateKey, certificate, algorithm }),
    };
  }
  const seen =
    clientSecret !== undefined
      ? 'it has both client_secret and private_key, expected one of them'
      : privateKey !== undefined
        ? 'certificate is missing beside private_key'
        : 'client_secret is missing (or private_key and certificate in its place)';
  throw new IdentityError('SECRET_WRONG', action, seen);
}

/**
 * Reads the fields of a secret that is a JSON object.
 *
 * @throws {IdentityError} `SECRET_WRONG`
 */
export function readKeys<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  action: string,
): z.output<Schema> {
  const found = schema.safeParse(parseJson(text, action));
  if (found.success) return found.data;
  const seen = found.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`);
  throw new IdentityError('SECRET_WRONG', action, seen.join(', '));
}

function parseJson(text: string, action: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the text, so it is not kept as the cause.
    throw new IdentityError('SECRET_WRONG', action, 'it is not JSON');
  }
}

/** The signature of an assertion. Older tenants know only RS256. */
export const assertionAlgorithms = ['PS256', 'RS256'] as const;
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];

/** A certificate with its key, used in place of the shared secret. Source: docs/interfaces.md, "Clients". */
interface CertificateKey {
  readonly privateKey: KeyObject;
  readonly certificate: X509Certificate;
  readonly algorithm: AssertionAlgorithm;
}

/** The shortest RSA key that RFC 7518 (3.3) allows. */
const LEAST_BITS = 2048;

/**
 * Reads a private key and its certificate, both PEM.
 *
 * @throws {IdentityError} `CREDENTIAL_WRONG`, naming the part that is wrong and quoting nothing of it
 */
function readCertificateKey(
  action: string,
  {
    privateKey,
    certificate,
    algorithm,
  }: Record<'privateKey' | 'certificate', string> & Pick<CertificateKey, 'algorithm'>,
): CertificateKey {
  const wrong = (seen: string): IdentityError => new IdentityError('CREDENTIAL_WRONG', action, seen);
  // OpenSSL's own errors do not help, and might quote the key.
  const read = <Part>(part: string, parse: () => Part): Part => {
    try {
      return parse();
    } catch {
      throw wrong(`${part} is not readable PEM (a key with a passphrase is not readable)`);
    }
  };
  const key = {
    privateKey: read('private_key', () => createPrivateKey(privateKey)),
    certificate: read('certificate', () => new X509Certificate(certificate)),
    algorithm,
  };
  const bits = key.privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.privateKey.asymmetricKeyType !== 'rsa' || bits < LEAST_BITS) {
    throw wrong(`private_key is not an RSA key of at least ${LEAST_BITS} bits`);
  }
  if (!key.certificate.checkPrivateKey(key.privateKey)) {
    throw wrong('private_key and certificate do not belong together');
  }
  return key;
}

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
