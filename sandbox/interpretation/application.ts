import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Caller, callerOf } from './caller.ts';
import { type Case, cases } from './cases.ts';
import { refusal } from './refusal.ts';
import type { ApplicationName, Registration } from './registrations.ts';
import type { TokenCheck } from './token-check.ts';
import { userMayRead, userSees } from './user-rules.ts';

/** The caller of a request and the cases that it may see. */
interface Authorised {
  readonly caller: Caller;
  readonly visible: readonly Case[];
  sees(one: Case): boolean;
}

export interface ApplicationOptions {
  readonly check: TokenCheck;
  readonly registrations: readonly Registration[];
}

/** The routes of an application, with what the caller is authorised for. */
export type ApplicationRoutes = Hono<{ Variables: { authorised: Authorised } }>;

const LARGEST_BODY = 1024 * 1024;

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Creates the part that all applications share: each authorises every request itself, before it looks at the path.
 * A registered system may read everything. A user may read what the roles allow, and write nothing.
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
    if (caller.kind === 'unknown') return forbidden(name, caller.reason);
    if (caller.kind === 'user') {
      if (!userMayRead(caller.attributes, name))
        return forbidden(name, 'The role may not read in this application');
      if (!reading.has(context.req.method)) return forbidden(name, 'Users may only read');
    }
    const sees = (one: Case): boolean => caller.kind === 'system' || userSees(caller.attributes, one, name);
    context.set('authorised', { caller, visible: cases.filter(sees), sees });
    await next();
    return undefined;
  });
  routes.notFound(() => Response.json({ detail: 'Not found' }, { status: 404 }));
  return routes;
}

/** The 403 response, with the reason. */
export function forbidden(name: ApplicationName, reason: string): Response {
  return refusal(name, 'insufficient_scope', reason);
}
