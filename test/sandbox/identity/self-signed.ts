import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { rsaKey } from '../../catalogue/identity/rsa-keys.ts';

/** A key and its certificate as a client keeps them: both PEM. */
export interface SelfSigned {
  readonly privateKey: string;
  readonly certificate: string;
}

interface SelfSignedOptions {
  /** The certificate's common name. */
  readonly name: string;
  /** First and last moment of validity, in milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** By default the first of the keys for tests. */
  readonly key?: KeyObject;
}

/**
 * An RSA key with an X.509 certificate that it signed itself (RFC 5280), as a laboratory would create with OpenSSL and
 * register with the identity provider.
 */
export function selfSigned({ name, from, until, key = rsaKey() }: SelfSignedOptions): SelfSigned {
  const certificate = certificateOf(createPublicKey(key), key, { name, from, until });
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(certificate),
  };
}

const tags = {
  integer: 0x02,
  bits: 0x03,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;
/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11, with its empty parameters. */
const algorithm = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
/** commonName, 2.5.4.3. */
const commonName = Buffer.from('550403', 'hex');

function certificateOf(
  publicKey: KeyObject,
  privateKey: KeyObject,
  { name, from, until }: Omit<SelfSignedOptions, 'key'>,
): Buffer {
  const who = der(
    'sequence',
    der('set', der('sequence', der('oid', commonName), der('utf8', Buffer.from(name)))),
  );
  const toBeSigned = der(
    'sequence',
    der('integer', Buffer.from([1])),
    algorithm,
    who,
    der('sequence', time(from), time(until)),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  return der('sequence', toBeSigned, algorithm, der('bits', Buffer.from([0]), signature));
}

function der(tag: keyof typeof tags, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tags[tag], ...length]), content]);
}

/** UTCTime, which RFC 5280 wants until 2049: the year in two digits, to the second. */
function time(at: number): Buffer {
  return der('time', Buffer.from(`${new Date(at).toISOString().replace(/^..|[-:T]|\.\d+Z$/g, '')}Z`));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
