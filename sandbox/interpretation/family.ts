import type { Clock } from '../../lambdas/clock/clock.ts';
import { tenants } from '../identity/residents.ts';
import { type StartedIdentityProvider, startIdentityProvider } from '../identity/start.ts';
import type { TenantName } from '../identity/tenants.ts';
import {
  bearerAuthorisation,
  createApplicationCheck,
  type StartedApplications,
  startApplications,
} from './start.ts';

export interface FamilyOptions {
  readonly clock: Clock;
  /** Of the identity provider; the four applications take the next ones. Free ports where absent. */
  readonly port?: number;
  /** Seconds that a token is valid. */
  readonly lifetime?: number;
  readonly tenant?: TenantName;
}

/** Identity provider and applications as they belong together. */
export interface Family {
  readonly provider: StartedIdentityProvider;
  readonly applications: StartedApplications;
  /** For the sandbox's catalogue, where it is to want a token too. */
  readonly authorise: (request: Request) => Promise<Response | undefined>;
  /** What a person needs to get in: addresses and credentials, a line each. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** Starts the whole family on this machine; it keeps no record of calls, so that it may run for days. */
export async function startFamily({
  clock,
  port,
  lifetime,
  tenant = 'non-production',
}: FamilyOptions): Promise<Family> {
  const provider = await startIdentityProvider({
    clock,
    keep: false,
    ...(port !== undefined && { port }),
    ...(lifetime !== undefined && { lifetime }),
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
