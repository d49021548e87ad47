import { decisionSupport, tenants } from '../../test/sandbox/identity/residents.ts';
import { startIdentityProvider } from '../../test/sandbox/identity/start.ts';
import {
  bearerAuthorisation,
  createApplicationCheck,
  startApplications,
} from '../../test/sandbox/interpretation/start.ts';
import type { Io } from '../command.ts';

/** The sandbox's identity provider and interpretation API family. */
export interface Family {
  /** A line for each address, and how to get a token. */
  readonly addresses: string;
  /** Lets only requests with a token of the identity provider into the catalogue. */
  readonly authoriseCatalogue: (request: Request) => Promise<Response | undefined>;
  close(): Promise<void>;
}

/** Starts them at ports from `port` on, or at free ones. */
export async function startFamily({ clock }: Io, port?: number): Promise<Family> {
  const provider = await startIdentityProvider({ clock, keep: false, ...(port !== undefined && { port }) });
  const applications = await startApplications({
    provider,
    clock,
    ...(port !== undefined && { port: port + 1 }),
  });
  const { id: tenant } = tenants['non-production'];
  const lines = [
    ['identity provider', provider.authUrl],
    ...Object.entries(applications.urls),
    ['tenant', tenant],
    ['client', decisionSupport.clientId],
    ['secret', decisionSupport.secrets[0] ?? ''],
  ];
  return {
    addresses: lines.map(([name = '', value = '']) => `${name.padEnd(20)}${value}\n`).join(''),
    authoriseCatalogue: bearerAuthorisation(createApplicationCheck('catalogue', { provider, clock })),
    close: async () => {
      await applications.close();
      await provider.close();
    },
  };
}
