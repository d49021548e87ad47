import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretSource } from './secret.ts';

interface SecretsManagerOptions {
  /** Name or ARN. */
  readonly secretId: string;
  /** By default, the client that the environment configures. It is made when the secret is first read. */
  readonly client?: () => Pick<SecretsManagerClient, 'send'>;
}

/** The current version of a secret in AWS Secrets Manager. */
export function secretsManagerSecret({
  secretId,
  client = () => new SecretsManagerClient({}),
}: SecretsManagerOptions): SecretSource {
  let made: ReturnType<typeof client> | null = null;
  return {
    name: `the secret ${secretId}`,
    read: async () => {
      made ??= client();
      const { SecretString } = await made.send(new GetSecretValueCommand({ SecretId: secretId }));
      if (SecretString === undefined) throw new Error('The secret is binary; expected text');
      return SecretString;
    },
  };
}
