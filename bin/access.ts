import { type Access, anonymous, fixedHeader } from '../lambdas/http/access.ts';
import type { Log } from '../lambdas/log/log.ts';
import type { Io } from './command.ts';
import { type identityOptions, namesIdentity, readIdentity } from './identity/identity-options.ts';
import { openIdentity } from './identity/open-identity.ts';

/** How a command gets into a catalogue, and how it lets go of it. */
export interface OpenAccess {
  readonly access: Access;
  close(): Promise<void>;
}

type Values = { readonly [Name in keyof typeof identityOptions]?: string | undefined };

/**
 * A header from the environment, else a token of the identity provider where one is named, else nothing. Fails
 * with a `UsageError` where an identity provider is named without a credential.
 */
export function openAccess(values: Values, { env, clock, signal }: Io, log: Log): OpenAccess {
  const authorization = env.CATALOGUE_AUTHORIZATION;
  if (authorization) {
    return { access: fixedHeader('Authorization', authorization), close: async () => {} };
  }
  if (!namesIdentity(values, env)) return { access: anonymous, close: async () => {} };
  return openIdentity(readIdentity(values, env), { clock, log, signal });
}

export const accessUsage = `Access, where the catalogue asks for it:
  CATALOGUE_AUTHORIZATION in the environment: value of the Authorization header, such as "Token …"; or the
  options --auth-url, --tenant, --secret-file … of an identity provider (gene-panel-notifier token --help)`;
