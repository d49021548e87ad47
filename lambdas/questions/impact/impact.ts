import { identityOf } from '../../panels/entity-identity.ts';
import type { AnalysedCase } from './analysis.ts';
import { type Analysis, analysisOf } from './analysis.ts';
import { type CaseImpact, type ComparedCase, compareAnalyses, type Effect } from './compare-analyses.ts';
import type { ImpactStates } from './impact-states.ts';

/** What the changes of panels mean for the cases of a laboratory. */
export interface Impact {
  readonly cases: number;
  /** Cases with an effect, those of which something is unknown, and those of which all was known and nothing changed. */
  readonly affected: number;
  readonly withUnknown: number;
  readonly unaffected: number;
  /** Most cases first. */
  readonly effects: readonly CountedEffect[];
  readonly unknown: readonly CountedUnknown[];
  /** What is so for a case; null for one that was not read. */
  of(name: string): CaseImpact | null;
}

/**
 * Compares what each case was analysed with to what counts now. Of a case it keeps its name and one number: cases that
 * were analysed alike share the rest.
 *
 * @param options `inheritance`: false leaves out changes of the mode of inheritance
 * @throws {StateError | CatalogueError} when the states cannot be read
 */
export async function impactOf(
  cases: AsyncIterable<AnalysedCase>,
  states: ImpactStates,
  { inheritance = true }: { readonly inheritance?: boolean } = {},
): Promise<Impact> {
  const analyses: Analysis[] = [];
  const numbers = new Map<string, number>();
  const alike = createAlikeCases();
  const lines = new Map<string, number[]>();
  for await (const line of cases) {
    const analysis = await analysisOf(line, states);
    const number = numbers.get(analysis.key) ?? analyses.push(analysis) - 1;
    numbers.set(analysis.key, number);
    alike.add(line.case, number);
    if ('why' in analysis) remember(lines, analysis.why, line.line);
  }
  const compared = alike.sets().map(
    (set): ComparedCases => ({
      cases: set.cases,
      impact: compareAnalyses(
        set.analyses.flatMap((number) => analyses[number] ?? []),
        { counts: states.counts, inheritance },
      ),
    }),
  );
  const count = (wanted: (impact: CaseImpact) => boolean): number =>
    compared.reduce((sum, { cases: some, impact }) => sum + (wanted(impact) ? some : 0), 0);
  return {
    cases: alike.size,
    affected: count(({ effects }) => effects.length > 0),
    withUnknown: count(({ unknown }) => unknown.length > 0),
    unaffected: count(({ effects, unknown }) => effects.length + unknown.length === 0),
    effects: countEffects(compared),
    unknown: countUnknown(compared, lines),
    of(name) {
      const set = alike.setOf(name);
      return set === undefined ? null : (compared[set]?.impact ?? null);
    },
  };
}

/** Lines shown for what is unknown. */
const SHOWN_LINES = 10;

function remember(lines: Map<string, number[]>, why: string, line: number): void {
  const known = lines.get(why) ?? [];
  lines.set(why, known);
  if (known.length < SHOWN_LINES) known.push(line);
}

interface AlikeCases {
  /** Notes that a case was analysed with the analysis of this number. */
  add(name: string, analysis: number): void;
  /** The numbers of the analyses, once for all cases that share them, and how many cases these are. */
  sets(): readonly AlikeSet[];
  /** The place of a case in `sets`; undefined for one that was not added. */
  setOf(name: string): number | undefined;
  readonly size: number;
}

interface AlikeSet {
  readonly analyses: readonly number[];
  readonly cases: number;
}

/** Collects which cases were analysed alike; of a case it keeps its name and one number. */
function createAlikeCases(): AlikeCases {
  const sets: (readonly number[])[] = [[]];
  const places = new Map<string, number>([['', 0]]);
  const setOf = new Map<string, number>();

  const withAnalysis = (set: number, analysis: number): number => {
    const analyses = sets[set] ?? [];
    if (analyses.includes(analysis)) return set;
    const joined = [...analyses, analysis].toSorted((one, other) => one - other);
    const key = joined.join();
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, sets.length);
    return sets.push(joined) - 1;
  };

  return {
    add: (name, analysis) => void setOf.set(name, withAnalysis(setOf.get(name) ?? 0, analysis)),
    sets() {
      const cases = sets.map(() => 0);
      for (const set of setOf.values()) cases[set] = (cases[set] ?? 0) + 1;
      return sets.map((analyses, set) => ({ analyses, cases: cases[set] ?? 0 }));
    },
    setOf: (name) => setOf.get(name),
    get size() {
      return setOf.size;
    },
  };
}

/** An effect, and the number of cases that it concerns. */
interface CountedEffect {
  readonly effect: Effect;
  readonly cases: number;
  /** The versions that these cases were analysed with, where they were named or found. */
  readonly analysed: readonly string[];
}

/** Something that is unknown, and the number of cases for which it is. */
interface CountedUnknown {
  readonly why: string;
  readonly cases: number;
  /** The first lines of the file that say so. */
  readonly lines: readonly number[];
}

/** Cases that were analysed alike, and what is so for each of them. */
interface ComparedCases {
  readonly cases: number;
  readonly impact: ComparedCase;
}

/** Each effect with its cases, most cases first. */
function countEffects(sets: readonly ComparedCases[]): readonly CountedEffect[] {
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
function countUnknown(
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
