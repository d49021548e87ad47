import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { IdentityError } from './errors.ts';

/** The signature of an assertion. Older tenants know only RS256. */
export const assertionAlgorithms = ['PS256', 'RS256'] as const;
export type AssertionAlgorithm = (typeof assertionAlgorithms)[number];

/** A certificate with its key, used in place of the shared secret. Source: docs/interfaces.md, "Clients". */
export interface CertificateKey {
  readonly privateKey: KeyObject;
  readonly certificate: X509Certificate;
  readonly algorithm: AssertionAlgorithm;
}

/** The shortest RSA key that RFC 7518 (3.3) allows. */
const LEAST_BITS = 2048;

/**
 * Reads a private key and its certificate, both PEM.
 *
 * @throws {IdentityError} `CREDENTIAL_WRONG`, naming the part that is wrong and quoting nothing of it
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
  // OpenSSL's own errors do not help, and might quote the key.
  const read = <Part>(part: string, parse: () => Part): Part => {
    try {
      return parse();
    } catch {
      throw wrong(`${part} is not readable PEM (a key with a passphrase is not readable)`);
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
