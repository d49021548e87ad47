import type { Instant } from '../clock/instant.ts';
import type { Rating } from '../events/changes.ts';
import type { Known, KnownEntities, Told } from '../state/store.ts';
import { MIXING } from './pairs.ts';

/** What is known of the entities of a chunk; it grows as the rows are told one after the other. */
export interface KnownState {
  /** The rating before a row of that time; null where it is not known, or a later row was told already. */
  ratingBefore(key: string, at: Instant): Rating | null;
  /** The entity has this rating from then on; null: it may have another one without a word in the log. */
  rate(key: string, rating: Rating | null, at: Instant): void;
  /** Rows told lately whose twin may still come. */
  told(key: string): readonly Told[];
  tell(key: string, told: Told): void;
  /** The twin came: nothing waits for it any more. */
  settle(key: string, told: Told): void;
  /** What is known otherwise than before. */
  readonly changed: KnownEntities;
}

/** More rows than this never wait for a twin at one time. */
const MOST_TOLD = 8;

const nothing: Known = { rating: null, at: 0n, told: [] };

export function createKnownState(known: KnownEntities): KnownState {
  const changed = new Map<string, Known>();
  const of = (key: string): Known => changed.get(key) ?? known.get(key) ?? nothing;
  return {
    changed,
    ratingBefore: (key, at) => (of(key).at <= at ? of(key).rating : null),
    rate: (key, rating, at) => {
      const before = of(key);
      const told = before.told.map((other) => {
        const again = other.at + MIXING < at && (other.until === undefined || at < other.until);
        return again ? { ...other, until: at } : other;
      });
      changed.set(key, at >= before.at ? { rating, at, told } : { ...before, told });
    },
    told: (key) => of(key).told,
    tell: (key, told) => {
      const before = of(key);
      changed.set(key, { ...before, told: [...before.told.slice(1 - MOST_TOLD), told] });
    },
    settle: (key, told) => {
      const before = of(key);
      changed.set(key, { ...before, told: before.told.filter((other) => other !== told) });
    },
  };
}
