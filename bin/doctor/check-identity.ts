import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { createHttp } from '../../lambdas/catalogue/http/http.ts';
import { expectSuccess, type HttpResponse, readJson } from '../../lambdas/catalogue/http/response.ts';
import type { Credential } from '../../lambdas/catalogue/identity/credential.ts';
import { IdentityProviderError, identityProviderErrors } from '../../lambdas/catalogue/identity/secret.ts';
import {
  type IdentityProviderSettings,
  readDiscovery,
  tenantAddresses,
} from '../../lambdas/catalogue/identity/token-exchange.ts';
import { type Clock, DAY_MS } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Identity, OpenIdentity } from '../access.ts';
import { type ClockDifferences, type Finding, failed } from './finding.ts';

interface IdentityToCheck {
  readonly identity: Identity;
  readonly open: OpenIdentity;
  readonly clock: Clock;
  readonly log: Log;
  /** The difference from the provider's clock is added here. */
  readonly clockDifferences: ClockDifferences;
}

const EXPIRY_DAYS = 30;

/** Checks the identity provider, the credential, and a token that the credential obtains. */
export async function* checkIdentity(given: IdentityToCheck): AsyncGenerator<Finding> {
  const { identity, open, clock } = given;
  let keys: readonly SigningKey[] | null = null;
  try {
    const published = await readPublishedKeys(identity.settings, given);
    keys = published.keys;
    const count = `${keys.length} signing ${keys.length === 1 ? 'key' : 'keys'}`;
    yield { check: 'identity provider', outcome: 'ok', text: `${published.issuer} publishes ${count}.` };
  } catch (error) {
    yield failed('identity provider', error);
  }
  try {
    const credential = await open.secret.get();
    yield checkCredential(credential, identity.source.name, clock.now());
    const { value, lifetime } = await open.exchange.ask(credential, true);
    yield checkToken(value, lifetime, { credential, tenantId: identity.settings.tenantId });
    yield keys
      ? checkSignature(value, keys)
      : { check: 'signature', outcome: 'skipped', text: 'No published keys could be read.' };
  } catch (error) {
    yield failed('token', error);
  }
}

function checkCredential(credential: Credential, name: string, now: number): Finding {
  const check = 'credential';
  if (credential.kind === 'secret') {
    return { check, outcome: 'ok', text: `A client id and secret are in ${name}.` };
  }
  const days = Math.floor((credential.key.certificate.validToDate.getTime() - now) / DAY_MS);
  const text = `A key and certificate are in ${name}`;
  if (days < 0) return { check, outcome: 'failed', text: `${text}; it has expired. Register a new one.` };
  if (days > EXPIRY_DAYS) return { check, outcome: 'ok', text: `${text}; it is valid for ${days} days.` };
  return {
    check,
    outcome: 'warning',
    text: `${text}; it expires in ${days} days. Register a new one before that.`,
  };
}

interface Expected {
  readonly credential: Credential;
  readonly tenantId: string;
}

function checkToken(token: string, lifetime: number, { credential, tenantId }: Expected): Finding {
  const check = 'token';
  const claims = decodeToken(token)?.claims;
  if (!claims) {
    return { check, outcome: 'ok', text: `An opaque token was issued, valid for ${lifetime} s.` };
  }
  const { appid, tid, aud } = claims;
  if (typeof appid === 'string' && appid !== credential.clientId) {
    return { check, outcome: 'warning', text: `The token is for another application: ${appid}.` };
  }
  if (typeof tid === 'string' && tid !== tenantId) {
    return { check, outcome: 'warning', text: `The token is from another tenant: ${tid}.` };
  }
  return { check, outcome: 'ok', text: `A token was issued for ${String(aud)}, valid for ${lifetime} s.` };
}

function checkSignature(token: string, keys: readonly SigningKey[]): Finding {
  const check = 'signature';
  switch (verifySignature(token, keys)) {
    case 'good':
      return { check, outcome: 'ok', text: 'The token is signed by a published key.' };
    case 'bad':
      return {
        check,
        outcome: 'failed',
        text: 'The token is not signed by a published key, so no application will accept it. Check address and tenant.',
      };
    case 'unknown':
      return {
        check,
        outcome: 'skipped',
        text: 'The token is opaque, or its signature algorithm is not supported here.',
      };
  }
}

