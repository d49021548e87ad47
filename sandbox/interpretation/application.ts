import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import {
  type Country,
  countries,
  decisionSupport,
  familyResource,
  type Role,
  reportWriter,
  roles,
  type TenantName,
  tenants,
  type UserAttributes,
} from '../identity/accounts.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';

type Sees = (user: UserAttributes, one: Case) => boolean;

/** The laboratories of the legacy programme that a user's attributes name. */
const laboratoriesOf = ({
  primaryLdpCode100k,
  secondaryLdpCodes100k = [],
}: UserAttributes): readonly string[] =>
  primaryLdpCode100k === undefined ? secondaryLdpCodes100k : [primaryLdpCode100k, ...secondaryLdpCodes100k];

/**
 * Current programme: the cases of the user's country. Legacy programme: the cases of the user's own laboratories in the
 * user's own centre; none where the attributes do not name them.
 */
const clinical: Sees = (user, { origin }) =>
  origin.programme === 'current'
    ? origin.country === user.country
    : laboratoriesOf(user).includes(origin.laboratory) && origin.centre === user.centre;

const everything: Sees = () => true;

/** Which cases each role sees. Source: docs/interfaces.md, "Users". */
const sees: Readonly<Record<Role, Sees>> = {
  NCR003: clinical,
  NCR004: clinical,
  NNR501: everything,
  NNR502: ({ groups = [] }, one) => one.groups.some((group) => groups.includes(group)),
  NNR503: (user, { origin }) =>
    origin.programme === 'legacy' && laboratoriesOf(user).includes(origin.laboratory),
  NNR504: everything,
};

/**
 * The roles that may read in each application. The interface documents the interpretation API for all roles; the variant
 * store, the interpretation portal and the variant annotation store for the clinical ones. Where it is silent, the sandbox lets the operator's staff read and refuses all
 * others.
 */
const readers: Readonly<Record<ApplicationName, ReadonlySet<Role>>> = {
  'interpretation-api': new Set(['NCR003', 'NCR004', 'NNR501', 'NNR502', 'NNR503', 'NNR504']),
  'variant-store': new Set(['NCR003', 'NCR004', 'NNR501']),
  'sample-matching': new Set(['NNR501']),
  're-identification': new Set(['NNR501']),
  'interpretation-portal': new Set(['NCR003', 'NCR004', 'NNR501']),
  'variant-annotation-store': new Set(['NCR003', 'NCR004', 'NNR501']),
};

export interface ApplicationOptions {
  readonly check: TokenCheck;
  readonly registrations: readonly Registration[];
}

/** Whether the caller of a request sees a case in an application. */
type MaySee = (one: Case) => boolean;

/** The routes of an application, with what the caller is authorised for. */
export type ApplicationRoutes = Hono<{
  Variables: { authorised: { readonly visible: readonly Case[]; readonly sees: MaySee } };
}>;

const LARGEST_BODY = 1024 * 1024;

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Creates the part that all applications share: each authorises every request itself, before it looks at the path.
 * A registered system may read everything. A user may read what the roles allow, and write nothing.
 */
export function createApplication(
  name: ApplicationName,
  { check, registrations }: ApplicationOptions,
): ApplicationRoutes {
  const routes: ApplicationRoutes = new Hono();
  routes.use(bodyLimit({ maxSize: LARGEST_BODY }));
  routes.use(async (context, next) => {
    const claims = await check(context.req.raw);
    if (claims instanceof Response) return claims;
    const sees = isOfUser(claims)
      ? casesOfUser(claims, name, context.req.method)
      : casesOfSystem(claims, registrations);
    if (typeof sees === 'string') return forbidden(name, sees);
    context.set('authorised', { visible: cases.filter(sees), sees });
    await next();
    return undefined;
  });
  routes.notFound(() => Response.json({ detail: 'Not found' }, { status: 404 }));
  return routes;
}

/** The 403 response, with the reason. */
export function forbidden(name: ApplicationName, reason: string): Response {
  return refusal(name, 'insufficient_scope', reason);
}

/** A user who signed in through a registered system is not that system. Source: docs/interfaces.md, "Using a token". */
function isOfUser({ scp, roles }: JWTPayload): boolean {
  return scp !== undefined || roles !== undefined;
}

/** A system that is registered here, by `appid` or `oid`, sees every case. Returns why another one is refused. */
function casesOfSystem(claims: JWTPayload, registrations: readonly Registration[]): MaySee | string {
  const registered = registrations.some((each) =>
    'appid' in each ? each.appid === claims.appid : each.oid === claims.oid,
  );
  return registered ? () => true : 'The system is not registered in this application';
}

