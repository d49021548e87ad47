import { readFile } from 'node:fs/promises';
import type { SecretSource } from '../../lambdas/catalogue/identity/secret-source.ts';
import type { Io } from '../command.ts';

/** A secret in a file, read again each time, because it may be rotated. */
export function fileSecret(path: string): SecretSource {
  // Some editors on Windows begin a file with a byte order mark, which is not JSON.
  const read = async (): Promise<string> => (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  return { name: `the secret in ${path}`, read };
}

/** The secret in the environment variables `CLIENT_ID` and `CLIENT_SECRET`. */
export function environmentSecret({ CLIENT_ID, CLIENT_SECRET }: Io['env']): SecretSource {
  const text = JSON.stringify({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
  return { name: 'the secret in CLIENT_ID and CLIENT_SECRET', read: async () => text };
}
