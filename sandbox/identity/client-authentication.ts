import { createHash, X509Certificate } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { Client, Directory, Tenant } from './accounts.ts';

/**
 * How the server reads the Basic header: `raw` takes client id and secret as they are, `form` percent-decodes them,
 * `both` accepts either.
 */
export const basicReadings = ['both', 'raw', 'form'] as const;
export type BasicReading = (typeof basicReadings)[number];

/** Whether client id and secret are accepted as form fields. The interface calls them unreliable. */
export type SecretInBody = 'refused' | 'accepted';

interface AuthenticationContext extends AssertionContext {
  readonly basic: BasicReading;
  readonly secretInBody: SecretInBody;
}

/** Client authentication as the claim `appidacr` states it: 1 by shared secret, 2 by certificate. */
export type AppAuthentication = '1' | '2';

interface Authenticated {
  readonly client: Client;
  readonly authentication: AppAuthentication;
}

/**
 * Authenticates the client of a token request by Basic header or by certificate. Client id and secret as form fields are
 * refused, because they are unreliable, unless the provider is set to accept them. Source: docs/interfaces.md, "Token request" and "Clients".
 *
 * @throws {OAuthError} when the client is unknown, its credential is wrong, or it has not completed onboarding
 */
export async function authenticateClient(
  authorization: string | null,
  form: ReadonlyMap<string, string>,
  context: AuthenticationContext,
): Promise<Authenticated> {
  const inBody = secretOf(form);
  if (inBody !== null && context.secretInBody === 'refused') {
    const message = 'client_id and client_secret as form fields are unreliable; use the Basic header';
    throw new OAuthError('invalid_request', 9000001, message);
  }
  const assertion = form.get('client_assertion');
  if (assertion !== undefined) {
    if (authorization !== null) throw new OAuthError('invalid_request', 9000002, 'Two credentials were sent');
    const client = await readAssertion(assertion, form, context);
    return { client: onboarded(client), authentication: '2' };
  }
  if (inBody !== null && authorization !== null)
    throw new OAuthError('invalid_request', 9000002, 'Two credentials were sent');
  if (authorization === null && inBody === null)
    throw new OAuthError('invalid_client', 7000216, 'No client credential was sent');
  const sent = inBody === null ? readBasic(authorization ?? '', context.basic) : [inBody];
  const candidates = sent.flatMap(({ id, secret }) => {
    const client = context.directory.client(context.tenant.id, id);
    return client ? [{ client, secret }] : [];
  });
  if (candidates.length === 0) {
    throw new OAuthError('unauthorized_client', 700016, 'This tenant has no such application');
  }
  const match = candidates.find(({ client, secret }) => client.secrets.includes(secret));
  if (!match) throw new OAuthError('invalid_client', 7000215, 'The client secret is wrong');
  return { client: onboarded(match.client), authentication: '1' };
}

function onboarded(client: Client): Client {
  if (client.onboarded) return client;
  throw new OAuthError('unauthorized_client', 7000112, 'The application has not completed onboarding');
}

interface BasicPair {
  readonly id: string;
  readonly secret: string;
}

/** Client id and secret as form fields; null where there is no secret. */
function secretOf(form: ReadonlyMap<string, string>): BasicPair | null {
  const secret = form.get('client_secret');
  return secret === undefined ? null : { id: form.get('client_id') ?? '', secret };
}

/** What the header may mean: one pair, or two where both readings are allowed and possible. */
function readBasic(authorization: string, reading: BasicReading): readonly BasicPair[] {
  const [, encoded] = /^Basic +([\w+/-]+={0,2}) *$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0)
    throw new OAuthError('invalid_client', 7000217, 'The Authorization header is not a Basic credential');
  const raw: BasicPair = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  if (reading === 'raw') return [raw];
  const decoded = formDecode(raw);
  if (reading === 'both') return decoded ? [raw, decoded] : [raw];
  if (decoded) return [decoded];
  throw new OAuthError('invalid_client', 7000218, 'The Basic credential is not percent-encoded');
}

/** Null where the text is not percent-encoded. */
function formDecode({ id, secret }: BasicPair): BasicPair | null {
  const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
  try {
    return { id: decode(id), secret: decode(secret) };
  } catch {
    return null;
  }
}

/** What an assertion is checked against. */
interface AssertionContext {
  readonly directory: Directory;
  readonly tenant: Tenant;
  /** Audiences that an assertion may name. */
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The ids of the assertions used so far. */
  readonly usedAssertions: Set<string>;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Returns the client that a signed assertion authenticates (RFC 7523). It must be signed with the key of a registered
 * certificate that is valid now and named in the header by thumbprint, be addressed to this token endpoint, and be used
 * for the first time.
 *
 * @throws {OAuthError} `invalid_client` or `unauthorized_client`
 */
async function readAssertion(
  assertion: string,
  form: ReadonlyMap<string, string>,
  { directory, tenant, audiences, now, usedAssertions }: AssertionContext,
): Promise<Client> {
  if (form.get('client_assertion_type') !== ASSERTION_TYPE)
    throw refused('client_assertion_type is not jwt-bearer');
  const { header, subject } = decode(assertion);
  const client = directory.client(tenant.id, subject);
  if (!client) throw new OAuthError('unauthorized_client', 700016, 'This tenant has no such application');
  if (form.get('client_id') !== undefined && form.get('client_id') !== subject)
    throw refused('client_id differs');
  const certificate = client.certificates.map((pem) => new X509Certificate(pem)).find(namedBy(header));
  if (!certificate) throw refused('no registered certificate has the thumbprint of the header', 700027);
  if (now < certificate.validFromDate.getTime() || now > certificate.validToDate.getTime()) {
    throw refused('the certificate is not valid now', 7000214);
  }
  const { payload } = await jwtVerify(assertion, certificate.publicKey, {
    algorithms: [...tenant.assertionAlgorithms],
    audience: [...audiences],
    issuer: subject,
    subject,
    currentDate: new Date(now),
    clockTolerance: 300,
    requiredClaims: ['exp', 'jti'],
  }).catch((error: Error) => {
    throw refused(error.message, 700027);
  });
  const used = `${subject} ${payload.jti}`;
  if (usedAssertions.has(used)) throw refused('it was used before');
  usedAssertions.add(used);
  return client;
}

interface Decoded {
  readonly header: Readonly<Record<string, unknown>>;
  readonly subject: string;
}

function decode(assertion: string): Decoded {
  try {
    return { header: { ...decodeProtectedHeader(assertion) }, subject: String(decodeJwt(assertion).sub) };
  } catch {
    throw refused('it is not a signed JWT', 50027);
  }
}

/**
 * Matches a certificate that the header names by SHA-256, by SHA-1 as older clients do, or by a key id that is one of the
 * two. Base64 padding is accepted: Python's msal writes it.
 */
function namedBy(header: Decoded['header']): (certificate: X509Certificate) => boolean {
  return ({ raw }) => {
    const [sha256, sha1] = ['sha256', 'sha1'].map((hash) => createHash(hash).update(raw).digest('base64url'));
    const [x5t256, x5t, kid] = ['x5t#S256', 'x5t', 'kid'].map((name) => withoutPadding(header[name]));
    return x5t256 === sha256 || x5t === sha1 || kid === sha256 || kid === sha1;
  };
}

const withoutPadding = (value: unknown): string | null =>
  typeof value === 'string' ? value.replace(/=+$/, '') : null;

const refused = (why: string, number = 700023): OAuthError =>
  new OAuthError('invalid_client', number, `The client assertion is refused: ${why}`);

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