/** How the signature algorithms of RFC 7518 (3.1) are verified, by the first two letters of their names. */
const families = {
  RS: { keyType: 'RSA', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS: { keyType: 'RSA', options: { padding: constants.RSA_PKCS1_PSS_PADDING } },
  // The two numbers of the signature one after the other, as JWS writes them.
  ES: { keyType: 'EC', options: { dsaEncoding: 'ieee-p1363' } },
} as const;

/** Whether one of the keys signed the token; `unknown` where the token is opaque or its algorithm is not supported. */
export function verifySignature(token: string, keys: readonly SigningKey[]): 'good' | 'bad' | 'unknown' {
  const decoded = decodeToken(token);
  if (!decoded) return 'unknown';
  const { header, signed, signature } = decoded;
  const [, family, bits] = /^(RS|PS|ES)(256|384|512)$/.exec(String(header.alg)) ?? [];
  if (family === undefined) return 'unknown';
  const { keyType, options } = families[family as keyof typeof families];
  const candidates = keys.filter(
    ({ id, jwk }) => jwk.kty === keyType && (header.kid === undefined || id === header.kid),
  );
  const good = candidates.some(({ jwk }) => {
    const key = readKey(jwk);
    return key !== null && verify(`sha${bits}`, Buffer.from(signed), { key, ...options }, signature);
  });
  return good ? 'good' : 'bad';
}

/** Reads a token without verifying it; `signed` is the text that was signed. Null for an opaque token, which a provider may well issue. */
export function decodeToken(token: string) {
  const [head, body, signature, ...more] = token.split('.');
  if (!head || !body || signature === undefined || more.length > 0) return null;
  const [header, claims] = [head, body].map(readPart);
  if (!header || !claims) return null;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function readPart(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Null for a damaged key: it can have signed no token. */
function readKey(jwk: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}

interface SigningKey {
  readonly id: string | null;
  readonly jwk: JsonWebKey;
}

const keysSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })),
});

/**
 * Reads the issuer of a tenant from its discovery document, and the public keys that the document leads to. Source:
 * docs/interfaces.md, "The identity provider".
 *
 * @throws {IdentityProviderError} when they cannot be read, or the keys are said to be at another origin
 */
async function readPublishedKeys(
  { authUrl, tenantId }: IdentityProviderSettings,
  { clock, log, clockDifferences }: Omit<IdentityToCheck, 'identity' | 'open'>,
): Promise<{ readonly issuer: string; readonly keys: readonly SigningKey[] }> {
  const { base, discovery } = tenantAddresses(authUrl, tenantId);
  const http = createHttp({
    base: new URL('/', base),
    errors: identityProviderErrors,
    access: anonymous,
    clock,
    log,
  });
  const get = <Result>(url: string, read: (response: HttpResponse) => Result): Promise<Result> =>
    http.send({ path: url.slice(base.origin.length + 1) }, (response) => {
      const { serverTime } = response;
      if (serverTime !== null) clockDifferences.set('the identity provider', clock.now() - serverTime);
      return read(response);
    });
  try {
    const { issuer, jwks_uri: keysUrl } = await get(discovery, readDiscovery);
    if (!keysUrl.startsWith(`${base.origin}/`)) {
      throw new IdentityProviderError({
        condition: 'ADDRESS_WRONG',
        action: `Reading ${discovery}`,
        seen: 'it names keys at another origin, which is never asked',
      });
    }
    return { issuer, keys: await get(keysUrl, readKeys) };
  } finally {
    await http.close();
  }
}

function readKeys(response: HttpResponse): readonly SigningKey[] {
  expectSuccess(response);
  const read = keysSchema.safeParse(readJson(response));
  if (!read.success) throw response.fail('REQUEST_REFUSED', 'the document of keys lacks "keys"');
  return read.data.keys.map(({ kid, ...jwk }) => ({ id: kid ?? null, jwk }));
}
