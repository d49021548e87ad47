import { type Instant, later } from '../clock/instant.ts';
import type { Rating } from '../events/changes.ts';
import type { EntityState, EntityStates, UnpairedRow } from '../state/known-states.ts';
import { OVERLAPPING_ACTIONS } from './pairs.ts';

/** The states of the entities of a chunk, while its rows are correlated one after the other. */
export interface ChunkEntities {
  /**
   * The rating before a row of that time; null where it is unknown, or where a later row was read already. What a state
   * of the panel shows counts where it is newer than the rows that were read.
   */
  ratingBefore(key: string, at: Instant, shown?: ShownRating): Rating | null;
  /** The entity has this rating from then on; null: from then on the rating is unknown. */
  setRating(key: string, rating: Rating | null, at: Instant): void;
  /** Published rows whose paired row was not read yet. */
  unpaired(key: string): readonly UnpairedRow[];
  addUnpaired(key: string, row: UnpairedRow): void;
  removeUnpaired(key: string, row: UnpairedRow): void;
  /** The entities whose state the rows changed. */
  readonly changed: EntityStates;
}

/** A rating that a state of the panel shows, and up to when it is certain. */
export interface ShownRating {
  readonly rating: Rating | null;
  readonly at: Instant;
}

/** The most rows of one entity that wait for their paired row. */
const MOST_UNPAIRED = 8;

const nothingKnown: EntityState = { rating: null, at: 0n, unpaired: [] };

/** The states of entities while one chunk is correlated: what is known, and over it what its rows state. */
export function createChunkEntities(known: EntityStates): ChunkEntities {
  const changed = new Map<string, EntityState>();
  const stateOf = (key: string): EntityState => changed.get(key) ?? known.get(key) ?? nothingKnown;
  return {
    changed,
    // What was found without a row was so before each row that was published after it.
    ratingBefore: (key, at, shown) => {
      const { rating, at: since, origin } = stateOf(key);
      if (shown && shown.at >= since) return shown.rating;
      return origin || since <= at ? rating : null;
    },
    setRating: (key, rating, at) => {
      const before = stateOf(key);
      const unpaired = before.unpaired.map((row) => {
        const ratedAgain = row.at + OVERLAPPING_ACTIONS < at && (row.until === undefined || at < row.until);
        return ratedAgain ? { ...row, until: at } : row;
      });
      const isNewer = before.origin !== undefined || at >= before.at;
      changed.set(key, isNewer ? { rating, at: later(at, before.at), unpaired } : { ...before, unpaired });
    },
    unpaired: (key) => stateOf(key).unpaired,
    addUnpaired: (key, row) => {
      const before = stateOf(key);
      changed.set(key, { ...before, unpaired: [...before.unpaired.slice(1 - MOST_UNPAIRED), row] });
    },
    removeUnpaired: (key, row) => {
      const before = stateOf(key);
      changed.set(key, { ...before, unpaired: before.unpaired.filter((other) => other !== row) });
    },
  };
}
