import type { Rating } from '../../events/changes.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import { contentsTogether, greenDifference, type PanelContents } from '../../panels/compare-states.ts';
import { identityOf } from '../../panels/entity-identity.ts';
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
  const [first = [], ...others] = (ways ?? []).map((then) =>
    effectsOf(then, now).filter(({ inheritanceNow }) => inheritance || inheritanceNow === null),
  );
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
  alternatives: readonly (readonly PanelContents[])[],
): readonly (readonly PanelContents[])[] | null {
  let all: readonly (readonly PanelContents[])[] = [[]];
  for (const lists of alternatives) {
    if (all.length * lists.length > MOST_COMBINATIONS) return null;
    all = all.flatMap((chosen) => lists.map((list) => [...chosen, list]));
  }
  return all;
}

const otherNames = (
  { panelId, panelName }: PresentEffect,
  lists: readonly PanelContents[],
): readonly string[] => {
  const names = lists.filter((list) => list.panelId === panelId).map((list) => list.panelName);
  return [...new Set(names)].filter((name) => name !== panelName);
};

/** An effect whose panel has its present name alone. */
type PresentEffect = Omit<Effect, 'panelFormerly'>;

const sameEffect = (one: PresentEffect, other: PresentEffect): boolean =>
  one.change === other.change && one.panelId === other.panelId && identityOf(one) === identityOf(other);

/** An entity that was green on any of the panels was analysed; one that is green on any of them now still counts. */
function effectsOf(then: readonly PanelContents[], now: readonly PanelContents[]): readonly PresentEffect[] {
  const [allThen, allNow] = [contentsTogether(then), contentsTogether(now)];
  const gained = now.map((panel) => ({
    ...{ panel, ...greenDifference(allThen, panel) },
    panelThen: contentsTogether(then.filter(({ panelId }) => panelId === panel.panelId)),
  }));
  const effects = gained.flatMap(({ panel, panelThen, entered }) =>
    entered.map(({ entity }): PresentEffect => {
      const ratings = { ratingThen: known(panelThen.statusOf(entity)), ratingNow: 'green' } as const;
      return { change: 'now green', ...placeOf(panel, entity), ...ratings, ...noModes };
    }),
  );
  const lost = new Map<string, PresentEffect>();
  for (const panel of then) {
    for (const { entity } of greenDifference(panel, allNow).left) {
      const present = now.find(({ panelId }) => panelId === panel.panelId);
      lost.set(`${panel.panelId} ${identityOf(entity)}`, {
        change: 'no longer green',
        ...placeOf(present ?? panel, entity),
        ratingThen: 'green',
        ratingNow: known(present?.statusOf(entity) ?? 'absent'),
        ...noModes,
        version: present?.version ?? '',
      });
    }
  }
  const inheritance = gained.flatMap((each) =>
    each.inheritance.flatMap(({ entity, modes }): readonly PresentEffect[] => {
      if (!modes) return [];
      const stated = (all: readonly string[]): string => all.filter((mode) => mode !== '').join('; ');
      const values = { inheritanceThen: stated(modes.before), inheritanceNow: stated(modes.after) };
      const ratings = { ratingThen: 'green', ratingNow: 'green' } as const;
      return [
        { change: 'mode of inheritance changed', ...placeOf(each.panel, entity), ...ratings, ...values },
      ];
    }),
  );
  return [...effects, ...lost.values(), ...inheritance];
}

const noModes = { inheritanceThen: null, inheritanceNow: null } as const;

const known = (status: EntityStatus): Effect['ratingThen'] => (status === 'unknown' ? null : status);

const placeOf = ({ panelId, panelName, version }: PanelContents, { type, name, hgncId }: Holding) => ({
  ...{ panelId, panelName, type, name, hgncId, version },
});
