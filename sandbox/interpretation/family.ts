import type { Clock } from '../../lambdas/run/clock.ts';
import { tenants } from '../identity/accounts.ts';
import type { BasicReading, SecretInBody } from '../identity/client-authentication.ts';
import { type StartedIdentityProvider, startIdentityProvider } from '../identity/start.ts';
import type { TenantName } from '../identity/tenants.ts';
import type { Certificate } from '../tls/self-signed.ts';
import {
  bearerAuthorisation,
  createApplicationCheck,
  type StartedApplications,
  startApplications,
} from './start.ts';

interface FamilyOptions {
  readonly clock: Clock;
  /** The port of the identity provider; the applications take the next ones. Free ports by default. */
  readonly port?: number;
  /** Seconds that a token is valid. */
  readonly lifetime?: number;
  /** How the identity provider reads the Basic header; `both` by default. */
  readonly basic?: BasicReading;
  readonly tenant?: TenantName;
  /** Whether client id and secret are accepted in the body of a token request; `refused` by default. */
  readonly secretInBody?: SecretInBody;
  /** Serves over TLS with this certificate. */
  readonly tls?: Certificate | undefined;
}

/** A running identity provider with its applications. */
export interface Family {
  readonly provider: StartedIdentityProvider;
  readonly applications: StartedApplications;
  /** Refuses requests without a valid token: for a catalogue that requires one. */
  readonly authorise: (request: Request) => Promise<Response | undefined>;
  /** Addresses and credentials, each a line for a shell. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts the whole family on 127.0.0.1. It keeps no record of requests, so it may run for days.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startFamily({
  clock,
  port,
  lifetime,
  basic,
  tenant = 'non-production',
  secretInBody = 'refused',
  tls,
}: FamilyOptions): Promise<Family> {
  const provider = await startIdentityProvider({
    clock,
    keep: false,
    secretInBody,
    tls,
    ...(port !== undefined && { port }),
    ...(lifetime !== undefined && { lifetime }),
    ...(basic !== undefined && { basic }),
  });
  const next = port === undefined ? {} : { port: port + 1 };
  const applications = await startApplications({ provider, clock, tenant, tls, ...next }).catch(
    async (error: unknown) => {
      await provider.close();
      throw error;
    },
  );
  const { id, clients } = tenants[tenant];
  return {
    provider,
    applications,
    authorise: bearerAuthorisation(createApplicationCheck('catalogue', { provider, clock, tenant })),
    lines: [
      `AUTH_URL=${provider.authUrl}`,
      `TENANT_ID=${id}`,
      `CLIENT_ID=${clients[0]?.clientId}`,
      `CLIENT_SECRET='${clients[0]?.secrets[0]}'`,
      `INTERPRETATION_URL=${applications.urls['interpretation-api']}`,
      ...Object.entries(applications.urls).map(([name, url]) => `# ${name}: ${url}`),
    ],
    close: async () => {
      await Promise.all([provider.close(), applications.close()]);
    },
  };
}
