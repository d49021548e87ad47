import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Catalogue } from './settings.ts';

/**
 * The secret behind a catalogue's access, or none where the catalogue is open. A secret made here holds a
 * random text until the laboratory puts its credential in; it outlives the stack, as credentials are hard to
 * come by.
 */
export function catalogueSecret(
  scope: Construct,
  id: string,
  { name, access }: { readonly name: string; readonly access: Catalogue['access'] },
): Secret | ISecret | undefined {
  if (access.kind === 'none') return undefined;
  if (access.secret !== 'make') return Secret.fromSecretCompleteArn(scope, id, access.secret);
  const secret = new Secret(scope, id, {
    description: `Credential for the catalogue ${name} (${access.kind}); docs/deploying.md says what to put here`,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      "The catalogue's operator issues the credential and rotates it; the poller re-reads it when refused.",
  });
  return secret;
}