const isRole = (text: string): text is Role => roles.some((role) => role === text);

const userSchema = z.object({
  roles: z.array(z.string()).transform((all) => all.filter(isRole)),
  entity_code: z.string().exactOptional(),
  country: z.enum(countries).exactOptional(),
  centre: z.string().exactOptional(),
  primaryLdpCode100k: z.string().exactOptional(),
  secondaryLdpCodes100k: z.array(z.string()).exactOptional(),
  groups: z.array(z.string()).exactOptional(),
});

/** The cases that one of the user's roles shows in this application. Returns why a user is refused who may not read here. */
function casesOfUser(claims: JWTPayload, application: ApplicationName, method: string): MaySee | string {
  const read = userSchema.safeParse(claims);
  if (!read.success) return 'The attributes of the user are invalid';
  const user: UserAttributes = read.data;
  if (user.roles.length === 0) return 'The user has no role here';
  const allowed = user.roles.filter((role) => readers[application].has(role));
  if (allowed.length === 0) return 'The role may not read in this application';
  if (!reading.has(method)) return 'Users may only read';
  return (one) => allowed.some((role) => sees[role](user, one));
}

/** The applications that accept the family's token. Source: docs/interfaces.md, "The interpretation API family". */
export const applicationNames = [
  'interpretation-api',
  'variant-store',
  'sample-matching',
  're-identification',
  'interpretation-portal',
  'variant-annotation-store',
] as const;
export type ApplicationName = (typeof applicationNames)[number];

/** How an application identifies a registered system: by `appid` or by `oid`. */
type Registration = { readonly appid: string } | { readonly oid: string };

/** Which systems each application knows. */
export type Registrations = Readonly<Record<ApplicationName, readonly Registration[]>>;

/**
 * The registered systems of each application. The report writer is registered in two of them; the unregistered system in
 * none.
 */
export function registrationsIn(tenant: TenantName): Registrations {
  const { clients } = tenants[tenant];
  const named = (name: string) => clients.find((client) => client.name === name);
  const everywhere: readonly Registration[] = [{ appid: String(named(decisionSupport.name)?.clientId) }];
  const somewhere: readonly Registration[] = [
    ...everywhere,
    { oid: String(named(reportWriter.name)?.objectId) },
  ];
  return {
    'interpretation-api': somewhere,
    'variant-store': somewhere,
    'sample-matching': everywhere,
    're-identification': everywhere,
    'interpretation-portal': everywhere,
    'variant-annotation-store': everywhere,
  };
}

/** Returns the claims of a request's token, or the response that refuses the caller. */
type TokenCheck = (request: Request) => Promise<JWTPayload | Response>;

export interface TokenCheckOptions {
  readonly provider: Pick<IdentityProvider, 'issuer' | 'isRevoked'>;
  readonly clock: Clock;
  /** The tenant whose tokens are accepted; `non-production` by default. */
  readonly tenant?: TenantName;
}

const discoverySchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
type Keys = ReturnType<typeof createRemoteJWKSet>;

/**
 * Creates the check of the bearer token of a request, as an application does it that knows only the discovery document:
 * signature by a published key, issuer, tenant, audience, and validity at this moment. The catalogue may require one too.
 *
 * @param realm the name in `WWW-Authenticate`
 */
export function createApplicationCheck(
  realm: string,
  { provider, clock, tenant = 'non-production' }: TokenCheckOptions,
): TokenCheck {
  const { id: tenantId } = tenants[tenant];
  const issuer = provider.issuer(tenantId);
  let keys: Promise<Keys> | null = null;
  const refuse = (reason: string): Response => refusal(realm, 'invalid_token', reason);

  return async (request) => {
    const authorization = request.headers.get('authorization');
    if (authorization === null) return refusal(realm);
    const [, token] = /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization) ?? [];
    if (token === undefined) return refuse('The Authorization header has no bearer token');
    keys ??= discoverKeys(issuer).catch((error: unknown) => {
      keys = null;
      throw error;
    });
    try {
      const { payload } = await jwtVerify(token, await keys, {
        algorithms: ['RS256'],
        issuer,
        audience: familyResource,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'nbf', 'appid', 'oid', 'tid'],
      });
      if (payload.tid !== tenantId) return refuse('The token is from another tenant');
      return provider.isRevoked(payload) ? refuse('The token was revoked') : payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return refuse(reasonOf(error));
    }
  };
}

