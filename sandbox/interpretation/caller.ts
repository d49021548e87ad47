import type { JWTPayload } from 'jose';
import * as z from 'zod';
import { countries, type Role, roles, type UserAttributes } from '../identity/tenants.ts';
import type { Registration } from './registrations.ts';

/** The caller of an application, as a valid token identifies it. */
export type Caller =
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
export function callerOf(claims: JWTPayload, registrations: readonly Registration[]): Caller {
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
