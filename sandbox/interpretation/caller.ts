import type { JWTPayload } from 'jose';
import * as z from 'zod';
import { countries, type Role, roles, type UserAttributes } from '../identity/tenants.ts';
import type { Registration } from './registrations.ts';

/** Whom an application has before it, once the token is good. */
export type Caller =
  | { readonly kind: 'system'; readonly appid: string }
  | { readonly kind: 'user'; readonly attributes: UserAttributes }
  | { readonly kind: 'stranger'; readonly why: string };

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
 * Who calls, by the claims of the token (interface specification, "Authentication", 9): a user by the attributes,
 * else a system that is registered here by `appid` or `oid`. A user who came through a registered system is not
 * the system.
 */
export function callerOf(claims: JWTPayload, registrations: readonly Registration[]): Caller {
  if (claims.scp !== undefined || claims.roles !== undefined) {
    const user = userSchema.safeParse(claims);
    if (!user.success) return { kind: 'stranger', why: 'The attributes of the user cannot be read' };
    const attributes: UserAttributes = user.data;
    if (attributes.roles.length === 0) return { kind: 'stranger', why: 'The user has no role here' };
    return { kind: 'user', attributes };
  }
  const registered = registrations.some((each) =>
    'appid' in each ? each.appid === claims.appid : each.oid === claims.oid,
  );
  if (!registered) return { kind: 'stranger', why: 'The system is not registered in this application' };
  return { kind: 'system', appid: String(claims.appid) };
}
