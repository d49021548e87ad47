import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Higher levels take three times as long for a few percent less. */
const LEVEL = 9;
/** A checksum shows damage, and the wrong base. */
const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 };
/** 8 MB: a text and its base lie in one window. */
const WIDEST_WINDOW = 23;
const NARROWEST_WINDOW = 10;

/**
 * A text, compressed against another one that is much like it: the versions of a panel differ in a few lines.
 * @param base null where the text is compressed alone
 */
export function packAgainst(body: Uint8Array, base: Uint8Array | null): Buffer {
  const bits = Math.ceil(Math.log2(body.length + (base?.length ?? 0) + 1));
  const window = Math.max(NARROWEST_WINDOW, Math.min(bits, WIDEST_WINDOW));
  return zstdCompressSync(body, {
    params: { ...params, [constants.ZSTD_c_windowLog]: window },
    ...(base && { dictionary: base }),
  });
}

/** @throws {Error} when the value is damaged, or was compressed against another base */
export const unpackAgainst = (packed: Uint8Array, base: Uint8Array | null): Buffer =>
  zstdDecompressSync(packed, base ? { dictionary: base } : {});
