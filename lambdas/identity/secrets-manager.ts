import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretSource } from './secret-source.ts';

export interface SecretsManagerOptions {
  /** Name or ARN. */
  readonly secretId: string;
  /** Another client than that of the environment. */
  readonly client?: () => Promise<Pick<SecretsManagerClient, 'send'>>;
}

/** A secret in AWS Secrets Manager, its current version. */
export function secretsManagerSecret({ secretId, client = ownClient }: SecretsManagerOptions): SecretSource {
  let made: ReturnType<typeof client> | null = null;
  return {
    name: `the secret ${secretId}`,
    read: async () => {
      const { GetSecretValueCommand } = await import('@aws-sdk/client-secrets-manager');
      made ??= client();
      const { SecretString } = await (await made).send(new GetSecretValueCommand({ SecretId: secretId }));
      if (SecretString === undefined) throw new Error('It is binary; it was to be text');
      return SecretString;
    },
  };
}

/** Loaded when the first secret is read: a catalogue that anybody may read needs none. */
async function ownClient(): Promise<SecretsManagerClient> {
  const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  return new SecretsManagerClient({});
}
