/** The two tenants of the identity provider. Source: docs/interfaces.md, "The identity provider". */
export type TenantName = 'non-production' | 'production';

/** A client: one system at one site. Source: docs/interfaces.md, "Clients". */
export interface Client {
  readonly name: string;
  /** Its `client_id`, also called `appid`. */
  readonly clientId: string;
  /** The id of its principal in the tenant: the claims `oid` and `sub`. */
  readonly objectId: string;
  /** Each is accepted: during a rotation there may be two. */
  readonly secrets: readonly string[];
  /** PEM; each is accepted in place of a secret. */
  readonly certificates: readonly string[];
  /** Whether onboarding is complete; before that, no token is issued. */
  readonly onboarded: boolean;
  /** The addresses that the browser may be redirected to with a code. */
  readonly redirectUris: readonly string[];
}

/** The roles of users. Source: docs/interfaces.md, "Users". */
export const roles = ['NCR003', 'NCR004', 'NNR501', 'NNR502', 'NNR503', 'NNR504'] as const;
export type Role = (typeof roles)[number];

export const countries = ['England', 'Wales', 'Northern Ireland', 'Scotland'] as const;
export type Country = (typeof countries)[number];

/** The attributes of a user in a token. Tokens of systems have none. */
export interface UserAttributes {
  readonly roles: readonly Role[];
  readonly entity_code?: string;
  readonly country?: Country;
  /** The centre that the user belongs to. */
  readonly centre?: string;
  /** Laboratories (local delivery partners) of the legacy programme. */
  readonly primaryLdpCode100k?: string;
  readonly secondaryLdpCodes100k?: readonly string[];
  /** The groups of cases that a third-party user has access to. */
  readonly groups?: readonly string[];
}

/** A person who can sign in. */
export interface User {
  readonly name: string;
  readonly objectId: string;
  readonly attributes: UserAttributes;
}

/** A tenant with its registered clients and its users. */
export interface Tenant {
  readonly name: TenantName;
  /** `<tenant_id>`. */
  readonly id: string;
  /** The claim `tenant_region_scope`. */
  readonly region: string;
  /** The signature algorithms of assertions that it accepts. Older tenants accept RS256 only. */
  readonly assertionAlgorithms: readonly string[];
  readonly clients: readonly Client[];
  readonly users: readonly User[];
}

/** The resource of the interpretation API family: the audience of a token for which no resource is requested. */
export const familyResource = 'https://interpretation.sandbox.example';

/** A second resource that tenants know. The applications of the family refuse tokens for it. */
export const otherResource = 'https://other.sandbox.example';

/** The tenants, which change while the sandbox runs. */
export interface Directory {
  readonly tenants: readonly Tenant[];
  tenant(id: string): Tenant | undefined;
  client(tenantId: string, clientId: string): Client | undefined;
  /** Replaces the secrets of a client by this one. */
  rotateSecret(clientId: string, secret: string): void;
  /** Adds a certificate (PEM) to a client's credentials. */
  register(clientId: string, certificate: string): void;
}

/** Creates a directory with these tenants. */
export function createDirectory(start: Readonly<Record<TenantName, Tenant>>): Directory {
  const tenants = new Map(Object.values(start).map((tenant) => [tenant.id, tenant]));
  const change = (clientId: string, changed: (client: Client) => Client): void => {
    for (const [id, tenant] of tenants) {
      const clients = tenant.clients.map((each) => (each.clientId === clientId ? changed(each) : each));
      tenants.set(id, { ...tenant, clients });
    }
  };
  return {
    get tenants() {
      return [...tenants.values()];
    },
    tenant: (id) => tenants.get(id),
    client: (tenantId, clientId) => tenants.get(tenantId)?.clients.find((each) => each.clientId === clientId),
    rotateSecret: (clientId, secret) => change(clientId, (client) => ({ ...client, secrets: [secret] })),
    register: (clientId, certificate) =>
      change(clientId, (client) => ({ ...client, certificates: [...client.certificates, certificate] })),
  };
}
