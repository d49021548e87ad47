import type { Rating } from '../events/changes.ts';
import type { GreenList } from './green-list.ts';
import type { Holding } from './version-state.ts';

/** What a version says of an entity: its rating, `absent` where it does not hold it, `unknown` where the catalogue did not serve it. */
type RatingAt = Rating | 'absent' | 'unknown';

/** An entity that one of two versions has as green, and the other one has not. */
export interface GreenChange {
  readonly entity: Holding;
  readonly before: RatingAt;
  readonly after: RatingAt;
}

/** What two versions of a panel differ in by their green entities, each list by name. */
interface GreenDifference {
  /** Green in the later version, and not or not certainly in the earlier one. */
  readonly entered: readonly GreenChange[];
  /** Green in the earlier version, and not or not certainly in the later one. */
  readonly left: readonly GreenChange[];
}

/** Compares the green entities of two versions of one panel. */
export function greenDifference(before: GreenList, after: GreenList): GreenDifference {
  const at = (list: GreenList, entity: Holding): RatingAt => {
    const rating = list.ratingOf(entity);
    return rating === undefined ? 'absent' : (rating ?? 'unknown');
  };
  const changes = (green: readonly Holding[]): readonly GreenChange[] =>
    green
      .map((entity) => ({ entity, before: at(before, entity), after: at(after, entity) }))
      .filter((change) => change.before !== change.after)
      .toSorted((one, other) => collator.compare(one.entity.name, other.entity.name));
  return { entered: changes(after.green), left: changes(before.green) };
}

const collator = new Intl.Collator('en', { numeric: true });
