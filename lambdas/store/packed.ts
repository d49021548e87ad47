import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { topics } from '../events/kinds.ts';

/**
 * What is still of more bytes is packed the slower way, which finds repeats over long distances: the events of a row repeat its
 * text. It takes a quarter less at four times the time.
 */
const LONG = 64_000;

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

/** What is kept as JSON, in DynamoDB and in SQLite: instants as text, maps as lists of entries. */

export const instantSchema = z.string().transform(BigInt);

/** A list that is only read. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).transform((items): readonly z.output<Item>[] => items);

/** A map that is only read, from its entries. */
export const mapOf = <Key extends z.ZodType, Value extends z.ZodType>(key: Key, value: Value) =>
  z
    .array(z.tuple([key, value]))
    .transform(
      (entries) =>
        new Map(entries as [z.output<Key>, z.output<Value>][]) as ReadonlyMap<z.output<Key>, z.output<Value>>,
    );

export const messageSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    topic: z.enum(topics),
    body: z.string(),
    attributes: z.record(
      z.string(),
      z.object({ type: z.enum(['String', 'Number', 'String.Array']), value: z.string() }),
    ),
  }),
);

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
