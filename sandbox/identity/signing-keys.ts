import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The keys by which the identity provider signs, and which it publishes. */
export interface SigningKeys {
  /** Signs claims as they are given. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The public keys, the present one first. */
  published(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Another key signs from now on; tokens signed by those before stay good. */
  rotate(): void;
}

/** A pair with the name under which it is published. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Begins with the key given, or makes one when it is first needed. */
export function createSigningKeys(first?: Promise<SigningKey>): SigningKeys {
  const keys = first ? [first] : [];
  const rotate = (): void => {
    keys.unshift(makeKey(`sandbox-${keys.length + 1}`));
  };
  const present = (): Promise<SigningKey> => {
    const [first] = keys;
    if (first) return first;
    rotate();
    return present();
  };
  return {
    rotate,
    sign: async (claims) => {
      const { id, privateKey } = await present();
      return new SignJWT({ ...claims })
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: id })
        .sign(privateKey);
    },
    published: async () => {
      await present();
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

/** A fresh key; making one takes a fraction of a second. */
export async function makeKey(id: string): Promise<SigningKey> {
  return { id, ...(await generateKeyPair('RS256')) };
}
