import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Higher levels take three times as long for a few percent less. */
const LEVEL = 9;
/** Level 9 takes three times as long to find the same: most of a text is in its base. */
const LEVEL_AGAINST = 3;
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
    params: {
      [constants.ZSTD_c_compressionLevel]: base ? LEVEL_AGAINST : LEVEL,
      // A checksum shows damage, and the wrong base.
      [constants.ZSTD_c_checksumFlag]: 1,
      [constants.ZSTD_c_windowLog]: window,
    },
    ...(base && { dictionary: base }),
  });
}

/** @throws {Error} when the value is damaged, or was compressed against another base */
export const unpackAgainst = (packed: Uint8Array, base: Uint8Array | null): Buffer =>
  zstdDecompressSync(packed, base ? { dictionary: base } : {});

/** Where a text differs from its base in a larger part, it becomes the next base: as a share of the base, both compressed. */
const NEW_BASE_FROM = 0.25;

interface PackedNear {
  /** The text compressed alone, where it becomes a base. */
  readonly base: Buffer | null;
  readonly packed: Buffer;
}

/**
 * Compresses a text against the newest base, or makes it the next one.
 * @param newest compressed alone; null where there is none yet
 */
export function packNear(body: Uint8Array, newest: Uint8Array | null): PackedNear {
  if (newest) {
    const packed = packAgainst(body, unpackAgainst(newest, null));
    if (packed.length <= newest.length * NEW_BASE_FROM) return { base: null, packed };
  }
  return { base: packAgainst(body, null), packed: packAgainst(body, body) };
}
