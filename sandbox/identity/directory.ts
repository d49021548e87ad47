import type { Client, Tenant, TenantName } from './tenants.ts';

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
