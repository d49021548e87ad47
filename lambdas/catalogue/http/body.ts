import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Condition } from './service-error.ts';

/** Makes the error of the present exchange. */
export type Fail = (condition: Condition, seen: string, cause?: unknown) => Error;

interface BodyOptions {
  /** The `Content-Length`; 0 where there is none. */
  readonly announced: number;
  /** Bytes. */
  readonly limit: number;
  readonly fail: Fail;
}

/**
 * Reads a whole body as sent.
 *
 * @throws {ServiceError} `…_TOO_LARGE` as soon as it is known to exceed `limit` bytes
 */
export async function readBody(
  stream: Readable,
  { announced, limit, fail }: BodyOptions,
): Promise<Buffer<ArrayBufferLike>> {
  const tooLarge = (): Error => fail('TOO_LARGE', `the response is larger than ${limit} bytes`);
  if (announced > limit) {
    stream.on('error', () => {}).destroy();
    throw tooLarge();
  }
  const read: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw tooLarge();
    read.push(piece);
  }
  return read.length === 1 && read[0] ? read[0] : Buffer.concat(read);
}

interface DecodeOptions {
  /** The whole `Content-Encoding` header. */
  readonly encoding: string;
  /** Bytes. */
  readonly limit: number;
  readonly fail: Fail;
}

/**
 * Decompresses gzip, the only encoding that requests offer.
 *
 * @throws {ServiceError} `…_ENCODING_REFUSED` for nested and other encodings, `…_TRUNCATED` for incomplete gzip,
 * `…_TOO_LARGE` as soon as the result exceeds `limit` bytes
 */
export function decodeBody(body: Buffer, { encoding, limit, fail }: DecodeOptions): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || body.length === 0) return body;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw fail(
      'ENCODING_REFUSED',
      `the response is encoded as ${JSON.stringify(name.slice(0, 60))}, though only gzip was offered`,
    );
  }
  try {
    return gunzipSync(body, { maxOutputLength: limit });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw fail('TOO_LARGE', `the response is larger than ${limit} bytes when it is decompressed`);
    }
    if (code === 'Z_BUF_ERROR') throw fail('TRUNCATED', 'the compressed response is incomplete', error);
    throw fail('ENCODING_REFUSED', 'the response claims to be gzip and is not', error);
  }
}
