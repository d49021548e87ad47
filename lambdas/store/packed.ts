import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';

/**
 * What is still of more bytes is packed the slower way, which finds repeats over long distances: the events of a row repeat its
 * text. It takes a quarter less at four times the time.
 */
const LONG = 64_000;

/** A value as compressed JSON. */
export const pack = (value: unknown): AttributeValue => packJson(toJson(value));

/** JSON, compressed. */
export function packJson(json: string): AttributeValue {
  const packed = brotli(json, 1);
  return { B: packed.length <= LONG ? packed : brotli(json, 5) };
}

const brotli = (json: string, quality: number): Buffer =>
  brotliCompressSync(json, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

/**
 * The value of a packed attribute.
 * @throws {Error} when the attribute is missing, is not compressed JSON, or its value does not match the schema
 */
export function unpack<Shape extends z.ZodType>(
  packed: AttributeValue | undefined,
  schema: Shape,
): z.infer<Shape> {
  const json = brotliDecompressSync(packed?.B ?? new Uint8Array()).toString('utf8');
  return schema.parse(JSON.parse(json));
}

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

/** A value as JSON; instants become text, maps become lists of entries. */
export function toJson(value: unknown): string {
  // A function that is called for each member takes several times as long, and most values need none.
  if (isPlain(value)) return JSON.stringify(value);
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    return part instanceof Map ? [...part] : part;
  });
}

/** Whether a value holds neither an instant nor a map. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Map) return false;
  return Object.values(value).every(isPlain);
}

/** A chunk as JSON. Its messages are most of the text, and need no replacer. */
export const chunkJson = ({ messages, ...others }: { readonly messages: readonly unknown[] }): string =>
  `{"messages":${JSON.stringify(messages)},${toJson(others).slice(1)}`;
