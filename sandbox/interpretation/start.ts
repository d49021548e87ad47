import type { Clock } from '../../lambdas/clock/clock.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { tenants } from '../identity/residents.ts';
import { serve } from '../identity/serve.ts';
import { familyResource, type TenantName } from '../identity/tenants.ts';
import { createInterpretationApi, nothingWritten, type Written } from './interpretation-api.ts';
import { createNeighbour } from './neighbours.ts';
import {
  type ApplicationName,
  applicationNames,
  type Registrations,
  registrationsIn,
} from './registrations.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';

export interface ApplicationsOptions {
  readonly provider: Pick<IdentityProvider, 'issuer' | 'isRevoked'>;
  readonly clock: Clock;
  /** Whose tokens are taken: the test environment's, by default, or production's. */
  readonly tenant?: TenantName;
  readonly registrations?: Registrations;
  /** Of the first application; the others follow. Free ports where absent. */
  readonly port?: number;
}

export interface StartedApplications {
  readonly urls: Readonly<Record<ApplicationName, string>>;
  readonly written: Written;
  /** Requests that each application had, as `<method> <path>`. */
  readonly requests: Readonly<Record<ApplicationName, readonly string[]>>;
  close(): Promise<void>;
}

/** Starts the four applications on this machine, each at an origin of its own. */
export async function startApplications(options: ApplicationsOptions): Promise<StartedApplications> {
  const {
    provider,
    clock,
    tenant = 'non-production',
    registrations = registrationsIn(tenant),
    port,
  } = options;
  const written = nothingWritten();
  const requests: Record<ApplicationName, string[]> = {
    'interpretation-api': [],
    'variant-store': [],
    'sample-matching': [],
    're-identification': [],
  };
  const starting = await Promise.allSettled(
    applicationNames.map(async (name, index) => {
      const check = createApplicationCheck(name, { provider, clock, tenant });
      const own = { check, registrations: registrations[name] };
      const routes =
        name === 'interpretation-api' ? createInterpretationApi(own, written) : createNeighbour(name, own);
      const answer = (request: Request) => {
        requests[name].push(`${request.method} ${new URL(request.url).pathname}`);
        return routes.fetch(request);
      };
      return { name, ...(await serve(() => answer, port === undefined ? 0 : port + index)) };
    }),
  );
  const started = starting.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(started.map((each) => each.close()));
  };
  const failed = starting.find((each) => each.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const urlOf = (name: ApplicationName): string => started.find((each) => each.name === name)?.url ?? '';
  return {
    urls: {
      'interpretation-api': urlOf('interpretation-api'),
      'variant-store': urlOf('variant-store'),
      'sample-matching': urlOf('sample-matching'),
      're-identification': urlOf('re-identification'),
    },
    written,
    requests,
    close,
  };
}

/** How an application, or a catalogue that wants tokens, checks those of one tenant. */
export function createApplicationCheck(
  realm: string,
  { provider, clock, tenant = 'non-production' }: Pick<ApplicationsOptions, 'provider' | 'clock' | 'tenant'>,
): TokenCheck {
  const issuer = provider.issuer(tenants[tenant].id);
  return createTokenCheck({ realm, issuer, audience: familyResource, clock, isRevoked: provider.isRevoked });
}

/**
 * The hook by which the sandbox's catalogue wants a token of any client of the tenant: nothing where the
 * request may go on, else the answer that refuses it.
 */
export function bearerAuthorisation(check: TokenCheck): (request: Request) => Promise<Response | undefined> {
  return async (request) => {
    const checked = await check(request);
    return checked.ok ? undefined : checked.refusal;
  };
}
