import type { Clock } from '../../lambdas/run/clock.ts';
import type { BasicReading, SecretInBody } from './client-authentication.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Directory } from './tenants.ts';

/** The parts that the endpoints of the identity provider share. */
export interface ProviderParts {
  readonly directory: Directory;
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly basic: BasicReading;
  readonly secretInBody: SecretInBody;
  readonly opaque: () => string;
  readonly issuer: (tenantId: string) => string;
  /** Seconds. */
  readonly lifetime: () => number;
}
