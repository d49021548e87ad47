import * as z from 'zod';
import { type Access, fixedHeader } from '../http/access.ts';
import { filledText, readKeys } from './credential.ts';
import type { Secret } from './secret.ts';

const schema = z.lazy(() => z.looseObject({ authorization: filledText }, { error: 'is not a JSON object' }));

/**
 * Reads the `Authorization` header of a catalogue that issues fixed tokens from the text of a secret:
 * `{"authorization": "Token …"}`.
 *
 * @throws {IdentityError} `SECRET_WRONG`
 * @throws {AccessError} when HTTP cannot carry the value. Neither quotes anything of the secret.
 */
export function readHeader(text: string, action: string): Access {
  return fixedHeader('authorization', readKeys(text, schema, action).authorization);
}

/** Sends the header of a secret with every request. After a 401 the secret is read again, once for each value. */
export function headerAccess(secret: Secret<Access>): Access {
  return {
    headers: async () => (await secret.get()).headers(),
    renew: async () => secret.reread(await secret.get()),
  };
}
