import type { Rating } from '../../events/changes.ts';
import { comparePlaces, type Place } from '../../events/order.ts';
import { later } from '../../run/instant.ts';
import type { EntityState, EntityStates, UnpairedRow } from '../../store/known-states.ts';
import { OVERLAPPING_ACTIONS } from './pairs.ts';

/** The states of the entities of a chunk, while its rows are correlated one after the other. */
export interface ChunkEntities {
  /**
   * The rating before a row of that place; null where it is unknown, or where a later row was read already.
   * @param shown what is known otherwise than from rows and listings
   */
  ratingBefore(key: string, place: Place, shown?: ShownRating): Rating | null;
  /** The rating that was published last before a row of that place; undefined where none was since the entity was added. */
  publishedBefore(key: string, place: Place): Rating | undefined;
  /** The entity has this rating from a row on; null: from then on the rating is unknown. */
  setRating(key: string, rating: Rating | null, by: RatingRow): void;
  /** Published rows whose paired row has not been read yet. */
  unpaired(key: string): readonly UnpairedRow[];
  addUnpaired(key: string, row: UnpairedRow): void;
  removeUnpaired(key: string, row: UnpairedRow): void;
  /** The entities whose state the rows changed. */
  readonly changed: EntityStates;
}

/** A rating that something newer shows than the rows that were read. */
export interface ShownRating {
  readonly rating: Rating | null;
}

/** What a row says of an entity, besides its rating. */
interface RatingRow extends Place {
  /** Whether the entity is another one from then on: the row adds it, or removes it. */
  readonly membership?: 'added' | 'removed' | undefined;
  /** Whether the row was published before, so that what was shown without a row may be newer. */
  readonly isRepeated: boolean;
}

/** The most rows of one entity that wait for their paired row. */
const MOST_UNPAIRED = 8;

const nothingKnown: EntityState = { rating: null, at: 0n, unpaired: [] };

/** The rating that was published last; undefined where none was since the entity was added. */
const lastPublished = ({ rating, version, was }: EntityState): EntityState['was'] =>
  rating === null ? was : { rating, ...(version !== undefined && { version }) };

const placeIn = ({ version, at }: EntityState): Place => ({ version: version ?? null, at });

/** The states of entities while one chunk is correlated: what is known, and over it what its rows state. */
export function createChunkEntities(known: EntityStates): ChunkEntities {
  const changed = new Map<string, EntityState>();
  const stateOf = (key: string): EntityState => changed.get(key) ?? known.get(key) ?? nothingKnown;
  return {
    changed,
    // What was found without a row was so before each row that was published after it.
    ratingBefore: (key, place, shown) => {
      if (shown) return shown.rating;
      const state = stateOf(key);
      return state.origin || comparePlaces(placeIn(state), place) <= 0 ? state.rating : null;
    },
    publishedBefore: (key, place) => {
      const state = stateOf(key);
      return comparePlaces(placeIn(state), place) <= 0 ? lastPublished(state)?.rating : undefined;
    },
    setRating: (key, rating, { at, version, membership, isRepeated }) => {
      const before = stateOf(key);
      const unpaired = before.unpaired.map((row) => {
        const ratedAgain = row.at + OVERLAPPING_ACTIONS < at && (row.until === undefined || at < row.until);
        return ratedAgain ? { ...row, until: at } : row;
      });
      const was = lastPublished(before);
      const isNewer =
        (before.origin !== undefined && !isRepeated) || comparePlaces({ version, at }, placeIn(before)) >= 0;
      const after: EntityState = {
        rating,
        at: later(at, before.at),
        unpaired,
        ...(version !== null && { version }),
        ...(membership === 'removed' && { isRemoved: true }),
        ...(rating === null && membership === undefined && was && { was }),
      };
      changed.set(key, isNewer ? after : { ...before, unpaired });
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
