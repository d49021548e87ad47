import type { Rating } from '../../events/changes.ts';
import { inheritanceGroupOf } from '../../events/inheritance.ts';
import { identityOf } from '../../panels/entity-identity.ts';
import type { GreenList } from '../../panels/green-list.ts';
import type { Holding } from '../../panels/version-state.ts';
import type { Analysis } from './analysis.ts';
import type { Counted } from './impact-states.ts';

/** The changes that concern a case, in the order in which they are listed. */
export const effectKinds = ['now green', 'no longer green', 'mode of inheritance changed'] as const;

/**
 * An entity that was not green in what a case was analysed with and is now, or the contrary; or a green one whose mode of inheritance
 * is of another group than in all that the case was analysed with.
 */
export interface Effect {
  readonly change: (typeof effectKinds)[number];
  readonly panelId: number;
  /** The present one. */
  readonly panelName: string;
  /** Its other names in the versions that the case was analysed with. */
  readonly panelFormerly: readonly string[];
  readonly type: Holding['type'];
  readonly name: string;
  readonly hgncId: string | null;
  /** In the version that the case was analysed with; `absent` where the panel did not hold it, null where unknown. */
  readonly ratingThen: Rating | 'absent' | null;
  readonly ratingNow: Rating | 'absent' | null;
  /** The modes of inheritance then and now, empty where none is stated; null in a change of rating. */
  readonly inheritanceThen: string | null;
  readonly inheritanceNow: string | null;
  /** The version that counts now. */
  readonly version: string;
}

/** What is so for one case. Both lists are empty only where everything was known and nothing changed. */
export interface CaseImpact {
  readonly effects: readonly Effect[];
  /** Why it is unknown, wholly or in part. */
  readonly unknown: readonly string[];
}

/** What is so for a case, and the versions that it was analysed with. */
export interface ComparedCase extends CaseImpact {
  readonly analysed: readonly string[];
}

/**
 * Compares all that a case was analysed with to what counts now. An entity that was green on any of its panels was
 * analysed; one that is green on any of them now still counts.
 */
export function compareAnalyses(
  analyses: readonly Analysis[],
  { counts, inheritance }: { readonly counts: Counted; readonly inheritance: boolean },
): ComparedCase {
  const why = analyses.flatMap((analysis) => ('why' in analysis ? analysis.why : []));
  const known = analyses.flatMap((analysis) => ('why' in analysis ? [] : analysis));
  const alternatives = known.flatMap(({ lists }) => lists);
  const now = [...new Map(known.flatMap((each) => each.now).map((list) => [list.panelId, list])).values()];
  const analysed = [...new Set(alternatives.flat().map(({ version }) => version))];
  // Where a panel changed on the day of the analysis, each of the versions of that day may have been the one.
  const ways = combinations(alternatives);
  const [first = [], ...others] = (ways ?? []).map((then) => [
    ...effectsOf(then, now),
    ...(inheritance ? inheritanceEffects(then, now) : []),
  ]);
  const certain = first.filter((effect) =>
    others.every((each) => each.some((one) => sameEffect(one, effect))),
  );
  const differs = ways === null || [first, ...others].some((each) => each.length !== certain.length);
  const versions = `(versions ${analysed.join(', ')})`;
  const changedThatDay =
    counts === 'working'
      ? `the panel changed on the day of the analysis ${versions}: give the version, or the time of day`
      : `another version was signed off on the day of the analysis ${versions}: give the version`;
  return {
    effects: certain.map((effect) => ({ ...effect, panelFormerly: otherNames(effect, alternatives.flat()) })),
    unknown: [...new Set([...why, ...(differs ? [changedThatDay] : [])])],
    analysed,
  };
}

/** The most combinations that are compared: a case with several panels that each changed on its day is rare. */
const MOST_COMBINATIONS = 64;

