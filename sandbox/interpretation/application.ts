import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { JWTPayload } from 'jose';
import * as z from 'zod';
import { decisionSupport, reportWriter, tenants } from '../identity/accounts.ts';
import { countries, type Role, roles, type TenantName, type UserAttributes } from '../identity/tenants.ts';
import { type Case, cases } from './cases.ts';
import { refusal, type TokenCheck } from './token-check.ts';

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

/** Whether a user may read in this application at all. */
function userMayRead(user: UserAttributes, application: ApplicationName): boolean {
  return user.roles.some((role) => readers[application].has(role));
}

/** Whether one of the user's roles lets them see this case in this application. */
function userSees(user: UserAttributes, one: Case, application: ApplicationName): boolean {
  return user.roles.some((role) => readers[application].has(role) && sees[role](user, one));
}

/** The caller of a request and the cases that it may see. */
interface Authorised {
  readonly caller: Caller;
  readonly visible: readonly Case[];
  sees(one: Case): boolean;
}

export interface ApplicationOptions {
  readonly check: TokenCheck;
  readonly registrations: readonly Registration[];
}

/** The routes of an application, with what the caller is authorised for. */
export type ApplicationRoutes = Hono<{ Variables: { authorised: Authorised } }>;

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
    const checked = await check(context.req.raw);
    if (!checked.ok) return checked.refusal;
    const caller = callerOf(checked.claims, registrations);
    if (caller.kind === 'unknown') return forbidden(name, caller.reason);
    if (caller.kind === 'user') {
      if (!userMayRead(caller.attributes, name))
        return forbidden(name, 'The role may not read in this application');
      if (!reading.has(context.req.method)) return forbidden(name, 'Users may only read');
    }
    const sees = (one: Case): boolean => caller.kind === 'system' || userSees(caller.attributes, one, name);
    context.set('authorised', { caller, visible: cases.filter(sees), sees });
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

/** The caller of an application, as a valid token identifies it. */
type Caller =
  | { readonly kind: 'system'; readonly appid: string }
  | { readonly kind: 'user'; readonly attributes: UserAttributes }
  | { readonly kind: 'unknown'; readonly reason: string };

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

/**
 * Identifies the caller by the claims of its token: a user where there are user attributes, else a system that is
 * registered here by `appid` or `oid`. A user who signed in through a registered system is not that system. Source:
 * docs/interfaces.md, "Using a token".
 */
function callerOf(claims: JWTPayload, registrations: readonly Registration[]): Caller {
  if (claims.scp !== undefined || claims.roles !== undefined) {
    const user = userSchema.safeParse(claims);
    if (!user.success) return { kind: 'unknown', reason: 'The attributes of the user are invalid' };
    const attributes: UserAttributes = user.data;
    if (attributes.roles.length === 0) return { kind: 'unknown', reason: 'The user has no role here' };
    return { kind: 'user', attributes };
  }
  const registered = registrations.some((each) =>
    'appid' in each ? each.appid === claims.appid : each.oid === claims.oid,
  );
  if (!registered) return { kind: 'unknown', reason: 'The system is not registered in this application' };
  return { kind: 'system', appid: String(claims.appid) };
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
