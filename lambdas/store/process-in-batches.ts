import type { Clock } from '../run/clock.ts';

interface Batches<Entry> {
  readonly entries: readonly Entry[];
  /** The greatest number of entries in one call. */
  readonly size: number;
  /** Sends one call; returns the entries that the table left unprocessed. */
  readonly send: (entries: readonly Entry[]) => Promise<readonly Entry[]>;
  readonly clock: Clock;
  /** The error for a table that still leaves entries unprocessed after so many calls. */
  readonly incomplete: (calls: number) => Error;
}

/** A call is sent at most this often for the entries of one batch. */
const MOST_CALLS = 6;

/** The wait before a call is repeated is drawn from 0 to this many milliseconds; the limit doubles each time. */
const FIRST_WAIT = 200;

/**
 * Sends entries in batches, one after the other. What a table leaves unprocessed (`UnprocessedItems`,
 * `UnprocessedKeys`) is sent again, after a longer wait each time.
 * @throws the error of `send`, or of `incomplete` after six calls for one batch
 */
export async function processInBatches<Entry>(batches: Batches<Entry>): Promise<void> {
  const { entries, size, send, clock, incomplete } = batches;
  for (let start = 0; start < entries.length; start += size) {
    let left = await send(entries.slice(start, start + size));
    for (let calls = 1; left.length > 0; calls += 1) {
      if (calls === MOST_CALLS) throw incomplete(calls);
      await clock.sleep(clock.random() * FIRST_WAIT * 2 ** (calls - 1));
      left = await send(left);
    }
  }
}
