import { createHash, X509Certificate } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { OAuthError } from './oauth-error.ts';
import type { Client, Directory, Tenant } from './tenants.ts';

/** What an assertion is checked against. */
export interface AssertionContext {
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
export async function readAssertion(
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
