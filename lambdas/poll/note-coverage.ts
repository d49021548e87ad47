import { type Instant, instantOf, later } from '../run/instant.ts';
import type { Position } from '../store/position.ts';
import type { Chunk } from '../store/store.ts';
import { publishChunk } from './publish-chunk.ts';
import type { Publishing } from './publish-rows.ts';

/** What was read is written down once it is this much more than before. */
const NOTED_AFTER: Instant = instantOf(30 * 60_000);

/**
 * Notes that the log was read up to now, although it had no new row: a quiet weekend then differs from one that was not
 * read. Not while rows wait for their pair, or a row may have been missed.
 * @returns the position after it
 */
export async function noteCoverage(
  { run, report, now }: Pick<Publishing, 'run' | 'report' | 'now'>,
  position: Position,
): Promise<Position> {
  const { mark, count, waits, gap, covered = mark } = position;
  if (!run.history || gap !== null || waits > 0 || now - later(mark, covered) < NOTED_AFTER) return position;
  const nothing: Chunk = {
    messages: [],
    rows: [],
    entities: new Map(),
    panels: new Map(),
    next: { mark, count, waits, gap, covered: now },
  };
  // As with a chunk, a run that dies between repeats both: state and history always agree.
  const recorded = await run.store.record(position, nothing);
  await publishChunk(nothing, recorded, { run, report });
  return run.store.advance(recorded, nothing);
}
