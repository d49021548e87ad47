import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The signing keys of the identity provider. */
export interface SigningKeys {
  /** Signs claims with the current key and returns the token. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The public keys, the current one first. */
  published(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Signs with a new key from now on. Tokens signed by earlier keys stay valid. */
  rotate(): void;
}

/** A key pair with the id under which it is published. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Starts with the key given, or creates one when it is first needed. */
export function createSigningKeys(first?: Promise<SigningKey>): SigningKeys {
  const keys = first ? [first] : [];
  const rotate = (): void => {
    keys.unshift(makeKey(`sandbox-${keys.length + 1}`));
  };
  const current = (): Promise<SigningKey> => {
    const [first] = keys;
    if (first) return first;
    rotate();
    return current();
  };
  return {
    rotate,
    sign: async (claims) => {
      const { id, privateKey } = await current();
      return new SignJWT({ ...claims })
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: id })
        .sign(privateKey);
    },
    published: async () => {
      await current();
      const all = await Promise.all(keys);
      return {
        keys: await Promise.all(
          all.map(async ({ id, publicKey }) => ({
            ...(await exportJWK(publicKey)),
            kid: id,
            use: 'sig',
            alg: 'RS256',
          })),
        ),
      };
    },
  };
}

/** Creates a key, which takes a fraction of a second of CPU time. */
async function makeKey(id: string): Promise<SigningKey> {
  return { id, ...(await generateKeyPair('RS256')) };
}
