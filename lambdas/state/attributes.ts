import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { toJson } from './to-json.ts';

/** An item of the table. */
export type Item = Record<string, AttributeValue>;

/** A text as DynamoDB stores it. */
export const text = (value: string): AttributeValue => ({ S: value });
/** A number as DynamoDB stores it, with all its digits. */
export const number = (value: number | bigint): AttributeValue => ({ N: String(value) });

/** JSON of more characters is packed the slower way, which finds repeats over long distances. */
const LONG = 350_000;

/** A value as compressed JSON (`to-json.ts`). */
export function pack(value: unknown): AttributeValue {
  const json = toJson(value);
  // The events of one row repeat its text.
  const quality = json.length > LONG ? 5 : 1;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return { B: brotliCompressSync(json, { params }) };
}

/** What was packed, checked by a schema. */
export function unpack<Shape extends z.ZodType>(
  packed: AttributeValue | undefined,
  schema: Shape,
): z.infer<Shape> {
  const json = brotliDecompressSync(packed?.B ?? new Uint8Array()).toString('utf8');
  return schema.parse(JSON.parse(json));
}

/**
 * The number of an item.
 * @throws {Error} when the item has none of that name.
 */
export function requiredNumber(item: Item, name: string): string {
  const value = item[name]?.N;
  if (value === undefined) throw new Error(`the number "${name}" is missing`);
  return value;
}
