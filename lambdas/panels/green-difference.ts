import type { Rating } from '../events/changes.ts';
import { inheritanceGroupOf } from '../events/inheritance.ts';
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

/** An entity that is green in two versions, with another mode of inheritance; empty where a version states none of it. */
export interface InheritanceDifference extends GreenChange {
  readonly modeBefore: string;
  readonly modeAfter: string;
}

/** What two versions of a panel differ in by their green entities, each list by name. */
interface GreenDifference {
  /** Green in the later version, and not or not certainly in the earlier one. */
  readonly entered: readonly GreenChange[];
  /** Green in the earlier version, and not or not certainly in the later one. */
  readonly left: readonly GreenChange[];
  /** Green in both, with a mode of inheritance of another group in the later version. */
  readonly inheritance: readonly InheritanceDifference[];
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
  const inheritance = after.green.flatMap((entity): readonly InheritanceDifference[] => {
    const [modeBefore, modeAfter] = [before.inheritanceOf(entity), after.inheritanceOf(entity)];
    if (modeBefore === undefined || modeAfter === undefined) return [];
    if (inheritanceGroupOf(modeBefore) === inheritanceGroupOf(modeAfter)) return [];
    return [{ entity, before: 'green', after: 'green', modeBefore, modeAfter }];
  });
  return {
    entered: changes(after.green),
    left: changes(before.green),
    inheritance: inheritance.toSorted((one, other) => collator.compare(one.entity.name, other.entity.name)),
  };
}

const collator = new Intl.Collator('en', { numeric: true });
