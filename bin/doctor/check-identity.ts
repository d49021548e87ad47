import type { Credential } from '../../lambdas/catalogue/identity/credential.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { Identity } from '../identity/identity-options.ts';
import type { OpenIdentity } from '../identity/open-identity.ts';
import { decodeToken } from '../identity/token-claims.ts';
import type { ClockDifferences } from './clock-differences.ts';
import { type Finding, failed } from './finding.ts';
import { readPublishedKeys, type SigningKey } from './published-keys.ts';
import { verifySignature } from './verify-signature.ts';

interface IdentityToCheck {
  readonly identity: Identity;
  readonly open: OpenIdentity;
  readonly clock: Clock;
  readonly log: Log;
  /** The difference from the provider's clock is added here. */
  readonly clockDifferences: ClockDifferences;
}

const DAY = 24 * 60 * 60 * 1000;
/** Days before a certificate expires from which there is a warning. */
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
  const days = Math.floor((credential.key.certificate.validToDate.getTime() - now) / DAY);
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
