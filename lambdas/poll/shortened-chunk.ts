import type { PanelEvent } from '../events/schemas.ts';
import { CALL_BYTES } from '../publishing/batches.ts';
import { toMessage } from '../publishing/to-message.ts';
import type { Chunk, StateStore } from '../store/store.ts';

/** Messages are not cut below this many bytes: the messages of one row then fit into any store. */
const SHORTEST_MESSAGE = 8_192;

/**
 * A chunk that is too large to be recorded, with its messages cut as short as needed: the texts in them end early,
 * and `textTruncated` says so. For a chunk of one row, which cannot be split.
 */
export function shortenedChunk(
  chunk: Chunk,
  events: readonly PanelEvent[],
  store: Pick<StateStore, 'canRecord'>,
): Chunk {
  let shortened = chunk;
  for (let bytes = CALL_BYTES / 2; bytes >= SHORTEST_MESSAGE && !store.canRecord(shortened); bytes /= 2) {
    const limit = bytes;
    shortened = { ...chunk, messages: events.map((event) => toMessage(event, limit)) };
  }
  return shortened;
}
