import { type Condition, type Failure, ServiceError, type ServiceErrors } from '../http/service-error.ts';

/** What can be wrong with a credential or a token, and what a person does about it. */
const advice = {
  SECRET_UNAVAILABLE: 'Check that the secret exists and that this program may read it.',
  SECRET_WRONG: 'Put the credential into the secret in the form that docs/identity.md shows.',
  CREDENTIAL_WRONG: 'Put a key and its certificate into the secret in the form that docs/identity.md shows.',
  CREDENTIAL_REFUSED:
    'Check that client id, secret or certificate belong to this tenant and are still valid, and put the new credential into the secret where it was rotated.',
  TOKEN_REFUSED:
    "Ask the identity provider's operator whether this client is registered in this tenant, and check resource and scope in the settings.",
  TOKEN_WRONG: 'Check the address of the identity provider and the tenant in the settings.',
} as const;

export type IdentityErrorCode = keyof typeof advice;

/** There is no credential, or no token for it. Holds no part of either. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;

  /** `action` as a gerund, `seen` as a clause. */
  constructor(code: IdentityErrorCode, action: string, seen: string, options?: ErrorOptions) {
    super(`${action}: ${seen}. ${advice[code]}`, options);
    this.code = code;
  }
}

/** The identity provider could not be asked, or its answer could not be read. */
export class IdentityProviderError extends ServiceError {
  override readonly name = 'IdentityProviderError';
  override readonly code: `IDENTITY_PROVIDER_${Condition}`;

  constructor(failure: Failure) {
    super(failure);
    this.code = `IDENTITY_PROVIDER_${failure.condition}`;
  }
}

export const identityProviderErrors: ServiceErrors = {
  service: 'the identity provider',
  error: IdentityProviderError,
};
