import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { IdentityError } from './errors.ts';

/** What a client authenticates with at the identity provider. Source: docs/interfaces.md, "Clients". */
export type Credential =
  | { readonly kind: 'secret'; readonly clientId: string; readonly clientSecret: string }
  | { readonly kind: 'certificate'; readonly clientId: string; readonly key: CertificateKey };

/** Text that is not empty, for the fields of a secret; the message follows the field's name. */
export const filledText = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'is not text') })
  .min(1, { error: 'is empty' });

/** The fields of a secret; other fields are ignored. No message may quote a value. */
const schema = z.lazy(() =>
  z.looseObject(
    {
      client_id: filledText,
      client_secret: filledText.optional(),
      private_key: filledText.optional(),
      certificate: filledText.optional(),
      algorithm: z.literal(assertionAlgorithms, { error: 'is neither PS256 nor RS256' }).default('PS256'),
    },
    { error: 'is not a JSON object' },
  ),
);

/**
 * Reads a credential from the text of a secret: `client_id` with `client_secret`, or with `private_key` and
 * `certificate`. `action` says what is being read, for messages.
 *
 * @throws {IdentityError} `SECRET_WRONG` or `CREDENTIAL_WRONG`, naming the field that is missing or wrong, never its value
 */
export function readCredential(text: string, action: string): Credential {
  const found = readKeys(text, schema, action);
  const { client_id: clientId, client_secret: clientSecret, private_key: privateKey, certificate } = found;
  if (clientSecret !== undefined && privateKey === undefined)
    return { kind: 'secret', clientId, clientSecret };
  if (privateKey !== undefined && certificate !== undefined && clientSecret === undefined) {
    const { algorithm } = found;
    return {
      kind: 'certificate',
      clientId,
      key: readCertificateKey(action, { privateKey, certificate, algorithm }),
    };
  }
  const seen =
    clientSecret !== undefined
      ? 'it has both client_secret and private_key, expected one of them'
      : privateKey !== undefined
        ? 'certificate is missing beside private_key'
        : 'client_secret is missing (or private_key and certificate in its place)';
  throw new IdentityError('SECRET_WRONG', action, seen);
}

/**
 * Reads the fields of a secret that is a JSON object.
 *
 * @throws {IdentityError} `SECRET_WRONG`
 */
export function readKeys<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  action: string,
): z.output<Schema> {
  const found = schema.safeParse(parseJson(text, action));
  if (found.success) return found.data;
  const seen = found.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`);
  throw new IdentityError('SECRET_WRONG', action, seen.join(', '));
}

function parseJson(text: string, action: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the text, so it is not kept as the cause.
    throw new IdentityError('SECRET_WRONG', action, 'it is not JSON');
  }
}

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
function readCertificateKey(
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
