import type { Access } from '../http/access.ts';
import type { TokenSource } from './token-source.ts';

const PREFIX = 'Bearer ';

/** Sends `Authorization: Bearer <token>` with every request. Source: docs/interfaces.md, "Using a token". */
export function bearerAccess(tokens: Pick<TokenSource, 'token' | 'renew'>): Access {
  return {
    headers: async () => ({ authorization: `${PREFIX}${await tokens.token()}` }),
    renew: async (refused) => {
      await tokens.renew(refused?.authorization?.slice(PREFIX.length));
      return true;
    },
  };
}
