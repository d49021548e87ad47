import { type ServiceErrors, serviceError } from '../http/service-error.ts';

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
