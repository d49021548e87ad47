import type { Log } from '../../run/log.ts';
import { type ServiceErrors, serviceError } from '../http/service-error.ts';

/** The place where the text of a secret is stored. */
export interface SecretSource {
  /** Its name in messages, such as `the secret arn:…`. */
  readonly name: string;
  /**
   * Reads the present text; each call reads it again.
   *
   * @throws the error of the store
   */
  read(): Promise<string>;
}

/** A secret that is read when it is first needed, then kept in memory. */
export interface Secret<Value> {
  /**
   * Returns the value in memory, and reads it first where there is none.
   *
   * @throws {IdentityError} `SECRET_UNAVAILABLE`, or the error of `parse`
   */
  get(): Promise<Value>;
  /**
   * Reads the secret again after `refused` was refused. True when there is another value now. Where reading fails,
   * the value in memory stays.
   */
  reread(refused: Value): Promise<boolean>;
}

interface SecretOptions<Value> {
  readonly source: SecretSource;
  /** Throws an `IdentityError` that quotes nothing of the text. */
  readonly parse: (text: string, action: string) => Value;
  readonly log: Log;
}

/** Creates a secret that reads from `source`. */
export function createSecret<Value>({ source, parse, log }: SecretOptions<Value>): Secret<Value> {
  const action = `Reading ${source.name}`;
  let kept: Kept<Value> | null = null;
  let pending: Promise<Kept<Value>> | null = null;

  const load = async (): Promise<Kept<Value>> => {
    const text = await source.read().catch((cause: unknown) => {
      throw new IdentityError('SECRET_UNAVAILABLE', action, 'it cannot be read', { cause });
    });
    if (text !== kept?.text) kept = { text, value: parse(text, action) };
    return kept;
  };
  /** Reads once for any number of simultaneous callers. */
  const loadOnce = (): Promise<Kept<Value>> => {
    pending ??= load().finally(() => {
      pending = null;
    });
    return pending;
  };

  return {
    get: async () => (kept ?? (await loadOnce())).value,
    reread: async (refused) => {
      if (kept && kept.value !== refused) return true;
      try {
        return (await loadOnce()).value !== refused;
      } catch (error) {
        log.warn('The secret cannot be read again; the value in memory is kept', { error });
        return false;
      }
    },
  };
}

interface Kept<Value> {
  readonly text: string;
  readonly value: Value;
}

/** What can be wrong with a credential or a token, and what a person does about it. */
const advice = {
  SECRET_UNAVAILABLE: 'Check that the secret exists and that this program may read it.',
  SECRET_WRONG: 'Put the credential into the secret in the form that docs/identity.md shows.',
  CREDENTIAL_WRONG: 'Put a key and its certificate into the secret in the form that docs/identity.md shows.',
  CREDENTIAL_REFUSED:
    'Check that client id and secret (or certificate) belong to this tenant and are still valid; after a rotation, put the new credential into the secret.',
  TOKEN_REFUSED:
    'Ask the operator of the identity provider whether this client is registered in this tenant, and check resource and scope in the settings.',
  TOKEN_WRONG: 'Check the address of the identity provider and the tenant in the settings.',
} as const;

type IdentityErrorCode = keyof typeof advice;

interface IdentityErrorOptions extends ErrorOptions {
  /** The likely reason and remedy, as sentences that precede the general advice. */
  readonly hint?: string;
  /** The error code of OAuth that the provider stated, where it is a known one. */
  readonly oauthError?: string;
}

/** A credential cannot be read, or gives no token. Holds no part of either. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  readonly action: string;
  readonly seen: string;
  /** The error code of OAuth that the provider stated; null where it stated no known one. */
  readonly oauthError: string | null;

  /** `action` as a gerund, `seen` as a clause. */
  constructor(
    code: IdentityErrorCode,
    action: string,
    seen: string,
    { hint, oauthError, ...options }: IdentityErrorOptions = {},
  ) {
    super(`${action}: ${seen}. ${hint === undefined ? '' : `${hint} `}${advice[code]}`, options);
    this.code = code;
    this.action = action;
    this.seen = seen;
    this.oauthError = oauthError ?? null;
  }
}

/** A failed exchange with the identity provider. */
export class IdentityProviderError extends serviceError('IdentityProviderError', 'IDENTITY_PROVIDER') {}

export const identityProviderErrors: ServiceErrors = {
  service: 'the identity provider',
  error: IdentityProviderError,
};