/**
 * Makes the sandbox's catalogue require a token of any client of the tenant. Returns undefined where the request is
 * accepted, else the response that refuses it.
 */
export function bearerAuthorisation(check: TokenCheck): (request: Request) => Promise<Response | undefined> {
  return async (request) => {
    const checked = await check(request);
    return checked instanceof Response ? checked : undefined;
  };
}

async function discoverKeys(issuer: string): Promise<Keys> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, { redirect: 'error' });
  const discovered = discoverySchema.parse(await response.json());
  if (discovered.issuer !== issuer)
    throw new Error(`the discovery document of ${issuer} names the issuer ${discovered.issuer}`);
  // An unknown key is looked up at once, because the sandbox changes its keys on request.
  return createRemoteJWKSet(new URL(discovered.jwks_uri), { cooldownDuration: 0 });
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is for another audience';
    if (error.claim === 'iss') return 'The token is from another issuer';
    return error.claim === 'nbf' ? 'The token is not valid yet' : 'The token lacks a claim';
  }
  return 'The token is not signed by a published key';
}

/**
 * The response to a caller that is refused: 401 where another token may help, 403 where none will. It names the scheme to
 * use, and the reason where a token was sent, with an error code of RFC 6750 (3.1).
 */
function refusal(
  realm: string,
  error?: 'invalid_token' | 'insufficient_scope',
  reason = 'A bearer token is required',
): Response {
  const details = error === undefined ? '' : `, error="${error}", error_description="${reason}"`;
  const headers = { 'www-authenticate': `Bearer realm="${realm}"${details}` };
  return Response.json({ detail: reason }, { status: error === 'insufficient_scope' ? 403 : 401, headers });
}

/** The parts of a made-up case that decide who may see it and what can be done with it. */
export interface Case {
  /** Interpretation request identifier and version. */
  readonly irId: number;
  readonly irVersion: number;
  readonly samples: readonly string[];
  /** The panels that the case was analysed with, in the version of that day. */
  readonly panels: readonly UsedPanel[];
  /** Pseudonym of the participant. */
  readonly participant: string;
  /** The groups of third-party users that have access. */
  readonly groups: readonly string[];
  readonly origin: CurrentOrigin | LegacyOrigin;
}

interface UsedPanel {
  readonly id: number;
  readonly name: string;
  readonly version: string;
}

/** A referral of the current programme belongs to a country. */
interface CurrentOrigin {
  readonly programme: 'current';
  readonly country: Country;
}

/** A case of the legacy programme belongs to a laboratory (local delivery partner) of a centre. */
interface LegacyOrigin {
  readonly programme: 'legacy';
  readonly laboratory: string;
  readonly centre: string;
}

const current = (country: Country): CurrentOrigin => ({ programme: 'current', country });
const legacy = (laboratory: string, centre: string): LegacyOrigin => ({
  programme: 'legacy',
  laboratory,
  centre,
});

/** The panel of docs/examples: there, EXAMPLE1 turns green in version 1.5. */
const examplePanel = (version: string): UsedPanel => ({ id: 9999, name: 'Example panel', version });
const otherPanel: UsedPanel = { id: 9998, name: 'Another example panel', version: '3.10' };

function aCase(
  irId: number,
  origin: Case['origin'],
  panels: readonly UsedPanel[],
  more: Partial<Case> = {},
): Case {
  const samples = [`LP${irId}-A`];
  return { irId, irVersion: 1, samples, panels, participant: `p-${irId}`, groups: [], origin, ...more };
}

const toSupportDesk = { groups: ['support-desk'] };

export const cases: readonly Case[] = [
  aCase(1001, current('England'), [examplePanel('1.2')], {
    ...toSupportDesk,
    samples: ['LP1001-A', 'LP1001-B'],
  }),
  aCase(1001, current('England'), [examplePanel('1.5')], { irVersion: 2 }),
  aCase(1002, current('Wales'), [examplePanel('1.4'), otherPanel]),
  aCase(1003, current('Scotland'), [examplePanel('1.10')]),
  aCase(1004, current('Northern Ireland'), [examplePanel('0.9')]),
  aCase(2001, legacy('LDP-A', 'North'), [otherPanel]),
  aCase(2002, legacy('LDP-B', 'South'), []),
  aCase(2003, legacy('LDP-C', 'North'), [examplePanel('1.4')], toSupportDesk),
];
