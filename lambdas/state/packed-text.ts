import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The fastest level that finds repeats: the events of a chunk repeat most of their text. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** JSON as a text for a state file: compressed, in base64. */
export const packText = (json: string): string => brotliCompressSync(json, { params }).toString('base64');

/**
 * JSON from a state file, which was compressed by `packText`, or which an earlier release wrote as it is.
 * @throws {Error} when it is neither
 */
export const unpackText = (text: string): string =>
  /^[[{]/.test(text) ? text : brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8');
