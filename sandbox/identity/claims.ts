import type { Client, Tenant, User } from './tenants.ts';

/** How a client proved itself, as the claim `appidacr` says it: a shared secret or a certificate. */
export type AppAuthentication = '1' | '2';

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
  /** An opaque value, new at each call. */
  readonly opaque: () => string;
}

/** The claims of a client-credentials token: those of the interface specification ("Token claims"), and no other. */
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
 * The claims of a token that the client got on behalf of a user. The interface specification does not list
 * them; `scp` marks them as in the provider that it describes, so that no application takes the user for the system.
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
