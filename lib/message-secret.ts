import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { issuedSecret } from './issued-secret.ts';
import type { Deployment } from './settings.ts';

interface MessageSecretProps {
  readonly settings: Pick<Deployment, 'messages'>;
  /** Encrypts a new secret; undefined for the key that Secrets Manager owns. */
  readonly key: IKey | undefined;
  /** Whether a channel reads an address or a token, which is a secret. */
  readonly hasSecrets: boolean;
}

/**
 * The secret with webhook addresses and passwords of the channels: a new one, or the one that the settings name.
 * Undefined where no channel needs one.
 */
export function messageSecret(
  scope: Construct,
  { settings: { messages }, key, hasSecrets }: MessageSecretProps,
): Secret | ISecret | undefined {
  if (!hasSecrets && messages.relay?.login === undefined) return undefined;
  return issuedSecret(scope, 'Secret', {
    from: messages.secret,
    description:
      'Webhook addresses and passwords of the channels; docs/guides/messages.md says what to put here',
    key,
    issuer: 'Slack, Teams and mail servers issue these; notify reads the secret again when one is refused.',
  });
}
