import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Caller, callerOf } from './caller.ts';
import { type Case, cases } from './cases.ts';
import { refusal } from './refusal.ts';
import type { ApplicationName, Registration } from './registrations.ts';
import type { TokenCheck } from './token-check.ts';
import { userMayRead, userSees } from './user-rules.ts';

/** Who calls and what they may see, for the routes of an application. */
interface Visit {
  readonly caller: Caller;
  readonly visible: readonly Case[];
  sees(one: Case): boolean;
}

export interface ApplicationOptions {
  readonly check: TokenCheck;
  readonly registrations: readonly Registration[];
}

export type ApplicationRoutes = Hono<{ Variables: { visit: Visit } }>;

const LARGEST_BODY = 1024 * 1024;

/**
 * What all four applications have in common: each authorises every request by itself, before it looks at the
 * path. A registered system may read all; a user may read what the roles allow, and write nothing.
 */
export function createApplication(
  name: ApplicationName,
  { check, registrations }: ApplicationOptions,
): ApplicationRoutes {
  const routes: ApplicationRoutes = new Hono();
  routes.use(bodyLimit({ maxSize: LARGEST_BODY }));
  routes.use(async (context, next) => {
    const checked = await check(context.req.raw);
    if (!checked.ok) return checked.refusal;
    const caller = callerOf(checked.claims, registrations);
    if (caller.kind === 'stranger') return forbidden(name, caller.why);
    if (caller.kind === 'user') {
      if (!userMayRead(caller.attributes, name))
        return forbidden(name, 'The role may not read in this application');
      if (context.req.method !== 'GET') return forbidden(name, 'Users read only');
    }
    const sees = (one: Case): boolean => caller.kind === 'system' || userSees(caller.attributes, one, name);
    context.set('visit', { caller, visible: cases.filter(sees), sees });
    await next();
    return undefined;
  });
  routes.notFound(() => Response.json({ detail: 'Not found' }, { status: 404 }));
  return routes;
}

/** 403, with the reason. */
export function forbidden(name: ApplicationName, why: string): Response {
  return refusal(name, 'insufficient_scope', why);
}
