import { identityOf } from '../../panels/entity-identity.ts';
import type { ComparedCase, Effect } from './compare-analyses.ts';

/** An effect, and the number of cases that it concerns. */
export interface CountedEffect {
  readonly effect: Effect;
  readonly cases: number;
  /** The versions that these cases were analysed with, where they were named or found. */
  readonly analysed: readonly string[];
}

/** Something that is unknown, and the number of cases for which it is. */
export interface CountedUnknown {
  readonly why: string;
  readonly cases: number;
  /** The first lines of the file that say so. */
  readonly lines: readonly number[];
}

/** Cases that were analysed alike, and what is so for each of them. */
export interface ComparedCases {
  readonly cases: number;
  readonly impact: ComparedCase;
}

/** Each effect with its cases, most cases first. */
export function countEffects(sets: readonly ComparedCases[]): readonly CountedEffect[] {
  const counted = new Map<
    string,
    { effect: Effect; cases: number; analysed: Set<string>; formerly: Set<string> }
  >();
  for (const { cases, impact } of sets) {
    if (cases === 0) continue;
    for (const effect of impact.effects) {
      const key = `${effect.change} ${effect.panelId} ${identityOf(effect)}`;
      const known = counted.get(key) ?? {
        effect,
        cases: 0,
        analysed: new Set<string>(),
        formerly: new Set<string>(),
      };
      counted.set(key, known);
      known.cases += cases;
      for (const version of impact.analysed) known.analysed.add(version);
      for (const name of effect.panelFormerly) known.formerly.add(name);
    }
  }
  return [...counted.values()]
    .map(({ effect, cases, analysed, formerly }) => ({
      effect: { ...effect, panelFormerly: [...formerly] },
      cases,
      analysed: [...analysed],
    }))
    .toSorted(
      (one, other) =>
        other.cases - one.cases ||
        one.effect.panelId - other.effect.panelId ||
        (one.effect.name < other.effect.name ? -1 : 1),
    );
}

/** What is unknown, for most cases first, with the lines that say so. */
export function countUnknown(
  sets: readonly ComparedCases[],
  lines: ReadonlyMap<string, readonly number[]>,
): readonly CountedUnknown[] {
  const counted = new Map<string, number>();
  for (const { cases, impact } of sets) {
    if (cases === 0) continue;
    for (const why of impact.unknown) counted.set(why, (counted.get(why) ?? 0) + cases);
  }
  return [...counted]
    .map(([why, cases]) => ({ why, cases, lines: lines.get(why) ?? [] }))
    .toSorted((one, other) => other.cases - one.cases || (one.why < other.why ? -1 : 1));
}
