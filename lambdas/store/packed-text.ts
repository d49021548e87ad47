import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The fastest level that finds repeats: the events of a chunk repeat most of their text. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** JSON as a text for a state file: compressed, in base64. */
export const packText = (json: string): string => brotliCompressSync(json, { params }).toString('base64');

/**
 * JSON that `packText` compressed.
 * @throws {Error} when it is none
 */
export const unpackText = (text: string): string =>
  brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8');
