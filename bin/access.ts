import { type Access, anonymous, fixedHeader } from '../lambdas/catalogue/http/access.ts';
import type { Log } from '../lambdas/run/log.ts';
import type { Io } from './command.ts';
import { inSection, type OptionValues } from './declare-command.ts';
import { identityOptions, namesIdentity, readIdentity } from './identity/identity-options.ts';
import { openIdentity } from './identity/open-identity.ts';

/** A catalogue access with its connections. */
export interface OpenAccess {
  readonly access: Access;
  close(): Promise<void>;
}

type Values = OptionValues<typeof identityOptions>;

/**
 * Creates the access to a catalogue: a header from the environment, else a token of the identity provider where one is
 * given, else none.
 *
 * @throws {UsageError} when an identity provider is given without a usable credential
 */
export function openAccess(values: Values, { env, clock, signal }: Io, log: Log): OpenAccess {
  const authorization = env.CATALOGUE_AUTHORIZATION;
  if (authorization) {
    return { access: fixedHeader('Authorization', authorization), close: async () => {} };
  }
  if (!namesIdentity(values, env)) return { access: anonymous, close: async () => {} };
  return openIdentity(readIdentity(values, env), { clock, log, signal });
}

/** The options of an identity provider, for a catalogue that may require it. */
export const accessOptions = inSection(
  {
    heading: 'Access, where the catalogue requires credentials, is one of:',
    isBrief: true,
    note: `  CATALOGUE_AUTHORIZATION in the environment: the value of the Authorization header, such as "Token …"
  --auth-url, --tenant, --secret-file … of an identity provider: see gene-panel-notifier api token --help`,
  },
  identityOptions,
);
