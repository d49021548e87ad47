/** The two tenants of the identity provider (interface specification, "Authentication", 7). */
export type TenantName = 'non-production' | 'production';

/** An application that went through onboarding: one TPI system at one site. */
export interface Client {
  readonly name: string;
  /** Its `client_id`, also called `appid`. */
  readonly clientId: string;
  /** Its principal in the tenant: the claims `oid` and `sub`. */
  readonly objectId: string;
  /** Any of them is taken: while a secret is rotated there may be two. */
  readonly secrets: readonly string[];
  /** PEM; any of them may stand in for a secret. */
  readonly certificates: readonly string[];
  /** Whether onboarding was completed; without it there is no token. */
  readonly onboarded: boolean;
  /** Where the browser may be sent back to with a code. */
  readonly redirectUris: readonly string[];
}

/** The roles of user identities (interface specification, "Authorisation for user identities"). */
export const roles = ['NCR003', 'NCR004', 'NNR501', 'NNR502', 'NNR503', 'NNR504'] as const;
export type Role = (typeof roles)[number];

export const countries = ['England', 'Wales', 'Northern Ireland', 'Scotland'] as const;
export type Country = (typeof countries)[number];

/** What a token says of a user, beside who it is; system accounts have none of it. */
export interface UserAttributes {
  readonly roles: readonly Role[];
  readonly entity_code?: string;
  readonly country?: Country;
  /** The centre that the user belongs to. */
  readonly centre?: string;
  /** Laboratories (local delivery partners) of the legacy programme. */
  readonly primaryLdpCode100k?: string;
  readonly secondaryLdpCodes100k?: readonly string[];
  /** Groups of cases that a third-party user was let into. */
  readonly groups?: readonly string[];
}

export interface User {
  readonly name: string;
  readonly objectId: string;
  readonly attributes: UserAttributes;
}

export interface Tenant {
  readonly name: TenantName;
  /** `<tenant_id>`. */
  readonly id: string;
  /** The claim `tenant_region_scope`. */
  readonly region: string;
  /** Signatures that assertions may have; the older of the two is all that some tenants know. */
  readonly assertionAlgorithms: readonly string[];
  readonly clients: readonly Client[];
  readonly users: readonly User[];
}

/** The resource that the interpretation API family is: the audience of a token where none is asked for. */
export const familyResource = 'https://interpretation.sandbox.example';
