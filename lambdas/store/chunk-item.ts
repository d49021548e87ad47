import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { bytesOf } from '../publishing/batches.ts';
import { chunkSchema } from './json-schemas.ts';
import { pack, unpack } from './packed.ts';
import type { Chunk } from './store.ts';
import { toJson } from './to-json.ts';

/** A recorded chunk as an attribute of the position. */
export const packChunk = (chunk: Chunk): AttributeValue => pack(chunk);

/** The most bytes of a packed chunk: an item may have 400 kB. */
const CHUNK_BYTES = 380_000;

/** Whether a chunk fits into an item. One with little text is not packed to find out. */
export function isRecordable(chunk: Chunk): boolean {
  const stated = [...chunk.panels.values()].map((state) => toJson(state).length * BYTES_A_UNIT);
  const messages = chunk.messages.map((message) => bytesOf(message) + MESSAGE_BYTES);
  const bytes = [...stated, ...messages].reduce((sum, some) => sum + some, 0);
  return bytes <= CHUNK_BYTES || (packChunk(chunk).B?.length ?? 0) <= CHUNK_BYTES;
}

/** The most that a UTF-16 unit takes in UTF-8. */
const BYTES_A_UNIT = 3;

/** Bytes of a message beside its body and attributes, and of its row in the chunk. */
const MESSAGE_BYTES = 1000;

/** A recorded chunk from the attribute of a position. */
export const unpackChunk = (packed: AttributeValue): Chunk => unpack(packed, chunkSchema);
