import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Catalogue } from './settings.ts';

interface CatalogueSecretProps {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly access: Catalogue['access'];
  /** Encrypts a secret that is made here; undefined for the key that AWS manages. */
  readonly key: IKey | undefined;
}

/**
 * The secret that holds a catalogue's credential, or undefined where the catalogue is open. A secret that is made
 * here holds a random text until the laboratory puts its credential in. It stays when the stack is destroyed, as a
 * new credential may take weeks to get.
 */
export function catalogueSecret(
  scope: Construct,
  id: string,
  { name, access, key }: CatalogueSecretProps,
): Secret | ISecret | undefined {
  if (access.kind === 'none') return undefined;
  if (access.secret !== 'make') return Secret.fromSecretCompleteArn(scope, id, access.secret);
  const secret = new Secret(scope, id, {
    description: `Credential for the catalogue ${name} (${access.kind}); docs/deploying.md says what to put here`,
    removalPolicy: RemovalPolicy.RETAIN,
    ...(key && { encryptionKey: key }),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      "The catalogue's operator issues and rotates the credential; the poller reads it again when it is refused.",
  });
  return secret;
}
