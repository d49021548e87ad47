import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretSource } from './secret-source.ts';

interface SecretsManagerOptions {
  /** Name or ARN. */
  readonly secretId: string;
  /** By default, the client that the environment configures. */
  readonly client?: () => Promise<Pick<SecretsManagerClient, 'send'>>;
}

/** The current version of a secret in AWS Secrets Manager. */
export function secretsManagerSecret({ secretId, client = ownClient }: SecretsManagerOptions): SecretSource {
  let made: ReturnType<typeof client> | null = null;
  return {
    name: `the secret ${secretId}`,
    read: async () => {
      const { GetSecretValueCommand } = await import('./secrets-manager-client.ts');
      made ??= client();
      const { SecretString } = await (await made).send(new GetSecretValueCommand({ SecretId: secretId }));
      if (SecretString === undefined) throw new Error('The secret is binary; expected text');
      return SecretString;
    },
  };
}

/** Loads the client when a secret is first read: a catalogue with open access needs none. */
async function ownClient(): Promise<SecretsManagerClient> {
  const { SecretsManagerClient } = await import('./secrets-manager-client.ts');
  return new SecretsManagerClient({});
}
