import type { Clock } from '../../lambdas/run/clock.ts';
import { tenants } from '../identity/accounts.ts';
import type { BasicReading, SecretInBody } from '../identity/client-authentication.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { type StartedIdentityProvider, serve, startIdentityProvider } from '../identity/start.ts';
import { familyResource, type TenantName } from '../identity/tenants.ts';
import type { Certificate } from '../tls/self-signed.ts';
import {
  type ApplicationName,
  applicationNames,
  type Registrations,
  registrationsIn,
} from './application.ts';
import {
  createInterpretationApi,
  createOtherApplication,
  nothingWritten,
  type Written,
} from './interpretation-api.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';

interface ApplicationsOptions {
  readonly provider: Pick<IdentityProvider, 'issuer' | 'isRevoked'>;
  readonly clock: Clock;
  /** The tenant whose tokens are accepted; `non-production` by default. */
  readonly tenant?: TenantName;
  readonly registrations?: Registrations;
  /** The port of the first application; the others take the next ones. Free ports by default. */
  readonly port?: number;
  /** Serves over TLS with this certificate. */
  readonly tls?: Certificate | undefined;
}

/** The applications of the family as they are served. */
export interface StartedApplications {
  readonly urls: Readonly<Record<ApplicationName, string>>;
  readonly written: Written;
  /** The requests to each application, as `<method> <path>`. */
  readonly requests: Readonly<Record<ApplicationName, readonly string[]>>;
  close(): Promise<void>;
}

/**
 * Starts the applications on 127.0.0.1, each on its own port.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startApplications(options: ApplicationsOptions): Promise<StartedApplications> {
  const {
    provider,
    clock,
    tenant = 'non-production',
    registrations = registrationsIn(tenant),
    port,
    tls,
  } = options;
  const written = nothingWritten();
  const requests = byName((): string[] => []);
  const starting = await Promise.allSettled(
    applicationNames.map(async (name, index) => {
      const check = createApplicationCheck(name, { provider, clock, tenant });
      const own = { check, registrations: registrations[name] };
      const routes =
        name === 'interpretation-api'
          ? createInterpretationApi(own, written)
          : createOtherApplication(name, own);
      const handle = (request: Request) => {
        requests[name].push(`${request.method} ${new URL(request.url).pathname}`);
        return routes.fetch(request);
      };
      return { name, ...(await serve(() => handle, { port: port === undefined ? 0 : port + index, tls })) };
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
  const urls = byName((name) => started.find((each) => each.name === name)?.url ?? '');
  return { urls, written, requests, close };
}

/** One value for each application. */
const byName = <Value>(made: (name: ApplicationName) => Value): Record<ApplicationName, Value> =>
  Object.fromEntries(applicationNames.map((name) => [name, made(name)])) as Record<ApplicationName, Value>;

/** Creates the token check of an application, or of a catalogue that requires tokens. */
export function createApplicationCheck(
  realm: string,
  { provider, clock, tenant = 'non-production' }: Pick<ApplicationsOptions, 'provider' | 'clock' | 'tenant'>,
): TokenCheck {
  const { id: tenantId } = tenants[tenant];
  const issuer = provider.issuer(tenantId);
  return createTokenCheck({
    realm,
    issuer,
    tenantId,
    audience: familyResource,
    clock,
    isRevoked: provider.isRevoked,
  });
}

/**
 * Makes the sandbox's catalogue require a token of any client of the tenant. Returns undefined where the request is
 * accepted, else the response that refuses it.
 */
export function bearerAuthorisation(check: TokenCheck): (request: Request) => Promise<Response | undefined> {
  return async (request) => {
    const checked = await check(request);
    return checked.ok ? undefined : checked.refusal;
  };
}

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
