import type { Client, Tenant, User } from './tenants.ts';

/** Client authentication as the claim `appidacr` states it: 1 by shared secret, 2 by certificate. */
export type AppAuthentication = '1' | '2';

/** The issuer of a token, its client or user, and how that one proved its identity. */
export interface Issue {
  readonly issuer: string;
  readonly tenant: Tenant;
  readonly client: Client;
  readonly authentication: AppAuthentication;
  readonly audience: string;
  /** Epoch seconds. */
  readonly now: number;
  /** Seconds. */
  readonly lifetime: number;
  /** Returns another opaque value at each call. */
  readonly opaque: () => string;
}

/** The claims of a client-credentials token, and no others. Source: docs/interfaces.md, "Token claims". */
export function systemClaims(issue: Issue): Readonly<Record<string, string | number>> {
  const { client, opaque } = issue;
  return {
    ...commonClaims(issue),
    oid: client.objectId,
    sub: client.objectId,
    tenant_region_scope: issue.tenant.region,
    tid: issue.tenant.id,
    uti: opaque(),
    ver: '1.0',
  };
}

/**
 * The claims of a token that a client obtained for a user. The interface does not document them. `scp` marks the token
 * as a user's, so that no application takes the user for the system.
 */
export function userClaims(issue: Issue, user: User): Readonly<Record<string, unknown>> {
  return {
    ...commonClaims(issue),
    ...user.attributes,
    name: user.name,
    oid: user.objectId,
    scp: 'user_impersonation',
    sub: `${user.objectId}:${issue.client.clientId}`,
    tenant_region_scope: issue.tenant.region,
    tid: issue.tenant.id,
    uti: issue.opaque(),
    ver: '1.0',
  };
}

function commonClaims({ issuer, client, authentication, audience, now, lifetime, opaque }: Issue) {
  return {
    aud: audience,
    iss: issuer,
    iat: now,
    nbf: now,
    exp: now + lifetime,
    aio: opaque(),
    appid: client.clientId,
    appidacr: authentication,
    idp: issuer,
  };
}
