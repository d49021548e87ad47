import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Instant } from '../clock/instant.ts';
import { ratingSchema } from '../events/changes.ts';
import { panelFactsSchema } from '../events/schemas.ts';
import { topics } from '../events/topics.ts';
import { type Chunk, type Known, type Listing, type Position, StateError } from './store.ts';

/**
 * The table's items. One catalogue's place lies under one partition key, and its sort keys are such that a
 * single descending query meets the position first and then the ledger from its newest item on:
 *
 *     catalogue#uk         position                     version, mark, start, count, chunk to be told
 *     catalogue#uk         origin                       written once, by the first run
 *     catalogue#uk         ledger#<newest row>#<version>  keys of the rows that one chunk settled
 *     catalogue#uk#known   <panel>#<type>#<entity>      last rating told, rows whose twin may come
 *     catalogue#uk#shapes  <shape>                      wordings that are not known, counted
 *     catalogue#uk#panels  listing                      what /panels/ said last
 */
export type Item = Record<string, AttributeValue>;

/** Version of these shapes; raised when older code could not read what newer code writes. */
const FORMAT = 1;

export const partitionOf = (catalogue: string): string => `catalogue#${catalogue}`;
export const LEDGER = 'ledger#';
export const ORIGIN = 'origin';
export const POSITION = 'position';

export const text = (value: string): AttributeValue => ({ S: value });
export const number = (value: number | bigint): AttributeValue => ({ N: String(value) });

/** The sort key of a ledger item; instants have 16 digits until the year 2286. */
export function ledgerKey(newest: Instant, version = 0): string {
  return `${LEDGER}${String(newest).padStart(17, '0')}#${String(version).padStart(10, '0')}`;
}

/** 16 bytes a row. */
export function packKeys(keys: readonly string[]): AttributeValue {
  return { B: Buffer.from(keys.join(''), 'hex') };
}

export function unpackKeys(packed: AttributeValue | undefined): string[] {
  const hex = Buffer.from(packed?.B ?? []).toString('hex');
  return hex.match(/.{32}/g) ?? [];
}

const messageSchema = z.object({
  id: z.string(),
  topic: z.enum(topics),
  body: z.string(),
  attributes: z.record(
    z.string(),
    z.object({ type: z.enum(['String', 'Number', 'String.Array']), value: z.string() }),
  ),
});
const instantSchema = z.string().transform(BigInt);
const toldSchema = z.object({
  form: z.string(),
  at: instantSchema,
  by: z.string().nullable(),
  to: ratingSchema.nullable(),
  until: instantSchema.optional(),
});
const knownSchema = z.object({
  rating: ratingSchema.nullable(),
  at: instantSchema,
  told: z.array(toldSchema),
});
const chunkSchema = z.object({
  messages: z.array(messageSchema),
  rows: z.object({ keys: z.array(z.string()), newest: instantSchema }),
  known: z.array(z.tuple([z.string(), knownSchema])).transform((entries) => new Map(entries)),
  next: z.object({ mark: instantSchema, count: z.number().nullable() }),
});
const listingSchema = z.object({
  panels: z.array(z.tuple([z.number(), panelFactsSchema])).transform((entries) => new Map(entries)),
  listedAt: z.number(),
});

const LONG = 350_000;

function pack(value: unknown): AttributeValue {
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    return part instanceof Map ? [...part] : part;
  });
  // Events of one row repeat its text over long distances, which only the slower way finds.
  const long = json.length > LONG;
  const params = { [constants.BROTLI_PARAM_QUALITY]: long ? 5 : 1, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return { B: brotliCompressSync(json, { params }) };
}

function unpack<Shape extends z.ZodType>(packed: AttributeValue, schema: Shape): z.infer<Shape> {
  return schema.parse(JSON.parse(brotliDecompressSync(packed.B ?? new Uint8Array()).toString('utf8')));
}

export function positionItem(position: Position, writer: string, pending?: AttributeValue): Item {
  return {
    format: number(FORMAT),
    version: number(position.version),
    mark: number(position.mark),
    start: number(position.start),
    writer: text(writer),
    ...(position.count !== null && { count: number(position.count) }),
    ...(position.source !== null && { source: text(position.source) }),
    ...(position.notBefore !== undefined && { notBefore: number(position.notBefore) }),
    ...(pending && { pending }),
  };
}

export const packChunk = (chunk: Chunk): AttributeValue => pack(chunk);
/** An item may have 400 kB. */
const CHUNK_BYTES = 380_000;

/** Whether a chunk fits into an item; one that is small to begin with needs no packing to tell. */
export function holdsChunk(chunk: Chunk): boolean {
  const bytes = chunk.messages.reduce((sum, { body }) => sum + Buffer.byteLength(body) + MESSAGE_BYTES, 0);
  return bytes <= CHUNK_BYTES || (packChunk(chunk).B?.length ?? 0) <= CHUNK_BYTES;
}

/** What a message has beside its body, and what its row leaves in the chunk. */
const MESSAGE_BYTES = 1000;

export const packListing = (listing: Listing): AttributeValue => pack(listing);

/** Fails with `STATE_NEWER` or `STATE_CORRUPT`: nothing may be guessed about a place in the log. */
export function readPosition(item: Item, where: string): { position: Position; pending: Chunk | null } {
  const format = Number(item.format?.N);
  if (format > FORMAT) {
    throw new StateError(
      'STATE_NEWER',
      `Reading ${where}: it was written in format ${format}, by a newer version of the notifier; this one knows format ${FORMAT}. Deploy the newer version again, or restore the table to a time before it.`,
    );
  }
  return orCorrupt(where, () => ({
    position: {
      version: Number(required(item, 'version')),
      mark: BigInt(required(item, 'mark')),
      start: BigInt(required(item, 'start')),
      count: item.count?.N === undefined ? null : Number(item.count.N),
      source: item.source?.S ?? null,
      ...(item.notBefore?.N !== undefined && { notBefore: Number(item.notBefore.N) }),
    },
    pending: item.pending ? unpack(item.pending, chunkSchema) : null,
  }));
}

export function knownItem(known: Known, version: number): Item {
  return {
    version: number(version),
    at: number(known.at),
    ...(known.rating && { rating: text(known.rating) }),
    ...(known.told.length > 0 && { told: pack(known.told) }),
  };
}

export function readKnown(item: Item, where: string): Known {
  return orCorrupt(where, () => ({
    rating: item.rating ? ratingSchema.parse(item.rating.S) : null,
    at: BigInt(required(item, 'at')),
    told: item.told ? unpack(item.told, z.array(toldSchema)) : [],
  }));
}

export function readListing(item: Item, where: string): Listing {
  return orCorrupt(where, () => unpack(item.listing ?? { B: new Uint8Array() }, listingSchema));
}

function required(item: Item, name: string): string {
  const value = item[name]?.N;
  if (value === undefined) throw new Error(`the number "${name}" is missing`);
  return value;
}

function orCorrupt<Value>(where: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new StateError(
      'STATE_CORRUPT',
      `Reading ${where}: the item is damaged (${cause instanceof Error ? cause.message : String(cause)}). Nothing was published. Restore the table to an earlier time (point-in-time recovery), or begin again with a new state and --from.`,
      { cause },
    );
  }
}
