import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { issuedSecret } from './issued-secret.ts';
import type { Catalogue } from './settings.ts';

interface CatalogueSecretProps {
  /** The catalogue's configured name. */
  readonly name: string;
  readonly access: Catalogue['access'];
  /** Encrypts a secret that is made here; undefined for the key that AWS manages. */
  readonly key: IKey | undefined;
}

/** The secret that holds a catalogue's credential, or undefined where the catalogue is open. */
export function catalogueSecret(
  scope: Construct,
  id: string,
  { name, access, key }: CatalogueSecretProps,
): Secret | ISecret | undefined {
  if (access.kind === 'none') return undefined;
  return issuedSecret(scope, id, {
    from: access.secret,
    description: `Credential for the catalogue ${name} (${access.kind}); docs/deploying.md says what to put here`,
    key,
    issuer:
      "The catalogue's operator issues and rotates the credential; the poller reads it again when it is refused.",
  });
}
