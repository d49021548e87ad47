import type { Client, Tenant, TenantName, User, UserAttributes } from './tenants.ts';

/**
 * The accounts that the sandbox starts with. They are made up and public: use these credentials against the sandbox.
 */

const redirectUris = [
  'http://localhost:8080/signed-in',
  'http://127.0.0.1/signed-in',
  'https://127.0.0.1/signed-in',
];

/** A client that is registered in all applications by its `appid`. */
export const decisionSupport: Client = {
  name: 'Decision support, Northern laboratory',
  clientId: '0b6d3a52-8c1f-4f6e-9d27-5a1e7c3f4b10',
  objectId: '5f1c2f7e-3d84-4a0b-8e61-9b0c6d2e7a11',
  // With the characters that make form fields unreliable. Some clients send a header in Latin-1: the second, which is not
  // ASCII, is for those that send UTF-8.
  secrets: ['s4ndbox:+/%?~&=', 's4ndbox:+/%?é&='],
  certificates: [],
  onboarded: true,
  redirectUris,
};

/** A client that is registered by its `oid`, in two of them only. */
export const reportWriter: Client = {
  name: 'Report writer, Southern laboratory',
  clientId: '2e8f5c74-1a3b-4d9e-b6f0-7c2d9e5a4b20',
  objectId: '6a2d3e8f-4c95-4b1c-9f72-ac1d7e3f8b21',
  secrets: ['sandbox-report-writer'],
  certificates: [],
  onboarded: true,
  redirectUris: [],
};

/** A client that obtains tokens, and is registered in no application. */
export const unregistered: Client = {
  name: 'Unregistered system',
  clientId: '3f906d85-2b4c-4e0f-87a1-8d3eaf6b5c30',
  objectId: '7b3e4f90-5da6-4c2d-a083-bd2e8f4a9c31',
  secrets: ['sandbox-unregistered'],
  certificates: [],
  onboarded: true,
  redirectUris: [],
};

/** A client that has not completed onboarding, so it obtains no token. */
export const notOnboarded: Client = {
  name: 'System without onboarding',
  clientId: '40a17e96-3c5d-4f10-98b2-9e4fb07c6d40',
  objectId: '8c4f50a1-6eb7-4d3e-b194-ce3f905bad41',
  secrets: ['sandbox-not-onboarded'],
  certificates: [],
  onboarded: false,
  redirectUris: [],
};

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
