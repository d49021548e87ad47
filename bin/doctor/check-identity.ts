import type { Clock } from '../../lambdas/clock/clock.ts';
import type { Credential } from '../../lambdas/identity/credential.ts';
import type { Log } from '../../lambdas/log/log.ts';
import type { Identity } from '../identity/identity-options.ts';
import type { OpenIdentity } from '../identity/open-identity.ts';
import { decodeToken } from '../identity/token-claims.ts';
import { type Finding, failed, type Heard } from './finding.ts';
import { discover, type SigningKey } from './published-keys.ts';
import { verifySignature } from './verify-signature.ts';

export interface IdentityToCheck {
  readonly identity: Identity;
  readonly open: OpenIdentity;
  readonly clock: Clock;
  readonly log: Log;
  readonly heard: Heard;
}

const DAY = 24 * 60 * 60 * 1000;
/** A certificate that ends within so many days is worth a warning. */
const EXPIRY_DAYS = 30;

/** The identity provider, the credential, and the token that the one gives for the other. */
export async function* checkIdentity(given: IdentityToCheck): AsyncGenerator<Finding> {
  const { identity, open, clock } = given;
  let keys: readonly SigningKey[] | null = null;
  try {
    const found = await discover(identity.settings, given);
    keys = found.keys;
    const count = `${keys.length} signing ${keys.length === 1 ? 'key' : 'keys'}`;
    yield { check: 'identity provider', outcome: 'ok', says: `${found.issuer} publishes ${count}.` };
  } catch (error) {
    yield failed('identity provider', error);
  }
  try {
    const credential = await open.secret.get();
    yield ofCredential(credential, identity.source.name, clock.now());
    const { value, lifetime } = await open.exchange.ask(credential, true);
    yield ofToken(value, lifetime, { credential, tenantId: identity.settings.tenantId });
    yield keys
      ? ofSignature(value, keys)
      : { check: 'signature', outcome: 'skipped', says: 'There are no keys.' };
  } catch (error) {
    yield failed('token', error);
  }
}

function ofCredential(credential: Credential, name: string, now: number): Finding {
  const check = 'credential';
  if (credential.kind === 'secret')
    return { check, outcome: 'ok', says: `A client id and secret are in ${name}.` };
  const days = Math.floor((credential.key.certificate.validToDate.getTime() - now) / DAY);
  const says = `A key and certificate are in ${name}`;
  if (days < 0) return { check, outcome: 'failed', says: `${says}; it has expired. Register a new one.` };
  if (days > EXPIRY_DAYS) return { check, outcome: 'ok', says: `${says}; it is valid for ${days} days.` };
  return {
    check,
    outcome: 'warning',
    says: `${says}; it expires in ${days} days. Register a new one before that.`,
  };
}

interface Expected {
  readonly credential: Credential;
  readonly tenantId: string;
}

function ofToken(token: string, lifetime: number, { credential, tenantId }: Expected): Finding {
  const check = 'token';
  const claims = decodeToken(token)?.claims;
  if (!claims)
    return { check, outcome: 'ok', says: `A token was issued, valid for ${lifetime} s; it is opaque.` };
  const { appid, tid, aud } = claims;
  if (typeof appid === 'string' && appid !== credential.clientId) {
    return { check, outcome: 'warning', says: `The token is that of another application: ${appid}.` };
  }
  if (typeof tid === 'string' && tid !== tenantId) {
    return { check, outcome: 'warning', says: `The token is that of another tenant: ${tid}.` };
  }
  return { check, outcome: 'ok', says: `A token was issued for ${String(aud)}, valid for ${lifetime} s.` };
}

function ofSignature(token: string, keys: readonly SigningKey[]): Finding {
  const check = 'signature';
  switch (verifySignature(token, keys)) {
    case 'good':
      return { check, outcome: 'ok', says: 'The token is signed by a published key.' };
    case 'bad':
      return {
        check,
        outcome: 'failed',
        says: 'The token is not signed by a published key: no application will take it. Check address and tenant.',
      };
    case 'unknown':
      return {
        check,
        outcome: 'skipped',
        says: 'The token is opaque, or signed in a way that is not known here.',
      };
  }
}
