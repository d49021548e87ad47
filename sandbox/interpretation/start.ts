import * as z from 'zod';
import { type Certificate, serve } from '../http.ts';
import { type TenantName, tenants } from '../identity/accounts.ts';
import {
  type StartedIdentityProvider,
  type StartOptions,
  startIdentityProvider,
} from '../identity/identity-provider.ts';
import {
  type ApplicationName,
  type ApplicationOptions,
  type ApplicationRoutes,
  applicationNames,
  bearerAuthorisation,
  type Case,
  cases,
  createApplication,
  createApplicationCheck,
  forbidden,
  type Registrations,
  registrationsIn,
  type TokenCheckOptions,
} from './application.ts';

interface ApplicationsOptions extends TokenCheckOptions {
  readonly registrations?: Registrations;
  /** The port of the first application; the others take the next ones. Free ports by default. */
  readonly port?: number | undefined;
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

interface FamilyOptions
  extends Pick<StartOptions, 'clock' | 'port' | 'lifetime' | 'basic' | 'secretInBody' | 'tls'> {
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
 * Starts the whole family on 127.0.0.1, the applications on the ports after that of the identity provider. It keeps no record of
 * requests, so it may run for days.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startFamily({ tenant = 'non-production', ...options }: FamilyOptions): Promise<Family> {
  const { clock, port, tls } = options;
  const provider = await startIdentityProvider({ ...options, keep: false });
  const next = port === undefined ? undefined : port + 1;
  const applications = await startApplications({ provider, clock, tenant, tls, port: next }).catch(
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

/** The writes that the interpretation API accepted. */
interface Written {
  readonly clinicalReports: unknown[];
  readonly exitQuestionnaires: Map<string, unknown>;
  /** How often sample matching was run, by case and sample. */
  readonly matchings: Map<string, number>;
}

/** The store of an application to which no caller has written. */
const nothingWritten = (): Written => ({
  clinicalReports: [],
  exitQuestionnaires: new Map(),
  matchings: new Map(),
});

/** The interface does not document the payloads. In the sandbox these two fields name the case. */
const payloadSchema = z.looseObject({
  interpretation_request_id: z.int(),
  interpretation_request_version: z.int(),
});

/** Creates the interpretation API. Source: docs/interfaces.md, "The interpretation API family". */
function createInterpretationApi(options: ApplicationOptions, written: Written): ApplicationRoutes {
  const name = 'interpretation-api';
  const routes = createApplication(name, options);

  routes.get('/interpretation-request', ({ get }) =>
    Response.json(listOf(get('authorised').visible.map(summaryOf))),
  );

  routes.get('/interpretation-request/:id/:version', ({ req, get }) => {
    const found = findCase(req.param('id'), req.param('version'));
    if (!found) return notFound('The case is unknown');
    return get('authorised').sees(found)
      ? Response.json(summaryOf(found))
      : forbidden(name, 'The case is not visible');
  });

  routes.get('/clinical-report', ({ get }) =>
    Response.json(listOf(visibleOnly(written.clinicalReports, get('authorised').visible))),
  );
  routes.post('/clinical-report', async ({ req }) => {
    const payload = await readPayload(req.raw);
    if (payload instanceof Response) return payload;
    written.clinicalReports.push(payload);
    return Response.json({ ...payload, clinical_report_version: written.clinicalReports.length });
  });

  routes.get('/exit-questionnaire', ({ get }) =>
    Response.json(listOf(visibleOnly([...written.exitQuestionnaires.values()], get('authorised').visible))),
  );
  routes.put('/exit-questionnaire', async ({ req }) => {
    const payload = await readPayload(req.raw);
    if (payload instanceof Response) return payload;
    written.exitQuestionnaires.set(caseKey(payload), payload);
    return Response.json(payload);
  });

  routes.on(['GET', 'PUT'], '/interpretation-request/:id/:version/snp_check/:sample', ({ req, get }) => {
    const { id, version, sample } = req.param();
    const found = findCase(id, version);
    if (!found?.samples.includes(sample)) return notFound('The case has no such sample');
    if (!get('authorised').sees(found)) return forbidden(name, 'The case is not visible');
    const key = `${id}/${version}/${sample}`;
    const runs = (written.matchings.get(key) ?? 0) + (req.method === 'PUT' ? 1 : 0);
    if (req.method === 'PUT') written.matchings.set(key, runs);
    return Response.json({ sample_id: sample, status: runs > 0 ? 'requested' : 'not run', runs });
  });

  return routes;
}

type Payload = z.infer<typeof payloadSchema>;

async function readPayload(request: Request): Promise<Payload | Response> {
  const payload = payloadSchema.safeParse(await request.json().catch(() => null));
  if (!payload.success) {
    const detail =
      'The body is not a JSON object with interpretation_request_id and interpretation_request_version';
    return Response.json({ detail }, { status: 400 });
  }
  const { interpretation_request_id: id, interpretation_request_version: version } = payload.data;
  return findCase(String(id), String(version)) ? payload.data : notFound('The case is unknown');
}

const findCase = (id: string, version: string): Case | undefined =>
  cases.find(({ irId, irVersion }) => String(irId) === id && String(irVersion) === version);

const notFound = (detail: string): Response => Response.json({ detail }, { status: 404 });

const caseKey = (payload: Payload): string =>
  `${payload.interpretation_request_id}/${payload.interpretation_request_version}`;

function visibleOnly(payloads: readonly unknown[], visible: readonly Case[]): unknown[] {
  const keys = new Set(visible.map(({ irId, irVersion }) => `${irId}/${irVersion}`));
  return payloads.filter((payload) => keys.has(caseKey(payload as Payload)));
}

/** A list in the catalogue's envelope, all on one page. */
function listOf(results: readonly unknown[]): object {
  return { count: results.length, next: null, previous: null, results };
}

function summaryOf({ irId, irVersion, samples, panels, participant, origin }: Case): object {
  return {
    interpretation_request_id: irId,
    interpretation_request_version: irVersion,
    participant,
    samples,
    panels,
    ...origin,
  };
}

/**
 * An application beside the interpretation API. The interface documents only that it accepts the same token and
 * authorises callers itself. In the sandbox each has one resource, found by the key of a case.
 */
interface OtherApplication {
  readonly path: `/${string}/:key`;
  readonly matches: (one: Case, key: string) => boolean;
  readonly resourceOf: (one: Case, key: string) => object;
}

type OtherApplicationName = Exclude<ApplicationName, 'interpretation-api'>;

const applications: Readonly<Record<OtherApplicationName, OtherApplication>> = {
  'variant-store': {
    path: '/variants/:key',
    matches: ({ irId }, key) => String(irId) === key,
    resourceOf: ({ irId }) => ({
      interpretation_request_id: irId,
      variants: [{ assembly: 'GRCh38', variant: '17-43045629-T-C' }],
    }),
  },
  'sample-matching': {
    path: '/samples/:key',
    matches: ({ samples }, key) => samples.includes(key),
    resourceOf: (_one, key) => ({ sample_id: key, match: 0.998 }),
  },
  're-identification': {
    path: '/participants/:key',
    matches: ({ participant }, key) => participant === key,
    resourceOf: ({ participant }) => ({ participant, identity: `made-up person of ${participant}` }),
  },
  'interpretation-portal': {
    path: '/referrals/:key',
    matches: ({ irId }, key) => String(irId) === key,
    resourceOf: ({ irId, irVersion, panels }) => ({
      interpretation_request_id: irId,
      interpretation_request_version: irVersion,
      panels,
    }),
  },
  'variant-annotation-store': {
    path: '/annotations/:key',
    matches: ({ irId }, key) => String(irId) === key,
    resourceOf: ({ irId }) => ({
      interpretation_request_id: irId,
      annotations: [{ variant: '17-43045629-T-C', gene: 'BRCA1', consequence: 'missense_variant' }],
    }),
  },
};

/** Creates one of the applications beside the interpretation API. */
function createOtherApplication(name: OtherApplicationName, options: ApplicationOptions): ApplicationRoutes {
  const { path, matches, resourceOf } = applications[name];
  const routes = createApplication(name, options);
  routes.get(path, ({ req, get }) => {
    const key = req.param('key');
    const found = cases.filter((one) => matches(one, key));
    if (found.length === 0) return notFound('Not found');
    const visible = found.find(get('authorised').sees);
    return visible ? Response.json(resourceOf(visible, key)) : forbidden(name, 'The case is not visible');
  });
  return routes;
}
