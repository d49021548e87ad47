import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { toJson } from './to-json.ts';

/** JSON of more characters is compressed. */
const SHORT = 4_000;

/** The best quality takes ten times as long for a few percent less. */
const QUICKLY = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22 };

/** A value as a store of items keeps it: short JSON as it is, longer JSON compressed. */
export function packBody(value: unknown): string | Uint8Array {
  const json = toJson(value ?? null);
  return json.length <= SHORT ? json : brotliCompressSync(json, { params: QUICKLY });
}

/** @throws {Error} when the body is damaged */
export function unpackBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return JSON.parse(brotliDecompressSync(body).toString('utf8'));
  return JSON.parse(String(body));
}
