/**
 * The accounts that the sandbox starts with. They are made up and public: use these credentials against the sandbox.
 */

const redirectUris = [
  'http://localhost:8080/signed-in',
  'http://127.0.0.1/signed-in',
  'https://127.0.0.1/signed-in',
];

const aClient = (
  client: Pick<Client, 'name' | 'clientId' | 'objectId' | 'secrets'> & Partial<Client>,
): Client => ({ certificates: [], onboarded: true, redirectUris: [], ...client });

/** A client that is registered in all applications by its `appid`. */
export const decisionSupport = aClient({
  name: 'Decision support, Northern laboratory',
  clientId: '0b6d3a52-8c1f-4f6e-9d27-5a1e7c3f4b10',
  objectId: '5f1c2f7e-3d84-4a0b-8e61-9b0c6d2e7a11',
  // With the characters that make form fields unreliable. Some clients send a header in Latin-1: the second, which is not
  // ASCII, is for those that send UTF-8.
  secrets: ['s4ndbox:+/%?~&=', 's4ndbox:+/%?é&='],
  redirectUris,
});

/** A client that is registered by its `oid`, in two of them only. */
export const reportWriter = aClient({
  name: 'Report writer, Southern laboratory',
  clientId: '2e8f5c74-1a3b-4d9e-b6f0-7c2d9e5a4b20',
  objectId: '6a2d3e8f-4c95-4b1c-9f72-ac1d7e3f8b21',
  secrets: ['sandbox-report-writer'],
});

/** A client that obtains tokens, and is registered in no application. */
export const unregistered = aClient({
  name: 'Unregistered system',
  clientId: '3f906d85-2b4c-4e0f-87a1-8d3eaf6b5c30',
  objectId: '7b3e4f90-5da6-4c2d-a083-bd2e8f4a9c31',
  secrets: ['sandbox-unregistered'],
});

/** A client that has not completed onboarding, so it obtains no token. */
export const notOnboarded = aClient({
  name: 'System without onboarding',
  clientId: '40a17e96-3c5d-4f10-98b2-9e4fb07c6d40',
  objectId: '8c4f50a1-6eb7-4d3e-b194-ce3f905bad41',
  secrets: ['sandbox-not-onboarded'],
  onboarded: false,
});

let count = 0;
function user(name: string, attributes: UserAttributes): User {
  count += 1;
  return { name, objectId: `9d5061b2-7fc8-4e4f-82a5-${String(count).padStart(12, '0')}`, attributes };
}

/** A user for each role, and one without. */
export const users = {
  scientistEngland: user('Sofia Scientist', {
    roles: ['NCR003'],
    entity_code: 'RGT1',
    country: 'England',
    centre: 'North',
    primaryLdpCode100k: 'LDP-A',
    secondaryLdpCodes100k: ['LDP-B'],
  }),
  scientistWales: user('Wyn Scientist', { roles: ['NCR003'], entity_code: 'RWM0', country: 'Wales' }),
  managerScotland: user('Morag Manager', { roles: ['NCR004'], entity_code: 'SGA2', country: 'Scotland' }),
  operator: user('Olu Operator', { roles: ['NNR501'], entity_code: 'OPR0' }),
  thirdParty: user('Theo Thirdparty', { roles: ['NNR502'], entity_code: 'TPI9', groups: ['support-desk'] }),
  legacy: user('Lena Legacy', {
    roles: ['NNR503'],
    entity_code: 'RLG3',
    primaryLdpCode100k: 'LDP-C',
    secondaryLdpCodes100k: ['LDP-A'],
  }),
  auditor: user('Ada Auditor', { roles: ['NNR504'], entity_code: 'AUD1' }),
  withoutRole: user('Nora Norole', { roles: [], entity_code: 'RGT1', country: 'England' }),
} satisfies Readonly<Record<string, User>>;

/** The two tenants. They have the same systems, with other identifiers and other secrets. */
export const tenants: Readonly<Record<TenantName, Tenant>> = {
  'non-production': {
    name: 'non-production',
    id: 'a1e4c0de-0000-4000-8000-00000000da7a',
    region: 'EU',
    assertionAlgorithms: ['PS256', 'RS256'],
    clients: [decisionSupport, reportWriter, unregistered, notOnboarded],
    users: Object.values(users),
  },
  production: {
    name: 'production',
    id: 'b2f5d1ef-0000-4000-8000-00000000da7b',
    region: 'EU',
    assertionAlgorithms: ['RS256'],
    clients: [decisionSupport, reportWriter].map(inProduction),
    users: Object.values(users),
  },
};

function inProduction(client: Client): Client {
  return {
    ...client,
    clientId: client.clientId.replace(/^./, 'f'),
    objectId: client.objectId.replace(/^./, 'f'),
    secrets: client.secrets.map((secret) => `${secret}-production`),
  };
}

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