/** One version of each panel, in all ways; null where these are too many. */
function combinations(
  alternatives: readonly (readonly GreenList[])[],
): readonly (readonly GreenList[])[] | null {
  let all: readonly (readonly GreenList[])[] = [[]];
  for (const lists of alternatives) {
    if (all.length * lists.length > MOST_COMBINATIONS) return null;
    all = all.flatMap((chosen) => lists.map((list) => [...chosen, list]));
  }
  return all;
}

const otherNames = (
  { panelId, panelName }: PresentEffect,
  lists: readonly GreenList[],
): readonly string[] => {
  const names = lists.filter((list) => list.panelId === panelId).map((list) => list.panelName);
  return [...new Set(names)].filter((name) => name !== panelName);
};

/** An effect whose panel has its present name alone. */
type PresentEffect = Omit<Effect, 'panelFormerly'>;

const sameEffect = (one: PresentEffect, other: PresentEffect): boolean =>
  one.change === other.change && one.panelId === other.panelId && identityOf(one) === identityOf(other);

function effectsOf(then: readonly GreenList[], now: readonly GreenList[]): readonly PresentEffect[] {
  const ratings = (lists: readonly GreenList[], entity: Holding): readonly (Rating | null | undefined)[] =>
    lists.map((list) => list.ratingOf(entity));
  const isGreen = (lists: readonly GreenList[], entity: Holding): boolean =>
    ratings(lists, entity).includes('green');
  const of = (lists: readonly GreenList[], panelId: number): readonly GreenList[] =>
    lists.filter((list) => list.panelId === panelId);
  const effects = now.flatMap((list): readonly PresentEffect[] =>
    list.green
      .filter((entity) => !isGreen(then, entity))
      .map((entity) => ({
        change: 'now green',
        ...placeOf(list, entity),
        ratingThen: highest(ratings(of(then, list.panelId), entity)),
        ratingNow: 'green',
        ...noModes,
        version: list.version,
      })),
  );
  const lost = new Map<string, PresentEffect>();
  for (const list of then) {
    for (const entity of list.green) {
      if (isGreen(now, entity)) continue;
      const [present] = of(now, list.panelId);
      lost.set(`${list.panelId} ${identityOf(entity)}`, {
        change: 'no longer green',
        ...placeOf(present ?? list, entity),
        ratingThen: 'green',
        ratingNow: highest(present ? [present.ratingOf(entity)] : []),
        ...noModes,
        version: present?.version ?? '',
      });
    }
  }
  return [...effects, ...lost.values()];
}

const noModes = { inheritanceThen: null, inheritanceNow: null } as const;

function inheritanceEffects(then: readonly GreenList[], now: readonly GreenList[]): readonly PresentEffect[] {
  return now.flatMap((list) =>
    list.green.flatMap((entity): readonly PresentEffect[] => {
      const modes = [...new Set(then.flatMap((each) => each.inheritanceOf(entity) ?? []))];
      const mode = list.inheritanceOf(entity);
      if (mode === undefined || modes.length === 0) return [];
      if (modes.some((one) => inheritanceGroupOf(one) === inheritanceGroupOf(mode))) return [];
      const inheritanceThen = modes.filter((one) => one !== '').join('; ');
      return [
        {
          change: 'mode of inheritance changed',
          ...placeOf(list, entity),
          ...{ ratingThen: 'green', ratingNow: 'green', inheritanceThen, inheritanceNow: mode },
          version: list.version,
        },
      ];
    }),
  );
}

const placeOf = ({ panelId, panelName }: GreenList, { type, name, hgncId }: Holding) => ({
  panelId,
  panelName,
  type,
  name,
  hgncId,
});

const order: readonly (Rating | null | undefined)[] = ['green', 'amber', 'red', 'none', null, undefined];

function highest(ratings: readonly (Rating | null | undefined)[]): Effect['ratingThen'] {
  const [best] = ratings.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return best === undefined ? 'absent' : best;
}
