import type { Clock } from '../../lambdas/clock/clock.ts';
import { tenants } from '../identity/accounts.ts';
import type { BasicReading } from '../identity/client-authentication.ts';
import { type StartedIdentityProvider, startIdentityProvider } from '../identity/start.ts';
import type { TenantName } from '../identity/tenants.ts';
import {
  bearerAuthorisation,
  createApplicationCheck,
  type StartedApplications,
  startApplications,
} from './start.ts';

interface FamilyOptions {
  readonly clock: Clock;
  /** The port of the identity provider; the four applications take the next ones. Free ports by default. */
  readonly port?: number;
  /** Seconds that a token is valid. */
  readonly lifetime?: number;
  /** How the identity provider reads the Basic header; `both` by default. */
  readonly basic?: BasicReading;
  readonly tenant?: TenantName;
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
}: FamilyOptions): Promise<Family> {
  const provider = await startIdentityProvider({
    clock,
    keep: false,
    ...(port !== undefined && { port }),
    ...(lifetime !== undefined && { lifetime }),
    ...(basic !== undefined && { basic }),
  });
  const next = port === undefined ? {} : { port: port + 1 };
  const applications = await startApplications({ provider, clock, tenant, ...next }).catch(
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
