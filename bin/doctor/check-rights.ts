import type { Clock } from '../../lambdas/clock/clock.ts';
import type { Access } from '../../lambdas/http/access.ts';
import { createApplicationClient } from '../../lambdas/interpretation/application-client.ts';
import { type Application, InterpretationError } from '../../lambdas/interpretation/errors.ts';
import type { Log } from '../../lambdas/log/log.ts';
import { type Finding, failed } from './finding.ts';

export interface RightsToCheck {
  readonly application: Application;
  readonly url: string;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Whether an application takes the token and knows this system. Its base address is read, of which the
 * specification says nothing: any answer but a refusal shows that the caller was let in.
 */
export async function checkRights({ application, url, access, clock, log }: RightsToCheck): Promise<Finding> {
  const check = application;
  const letIn: Finding = { check, outcome: 'ok', says: `${url} takes the token and knows this system.` };
  try {
    const client = createApplicationClient({ application, baseUrl: url, access, clock, log });
    try {
      await client.get([]);
      return letIn;
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!(error instanceof InterpretationError)) return failed(check, error);
    if (error.condition === 'UNAUTHORIZED') {
      const says = `${url} does not take the token. Check tenant and resource: each environment has its own.`;
      return { check, outcome: 'failed', says };
    }
    if (error.condition === 'FORBIDDEN') {
      const says = `${url} takes the token but does not know this system. Have its client id or object id registered there.`;
      return { check, outcome: 'failed', says };
    }
    return answered.has(error.condition) ? letIn : failed(check, error);
  }
}

/** What an answer from behind the door looks like where nothing is at the base address. */
const answered: ReadonlySet<string> = new Set(['NOT_FOUND', 'REQUEST_REFUSED', 'HTML', 'JSON_WRONG']);
