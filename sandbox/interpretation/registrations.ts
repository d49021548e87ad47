import { decisionSupport, reportWriter, tenants } from '../identity/accounts.ts';
import type { TenantName } from '../identity/tenants.ts';

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
export type Registration = { readonly appid: string } | { readonly oid: string };

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
