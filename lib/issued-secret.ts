import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

interface IssuedSecretProps {
  /** The ARN of a secret that exists, or `make` for a new one. */
  readonly from: string;
  /** Of a new one: what it holds, and the page that says what to put there. */
  readonly description: string;
  /** Encrypts a new one; undefined for the key that AWS manages. */
  readonly key: IKey | undefined;
  /** Why AWS does not rotate it. */
  readonly issuer: string;
}

/**
 * A secret that somebody else issues. A new one holds a random text until a person puts theirs in. It stays when the stack
 * is destroyed, because another one may take weeks to get.
 */
export function issuedSecret(
  scope: Construct,
  id: string,
  { from, description, key, issuer }: IssuedSecretProps,
): Secret | ISecret {
  if (from !== 'make') return Secret.fromSecretCompleteArn(scope, id, from);
  const secret = new Secret(scope, id, {
    description,
    removalPolicy: RemovalPolicy.RETAIN,
    ...(key && { encryptionKey: key }),
  });
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: issuer });
  return secret;
}
