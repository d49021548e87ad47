import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { Clients } from './clients.ts';
import type { Deployment } from './deployment.ts';
import type { Receivers } from './receivers.ts';

/** Signs what the webhook of programs gets. */
export const webhookKey = `whsec_${Buffer.from('a key of the check, 32 characters').toString('base64')}`;

/** Puts the addresses of the receivers into the secret of the channels, as a person does after deploying. */
export async function fillChannelSecret(
  { clients, receivers }: { readonly clients: Clients; readonly receivers: Receivers },
  deployment: Deployment,
): Promise<void> {
  const { physicalId: SecretId } = deployment.find('AWS::SecretsManager::Secret', ({ Description }) =>
    /^Webhook addresses/.test(String(Description)),
  );
  const SecretString = JSON.stringify({
    'it-slack': receivers.address('it-slack'),
    'lab-slack': receivers.address('lab-slack'),
    'lab-teams': receivers.address('lab-teams'),
    pipeline: { url: receivers.address('pipeline'), key: webhookKey },
  });
  await clients.secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
}
