import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { IdentityError } from './errors.ts';

/** How an assertion is signed: PS256, or RS256 for tenants that know nothing newer. */
export type AssertionAlgorithm = 'PS256' | 'RS256';

/** A certificate that stands in for the shared secret (interface specification, "Authentication", 4). */
export interface CertificateKey {
  readonly privateKey: KeyObject;
  readonly certificate: X509Certificate;
  readonly algorithm: AssertionAlgorithm;
}

/** So many bits the standard asks of an RSA key (RFC 7518, 3.3). */
const LEAST_BITS = 2048;

/**
 * Reads a private key and the certificate that belongs to it, both PEM. Fails with an `IdentityError`
 * (`CREDENTIAL_WRONG`) that names the part that is wrong and quotes nothing of it.
 */
export function readCertificateKey(
  action: string,
  {
    privateKey,
    certificate,
    algorithm,
  }: Record<'privateKey' | 'certificate', string> & Pick<CertificateKey, 'algorithm'>,
): CertificateKey {
  const wrong = (seen: string): IdentityError => new IdentityError('CREDENTIAL_WRONG', action, seen);
  // What OpenSSL says of a broken key is no help, and nobody has checked that it never quotes it.
  const read = <Part>(part: string, parse: () => Part): Part => {
    try {
      return parse();
    } catch {
      throw wrong(`${part} is not PEM that can be read (a key with a passphrase cannot be)`);
    }
  };
  const key = {
    privateKey: read('private_key', () => createPrivateKey(privateKey)),
    certificate: read('certificate', () => new X509Certificate(certificate)),
    algorithm,
  };
  const bits = key.privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.privateKey.asymmetricKeyType !== 'rsa' || bits < LEAST_BITS) {
    throw wrong(`private_key is not an RSA key of at least ${LEAST_BITS} bits`);
  }
  if (!key.certificate.checkPrivateKey(key.privateKey)) {
    throw wrong('private_key and certificate do not belong together');
  }
  return key;
}
