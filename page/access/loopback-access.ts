import type { Access } from './access.ts';
import { createFormTokens } from './form-token.ts';

/**
 * Every user of this machine may read.
 * @param as the name under which each of them decides; without it, the worklist can be read only
 */
export function loopbackAccess(as?: string): Access {
  const formToken = createFormTokens()('this machine');
  const person = as === undefined ? null : ({ id: as, name: as, account: as, role: 'decider' } as const);
  const visitor = { person, formToken, canSignOut: false, isStillAllowed: async () => true };
  return {
    site: { kind: 'loopback' },
    mayConnect: () => true,
    isLimited: false,
    machinePaths: new Set(),
    answer: async () => null,
    admit: async () => visitor,
  };
}
