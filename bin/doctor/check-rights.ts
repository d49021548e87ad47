import type { Access } from '../../lambdas/catalogue/http/access.ts';
import { createApplicationClient } from '../../lambdas/catalogue/interpretation/application-client.ts';
import { type Application, InterpretationError } from '../../lambdas/catalogue/interpretation/errors.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { type Finding, failed } from './finding.ts';

interface RightsToCheck {
  readonly application: Application;
  readonly url: string;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Checks that an application accepts the token and has registered this system. It reads the base address, where the
 * interface documents nothing: any response but a refusal shows that the caller was authorised.
 */
export async function checkRights({ application, url, access, clock, log }: RightsToCheck): Promise<Finding> {
  const check = application;
  const authorised: Finding = {
    check,
    outcome: 'ok',
    text: `${url} accepts the token and has registered this system.`,
  };
  try {
    const client = createApplicationClient({ application, baseUrl: url, access, clock, log });
    try {
      await client.get([]);
      return authorised;
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof InterpretationError)) return failed(check, error);
    if (error.condition === 'UNAUTHORIZED') {
      const text = `${url} does not accept the token. Check tenant and resource: each environment has its own.`;
      return { check, outcome: 'failed', text };
    }
    if (error.condition === 'FORBIDDEN') {
      const text = `${url} accepts the token but has not registered this system. Have its client id or object id registered there.`;
      return { check, outcome: 'failed', text };
    }
    return afterAuthorisation.has(error.condition) ? authorised : failed(check, error);
  }
}

/** What an application may respond once the caller is authorised, where it has nothing at its base address. */
const afterAuthorisation: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'REQUEST_REFUSED',
  'HTML',
  'JSON_WRONG',
]);
