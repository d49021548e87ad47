import { createPrivateKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** The files of a tree: by path below the folder that the manifest lies in, the SHA-256 as hexadecimal digits. */
export type Manifest = ReadonlyMap<string, string>;

/** As `sha256sum --check` reads it. */
export const MANIFEST = 'SHA256SUMS';
/** The Ed25519 signature of the manifest, 64 bytes. */
export const SIGNATURE = 'SHA256SUMS.sig';
/** The folder of the manifests, with their signatures, of trees that are being written: `pending/RUN/SHA256SUMS`. */
export const PENDING = 'pending';
/** The key that verifies it, as PEM. */
export const PUBLIC_KEY = 'public-key.pem';

/** A digest, as hexadecimal digits. */
export const sha256 = (body: string | Uint8Array): string => hash('sha256', body, 'hex');

/** The text of a manifest, in the order of the paths. */
export const printManifest = (files: Manifest): string =>
  [...files]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');

/** @returns null where the text is no manifest, or names a file outside its folder */
export function readManifest(text: string): Manifest | null {
  const files = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}([^\\]+)$/.exec(line) ?? [];
    if (digest === undefined || path === undefined || path.startsWith('/')) return null;
    if (path.split('/').includes('..')) return null;
    files.set(path, digest);
  }
  return text.endsWith('\n') || text === '' ? files : null;
}

/** The private Ed25519 key in a text; null where there is none, without its reason, which may hold a part of the key. */
export function signingKeyIn(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** @param key Ed25519, private */
export const signManifest = (text: string, key: KeyObject): Buffer => sign(null, Buffer.from(text), key);

/** @param key Ed25519, public */
export const isSigned = (text: string, signature: Uint8Array, key: KeyObject): boolean =>
  verify(null, Buffer.from(text), key, signature);

/** A key's fingerprint: the SHA-256 of its DER form, as hexadecimal digits. */
export const fingerprintOf = (key: KeyObject): string => sha256(key.export({ type: 'spki', format: 'der' }));
