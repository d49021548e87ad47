import { createPublicKey } from 'node:crypto';
import { importPKCS8, importSPKI } from 'jose';
import type { SigningKey } from '../../../sandbox/identity/oauth-endpoints.ts';
import { rsaKey } from './rsa-keys.ts';

/** The signing key of the identity providers in tests. */
export async function signingKey(id = 'sandbox-1', index: 0 | 1 | 2 = 1): Promise<SigningKey> {
  const key = rsaKey(index);
  const [privatePem, publicPem] = [
    key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  ];
  return {
    id,
    privateKey: await importPKCS8(privatePem, 'RS256'),
    publicKey: await importSPKI(publicPem, 'RS256', { extractable: true }),
  };
}
