import { decisionSupport, reportWriter, tenants } from '../identity/residents.ts';
import type { TenantName } from '../identity/tenants.ts';

/** The applications of the interpretation API family (interface specification, "What the service does", 1). */
export const applicationNames = [
  'interpretation-api',
  'variant-store',
  'sample-matching',
  're-identification',
] as const;
export type ApplicationName = (typeof applicationNames)[number];

/** A TPI system as an application knows it: by `appid` or by `oid`. */
export type Registration = { readonly appid: string } | { readonly oid: string };

export type Registrations = Readonly<Record<ApplicationName, readonly Registration[]>>;

/**
 * Who is registered where; each application keeps its own list. The report writer is known to two of them only,
 * and the stranger to none.
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
  };
}
