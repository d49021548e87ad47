import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Condition } from './service-error.ts';

/** Makes the error of the exchange that is going on. */
export type Fail = (condition: Condition, seen: string, cause?: unknown) => Error;

export interface Bounds {
  /** The `Content-Length`; 0 where there is none. */
  readonly announced: number;
  /** Bytes. */
  readonly cap: number;
  readonly fail: Fail;
}

/** The whole body as sent; `…_TOO_LARGE` as soon as it is known to pass `cap` bytes. */
export async function readBody(
  stream: Readable,
  { announced, cap, fail }: Bounds,
): Promise<Buffer<ArrayBufferLike>> {
  const tooLarge = (): Error => fail('TOO_LARGE', `the answer is larger than ${cap} bytes`);
  if (announced > cap) {
    stream.on('error', () => {}).destroy();
    throw tooLarge();
  }
  const read: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > cap) throw tooLarge();
    read.push(piece);
  }
  return read.length === 1 && read[0] ? read[0] : Buffer.concat(read);
}

export interface Decoding {
  /** The `Content-Encoding` header, all of it. */
  readonly encoding: string;
  readonly cap: number;
  readonly fail: Fail;
}

/** Undoes the only encoding that is offered; nested ones and others are refused, a bomb is cut off at `cap` bytes. */
export function decodeBody(body: Buffer, { encoding, cap, fail }: Decoding): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || body.length === 0) return body;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw fail(
      'ENCODING_REFUSED',
      `the answer is encoded as ${JSON.stringify(name.slice(0, 60))}, though only gzip was offered`,
    );
  }
  try {
    return gunzipSync(body, { maxOutputLength: cap });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw fail('TOO_LARGE', `the answer is larger than ${cap} bytes when it is decompressed`);
    }
    if (code === 'Z_BUF_ERROR') throw fail('TRUNCATED', 'the compressed answer broke off', error);
    throw fail('ENCODING_REFUSED', 'the answer says that it is gzip, and is not', error);
  }
}
