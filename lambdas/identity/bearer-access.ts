import type { Access } from '../http/access.ts';
import type { TokenSource } from './token-source.ts';

export interface BearerAccess extends Access {
  /** After a 401 to `refused`, the headers that were sent; without them, whatever is held is dropped. */
  renew(refused?: Readonly<Record<string, string>>): Promise<boolean>;
}

const PREFIX = 'Bearer ';

/** `Authorization: Bearer <token>` with every request (interface specification, "Authentication", 6). */
export function bearerAccess(tokens: Pick<TokenSource, 'token' | 'renew'>): BearerAccess {
  return {
    headers: async () => ({ authorization: `${PREFIX}${await tokens.token()}` }),
    renew: async (refused) => {
      await tokens.renew(refused?.authorization?.slice(PREFIX.length));
      return true;
    },
  };
}
