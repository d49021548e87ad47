import type { Access } from './access.ts';
import { createFormTokens } from './form-token.ts';

/** Every user of this machine may read; the page knows no names. */
export function loopbackAccess(): Access {
  const formToken = createFormTokens()('this machine');
  const visitor = { person: null, formToken, canSignOut: false, isStillAllowed: async () => true };
  return {
    site: { kind: 'loopback' },
    mayConnect: () => true,
    isLimited: false,
    machinePaths: new Set(),
    answer: async () => null,
    admit: async () => visitor,
  };
}
