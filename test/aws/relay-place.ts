import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Clients } from './clients.ts';
import type { Deployment } from './deployment.ts';

/** The relay of the one catalogue whose panels are read here. */
export const relaySettings = { address: 'https://relay.example.org', catalogues: ['archived'] } as const;

/** A pair of keys, as PEM. */
export function newSigningKey(): { readonly key: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

interface Stage {
  readonly deployment: Deployment;
}

/** Puts a key into the secret of the stage's relay. */
export async function putSigningKey(
  { clients }: { readonly clients: Clients },
  { deployment, key }: Stage & { readonly key: string },
): Promise<void> {
  await clients.secrets.send(
    new PutSecretValueCommand({ SecretId: deployment.outputs.SecretRelay, SecretString: key }),
  );
}

/** Copies the relay's bucket into a folder; returns the names of its objects. */
export async function copyRelay(
  { clients: { s3 } }: { readonly clients: Clients },
  { deployment, to }: Stage & { readonly to: string },
): Promise<readonly string[]> {
  const Bucket = deployment.outputs.RelayBucket ?? '';
  const names: string[] = [];
  for await (const { Contents: objects = [] } of paginateListObjectsV2({ client: s3 }, { Bucket }))
    for (const { Key = '' } of objects) {
      const { Body: body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      mkdirSync(dirname(join(to, Key)), { recursive: true });
      writeFileSync(join(to, Key), (await body?.transformToByteArray()) ?? '');
      names.push(Key);
    }
  return names;
}
